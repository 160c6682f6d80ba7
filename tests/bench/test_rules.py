"""A rule of the policy, switched off."""

from argparse import ArgumentParser

import pytest

from bench.rules import switch_off
from custom_components.voice_gateway.tools import policy


def first() -> None: ...


def second() -> None: ...


@pytest.fixture(autouse=True)
def rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "RULES", (first, second), raising=False)


def test_rule_is_left_out_and_no_other() -> None:
    switch_off(ArgumentParser(), "first")

    assert vars(policy)["RULES"] == (second,)


def test_all_rules_hold_where_none_is_named() -> None:
    switch_off(ArgumentParser(), None)

    assert vars(policy)["RULES"] == (first, second)


def test_unknown_rule_is_answered_with_those_that_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        switch_off(ArgumentParser(), "third")

    assert "there is no rule third; there are: first, second" in capsys.readouterr().err
