"""Probabilities of a few possible answers, from the token probabilities that a server reports.

Servers that speak OpenAI's protocol and Ollama (since 0.12.11) use the same form, for each token of
an answer (https://platform.openai.com/docs/api-reference/chat, `logprobs`;
https://docs.ollama.com/api, `logprobs`):

    [{"token": "Yes", "logprob": -0.1, "top_logprobs": [{"token": "Yes", "logprob": -0.1}, …]}]
"""

from collections.abc import Iterator, Mapping, Sequence
import math
import string
from typing import Any, Final

# The largest `top_logprobs` that every such server accepts.
LIKELIEST: Final = 20
# Tokens of an answer of one word: some models write a line break or asterisks before it.
TOKENS: Final = 4
_AROUND = string.whitespace + string.punctuation

type TokenProbabilities = Mapping[str, float]
"""The likeliest tokens at a position, the generated one first, with probabilities from 0 to 1."""


def likely(entries: Any) -> Iterator[TokenProbabilities]:
    """Yield the probabilities at each token; malformed parts are skipped."""
    for entry in entries if isinstance(entries, list) else ():
        if not isinstance(entry, dict):
            continue
        told = entry.get("top_logprobs")
        shares: dict[str, float] = {}
        for token in (entry, *(told if isinstance(told, list) else ())):
            match token:
                case {"token": str(name), "logprob": int() | float() as logprob} if logprob <= 0:
                    shares[name] = math.exp(logprob)
        yield {name: share for name, share in shares.items() if share}


def weights_of(
    tokens: Sequence[TokenProbabilities], answers: Sequence[str]
) -> dict[str, float] | None:
    """Return the probability of each answer, 1 in total; None if another token is likelier.

    `tokens` are the first of the message. A single letter must match exactly.
    """
    first = next((each for each in tokens if next(iter(each), "").strip(_AROUND)), {})
    weights = dict.fromkeys(answers, 0.0)
    other = 0.0
    for token, share in first.items():
        word = token.strip(_AROUND)
        match [answer for answer in answers if word and _begins(answer, word)]:
            case [meant]:
                weights[meant] += share
            case _:
                other = max(other, share)
    if max(weights.values()) <= other:
        return None
    total = sum(weights.values())
    return {answer: weight / total for answer, weight in weights.items()}


def _begins(answer: str, word: str) -> bool:
    return answer == word or (len(answer) > 1 and answer.casefold().startswith(word.casefold()))
