"""What hears of an engine's progress."""

from shardwater.errors import SearchCancelled


class CancelAfter:
    """A progress callback that ends the search at its n-th call."""

    def __init__(self, calls):
        self.left = calls

    def __call__(self, cells):
        self.left -= 1
        if self.left <= 0:
            raise SearchCancelled
