"""How likely a model finds each of a few answers, where its server tells.

Servers that speak OpenAI's protocol and Ollama (since 0.12.11) tell it in the same form, for each token
of an answer (https://platform.openai.com/docs/api-reference/chat, `logprobs`;
https://docs.ollama.com/api, `logprobs`):

    [{"token": "Yes", "logprob": -0.1, "top_logprobs": [{"token": "Yes", "logprob": -0.1}, …]}]
"""

from collections.abc import Iterator, Mapping, Sequence
import math
import string
from typing import Any, Final

# What every such server takes at most.
LIKELIEST: Final = 20
# Tokens of an answer of one word: some write a line or asterisks before it.
TOKENS: Final = 4
_AROUND = string.whitespace + string.punctuation

type TokenProbabilities = Mapping[str, float]
"""The likeliest tokens at a place, the written one first, with how likely each is: from 0 to 1."""


def likely(entries: Any) -> Iterator[TokenProbabilities]:
    """Yield what a server tells of each token; what is not in the form is left out."""
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
    """Return how likely each answer is, 1 in all; None where another token is likelier than each.

    `tokens` are the first that the model wrote. Where it says "Sí", a "No"
    that it also considered is not certain. A letter counts only as it is: "a" begins many a sentence.
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
