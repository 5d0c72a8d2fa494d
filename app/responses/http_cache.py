"""What a client may keep: a finished result never changes, and is there until its time is over."""

from shardwater.software import software


def result_headers(search: str, form: str, left_s: int) -> dict[str, str]:
    """The headers of a result in one format, which is kept for so many seconds more.

    The tag is weak, since the same text goes out plain and compressed. Another version of this software may write a
    format in another way.
    """
    made_by = software()
    return {
        "ETag": f'W/"{search}.{form}.{made_by.version}-{made_by.commit[:12]}"',
        "Cache-Control": f"private, immutable, max-age={left_s}",
        "Vary": "Accept, Accept-Encoding",
    }


def is_known(if_none_match: str | None, tag: str) -> bool:
    """Whether a client that sends this If-None-Match has what the tag names (RFC 9110, by weak comparison)."""
    named = [each.strip().removeprefix("W/") for each in (if_none_match or "").split(",")]
    return "*" in named or tag.removeprefix("W/") in named
