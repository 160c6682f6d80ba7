"""A divergence of the policy, allowed."""

from argparse import ArgumentParser

import pytest

from bench.rules import switch_off
from custom_components.voice_gateway.tools.policy import divergence
from custom_components.voice_gateway.tools.policy.divergence import (
    DECISIONS,
    Divergence,
    Provenance,
    Verdict,
    verdict_on,
)


@pytest.fixture(autouse=True)
def decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(divergence, "DECISIONS", DECISIONS)


def test_divergence_is_allowed_and_no_other() -> None:
    switch_off(ArgumentParser(), "negated")

    assert verdict_on(Divergence.NEGATED, Provenance.READ) is Verdict.ALLOW
    assert verdict_on(Divergence.KEPT, Provenance.READ) is Verdict.REFUSE


def test_all_divergences_count_where_none_is_named() -> None:
    switch_off(ArgumentParser(), None)

    assert divergence.DECISIONS == DECISIONS


def test_unknown_divergence_is_answered_with_those_that_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        switch_off(ArgumentParser(), "third")

    assert "there is no divergence third; there are: question, " in capsys.readouterr().err
