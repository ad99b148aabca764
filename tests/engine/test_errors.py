"""Refusals say what was wrong in stable words."""

from __future__ import annotations

from engine.errors import BrokenLog, Code, FutureLog, IllegalAction


def test_a_refusal_carries_its_code_and_facts() -> None:
    error = IllegalAction(Code.TABLE_FULL, seats=3)
    assert (error.code, error.facts) == (Code.TABLE_FULL, {"seats": 3})
    assert str(error) == "table_full(seats=3)"
    assert str(IllegalAction(Code.NO_PROMPT)) == "no_prompt"


def test_a_log_of_later_rules_names_both_versions() -> None:
    error = FutureLog("ra", 7, 1)
    assert isinstance(error, BrokenLog)
    assert "7" in str(error)
    assert "1" in str(error)
