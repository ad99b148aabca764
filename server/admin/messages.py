"""The messages on the local socket: lines of JSON, one for a request and one for its answer.

    {"do": "present", "codes": ["KIWI-42"]}   {"tables": {"KIWI-42": {"seats": [0], "watch": []}}}
    {"do": "close", "code": "KIWI-42"}        {"code": "KIWI-42", "number": 17}
    {"do": "nonsense"}                        {"trouble": "unknown_request", "detail": "..."}

Does not know the socket or any table.
"""

from __future__ import annotations

import json
from typing import Any

MOST_BYTES = 1 << 20
"""The most bytes that a line may have, its end included."""
MOST_CODES = 1000
"""Tables that one request may ask about."""


class BadRequest(Exception):
    """A line that cannot be understood."""


class Unanswered(Exception):
    """A request was made, and its outcome is not known."""


def pack(message: dict[str, Any]) -> bytes:
    """A message as a line of ASCII, including its end."""
    return json.dumps(message).encode() + b"\n"


def unpack(line: bytes) -> dict[str, Any]:
    """The message in a line; raises BadRequest."""
    if len(line) > MOST_BYTES:
        raise BadRequest
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise BadRequest from None
    if not isinstance(message, dict):
        raise BadRequest
    return message


def codes_of(request: dict[str, Any]) -> list[str]:
    """The codes that a request asks about; raises BadRequest."""
    codes = request.get("codes")
    if not isinstance(codes, list) or len(codes) > MOST_CODES:
        raise BadRequest
    return [text_of(code) for code in codes]


def text_of(value: object) -> str:
    """A string in a request; raises BadRequest."""
    if not isinstance(value, str):
        raise BadRequest
    return value


def failure(code: str, detail: str) -> dict[str, Any]:
    """The answer to a request that is not carried out; `code` is a stable word."""
    return {"trouble": code, "detail": detail}
