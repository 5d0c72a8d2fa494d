"""Who asks: the owner of what is asked for, and what it may do."""

from dataclasses import dataclass
from typing import Literal, get_args

Scope = Literal["search", "databases:write", "admin"]
SCOPES: tuple[Scope, ...] = get_args(Scope)


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody with scopes, whose searches are kept under `owner`, and whose use is counted under `account`."""

    owner: str = ""
    scopes: frozenset[Scope] = frozenset(SCOPES)
    account: str = ""

    def may(self, scope: Scope) -> bool:
        """Whether a scope is granted; `admin` has all of them."""
        return scope in self.scopes or "admin" in self.scopes

    @property
    def sees_all(self) -> bool:
        """Whether the searches of every owner are shown."""
        return "admin" in self.scopes

    def owns(self, owner: bytes | None) -> bool:
        """Whether what Redis has of this owner is shown; what nobody owns belongs to those who see all."""
        return self.sees_all or (self.owner != "" and owner == self.owner.encode())


ANYBODY = Caller()
"""Who everybody is where no keys are asked for."""
NOBODY = Caller(scopes=frozenset())
"""Who everybody is on the pages before the door."""
