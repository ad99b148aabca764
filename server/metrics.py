"""What the server counts, and the page from which Prometheus reads it.

Counting is adding to a number; the library is loaded only when a port is set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from server.log import Log

if TYPE_CHECKING:
    from prometheus_client.core import Metric


class Counters:
    """Counts since the start of the server."""

    __slots__ = (
        "bots_unserved",
        "dropped",
        "entries",
        "faults",
        "messages",
        "refusals",
        "store_failures",
    )

    def __init__(self) -> None:
        self.messages = 0
        """Messages received."""
        self.entries = 0
        """Entries that were stored and broadcast."""
        self.refusals = 0
        self.dropped = 0
        """Connections that the server closed because they broke a limit."""
        self.store_failures = 0
        self.faults = 0
        """Errors of our own that were caught at a boundary."""
        self.bots_unserved = 0
        """Decisions of bots that think which quick bots had to make."""


class Exporter:
    """A page of figures on 127.0.0.1."""

    def __init__(
        self, port: int, counters: Counters, gauges: Mapping[str, Callable[[], int]], log: Log
    ) -> None:
        """Raises OSError if the port cannot be opened."""
        from prometheus_client import CollectorRegistry, start_http_server

        self._counters = counters
        self._gauges = gauges
        self._log = log
        registry = CollectorRegistry()
        registry.register(self)
        self._server, self._thread = start_http_server(port, addr="127.0.0.1", registry=registry)
        # the default prints a traceback when a reader is gone before the answer
        vars(self._server)["handle_error"] = lambda *_: None

    def collect(self) -> Iterable[Metric]:
        """The current figures, in the form that prometheus-client asks for."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        for name in Counters.__slots__:
            value = getattr(self._counters, name)
            yield CounterMetricFamily(f"ra_{name}", name.replace("_", " "), value=value)
        lost = self._log.lost
        yield CounterMetricFamily("ra_log_lines_lost", "log lines not written", value=lost)
        for name, gauge in self._gauges.items():
            yield GaugeMetricFamily(f"ra_{name}", name.replace("_", " "), value=gauge())

    def close(self) -> None:
        """Close the port."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
