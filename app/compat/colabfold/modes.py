"""What a client asks for by `mode`: words joined by `-`, some of which stand for what is done anyway."""

from dataclasses import dataclass
from typing import Self

from app.problems import InvalidParameterError
from shardwater.msa.pairing import PairingName
from worker.jobs.chain_requests import MsaFilter

PAIRINGS: dict[str, PairingName] = {"pairgreedy": "greedy", "paircomplete": "complete"}
_ALIGNED = ("all", "env", "nofilter", "notemplates", "taxonomy", "m8output")
_PAIRED = ("env", *PAIRINGS)


@dataclass(frozen=True, slots=True)
class AlignMode:
    """Of MSAs: whether the second database is searched, too, and a list of templates is expected.

    `taxonomy` and `m8output` are passed over: the files are those without them.
    """

    env: bool
    filter: MsaFilter
    templates: bool

    @classmethod
    def read(cls, text: str) -> Self:
        """Raises InvalidParameterError."""
        words = _words(text, _ALIGNED)
        return cls("env" in words, "none" if "nofilter" in words else "diverse", "notemplates" not in words)


def read_pairing(text: str) -> PairingName:
    """How chains are paired; raises InvalidParameterError.

    `env` is passed over: ColabFold's server has another database for pairs then, for which none stands here.
    """
    asked = [PAIRINGS[word] for word in _words(text, _PAIRED) if word in PAIRINGS]
    if len(set(asked)) > 1:
        raise InvalidParameterError("mode", f"one of {' and '.join(PAIRINGS)} is needed")
    return asked[0] if asked else "greedy"


def _words(text: str, known: tuple[str, ...]) -> list[str]:
    words = [word for word in text.split("-", len(known)) if word]
    if not set(words) <= set(known):
        raise InvalidParameterError("mode", f"it is made of these words, joined by -: {', '.join(known)}")
    return words
