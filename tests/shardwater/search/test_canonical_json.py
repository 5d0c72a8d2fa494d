"""RFC 8785, by its own examples and by JavaScript."""

import json
import math
import shutil
import struct
import subprocess

import numpy as np
import pytest

from shardwater.search.canonical_json import canonical, number

# Appendix B: the bits of a double, and its text.
NUMBERS = [
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("44b52d02c7e14af7", "1.0000000000000001e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef4f", "999999999999999900000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
]


@pytest.mark.parametrize(("bits", "text"), NUMBERS)
def test_numbers_of_the_rfc(bits, text):
    [value] = struct.unpack(">d", bytes.fromhex(bits))
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(2**53 + 1, "9007199254740992"), (10**18, "1000000000000000000"), (10**22, "1e+22"), (-7, "-7")]
)
def test_whole_numbers_are_those_that_javascript_knows(value, text):
    assert number(value) == text


def test_example_of_the_rfc():
    value = {
        "numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
        "literals": [None, True, False],
    }
    assert (
        canonical(value)
        == (
            '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
            '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
        ).encode()
    )


def test_members_are_sorted_by_their_utf_16_units():
    names = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\x80", "\xf6"]
    # The example of section 3.2.3, with its order.
    ordered = ["\r", "1", "\x80", "\xf6", "\u20ac", "\U0001f600", "\ufb33"]
    assert canonical(dict.fromkeys(names)) == canonical(dict.fromkeys(ordered))
    assert list(json.loads(canonical(dict.fromkeys(names)))) == ordered


def test_empty_things():
    assert canonical({"b": [], "a": {}, "c": ""}) == b'{"a":{},"b":[],"c":""}'


def test_numbers_are_as_javascript_writes_them():
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    rng = np.random.default_rng(8785)
    doubles = np.frombuffer(rng.bytes(8 * 5000), np.float64).tolist()
    values = [value for value in doubles if math.isfinite(value)]
    values += (rng.uniform(-1, 1, 5000) * 10.0 ** rng.integers(-12, 25, 5000)).tolist()
    program = 'console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0, "utf8"))))'
    command = [node, "-e", program]
    done = subprocess.run(command, input=json.dumps(values), capture_output=True, text=True, check=True)
    assert canonical(values).decode() == done.stdout.strip()


def test_whole_numbers_beyond_all_doubles_are_as_infinite_as_javascript_has_them():
    assert canonical([10**400, -(10**400)]) == canonical([json.loads("1e400"), json.loads("-1e400")])
