"""What is said at the local socket: lines of JSON, one for a request and one for its answer.

    {"do": "present", "codes": ["KIWI-42"]}   {"tables": {"KIWI-42": {"seats": [0], "watch": []}}}
    {"do": "close", "code": "KIWI-42"}        {"number": 17}
    {"do": "nonsense"}                        {"trouble": "unknown_request", "detail": "..."}

Knows neither socket nor table. What is no request raises NoRequest.
"""

from __future__ import annotations

import json
from typing import Any

MOST_BYTES = 1 << 20
"""Of a line, with its end."""
MOST_CODES = 1000
"""Tables that one request asks about."""


class NoRequest(Exception):
    """A line says nothing that can be understood."""


def pack(line: dict[str, Any]) -> bytes:
    """A line with its end, all in ASCII."""
    return json.dumps(line).encode() + b"\n"


def unpack(line: bytes) -> dict[str, Any]:
    """What a line says; raises NoRequest."""
    if len(line) > MOST_BYTES:
        raise NoRequest
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        raise NoRequest from None
    if not isinstance(said, dict):
        raise NoRequest
    return said


def codes_of(said: dict[str, Any]) -> list[str]:
    """The codes that a request asks about; raises NoRequest."""
    codes = said.get("codes")
    if not isinstance(codes, list) or len(codes) > MOST_CODES:
        raise NoRequest
    return [text_of(code) for code in codes]


def text_of(value: object) -> str:
    """A text of a request; raises NoRequest."""
    if not isinstance(value, str):
        raise NoRequest
    return value


def trouble(code: str, detail: str) -> dict[str, Any]:
    """The answer to what is not done; `code` is a stable word."""
    return {"trouble": code, "detail": detail}
