"""What is said of an address that leads nowhere."""

import re

_PNG = re.compile(r"/figures/([a-z]{1,20})\.png\Z")
_LISTED = "this server has nothing at this address; /docs lists what it has"


def nowhere(path: str) -> str:
    """Where to look instead."""
    png = _PNG.search(path)
    if png is None:
        return _LISTED
    return (
        f"pictures come as SVG: ask for {png[1]}.svg, of which programs for drawings, and the page, make a PNG. Only "
        "the dot plot of a comparison is here as PNG, too, dotplot.png"
    )
