"""Figures for Prometheus."""

from __future__ import annotations

import asyncio
import socket
import urllib.request

from attrs import evolve

from tests.server.peer import QUIET, peer, server


async def test_figures_are_there_for_prometheus() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    async with server(evolve(QUIET, metrics_port=port)) as app, peer(app) as ann:
        await ann.create()
        page = await asyncio.to_thread(_fetch, f"http://127.0.0.1:{port}/metrics")
        assert "ra_connections 1.0" in page and "ra_tables 1.0" in page
        assert "ra_bot_questions_waiting 0.0" in page and "ra_bots_unserved_total 0.0" in page
        assert "ra_messages_total 2.0" in page


def _fetch(url: str) -> str:
    with urllib.request.urlopen(url) as response:
        text: str = response.read().decode()
        return text
