"""Rules that turn a hit's accession or title into links to other sites, read from YAML at the start.

The page applies them, so a pattern keeps to the syntax that Python and JavaScript share: groups go by number. A link
leads to where its rule says and nowhere else: host and scheme hold no placeholder, values are escaped, and none stands
where an empty one would leave two slashes, behind which a host comes.
"""

import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from worker.settings import SettingsError

LONGEST_PATTERN = 500

_ADDRESS = re.compile(r"(https?://[^\s{}/?#\\@]+/|/(?![/{]))[^\s\\]*")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_PYTHON_ONLY = re.compile(r"\(\?(?![:=!]|<[=!])|\\[AZ]|[*+?}]\+")


class LinkRule(BaseModel):
    """One link: shown as `label` for each hit whose field matches the pattern."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    label: str = Field(min_length=1, max_length=40)
    field: Literal["accession", "title"] = "accession"
    pattern: str = Field(max_length=LONGEST_PATTERN)
    url: str

    @model_validator(mode="after")
    def _check(self) -> Self:
        if _PYTHON_ONLY.search(self.pattern):
            raise ValueError(f"pattern {self.pattern!r}: named groups, inline flags, \\A and \\Z are not read")
        try:
            groups = re.compile(self.pattern).groups
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(f"pattern {self.pattern!r}: {error}") from None
        if not _ADDRESS.fullmatch(self.url):
            said = "https://HOST/... or /..., with no placeholder before the path or as its beginning"
            raise ValueError(f"url {self.url!r}: {said}")
        known = {"accession", "hit_from", "hit_to", *map(str, range(1, groups + 1))}
        for name in _PLACEHOLDER.findall(self.url):
            if name not in known:
                raise ValueError(f"url {self.url!r}: there is no {{{name}}}, only {', '.join(sorted(known))}")
        return self


_RULES = TypeAdapter(list[LinkRule])


@dataclass(frozen=True, slots=True)
class Links:
    """The rules in their order."""

    rules: tuple[LinkRule, ...]

    @classmethod
    def read(cls, path: str) -> Self:
        """The rules of a YAML file, those that ship with the app where the path is empty; raises SettingsError."""
        try:
            source = Path(path).read_text(encoding="utf-8") if path else (files("app") / "web/links.yaml").read_text()
            return cls(tuple(_RULES.validate_python(yaml.safe_load(source) or [])))
        # PyYAML raises what Python makes of a date with a thirteenth month, of `!!int x`, or of lists in lists.
        except (OSError, ValueError, AttributeError, RecursionError, yaml.YAMLError) as error:
            raise SettingsError(f"SHARDWATER_LINKS is {path!r}: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        [first, *_] = error.errors()
        place = "rule " + str(int(first["loc"][0]) + 1) if first["loc"] else "the file"
        return f"{place}: {first['msg'].removeprefix('Value error, ')}"
    return str(error)
