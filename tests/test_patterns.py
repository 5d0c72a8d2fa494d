"""Every regular expression of the packages meets somebody else's text: each takes time in proportion to its length.

Texts are made from a pattern's own letters. Short ones show which are the worst, and those are fed at LONG letters to a
process that may use CPU_S seconds: a linear pattern needs milliseconds, a quadratic one minutes.
"""

import ast
import importlib
import inspect
import json
import re
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from app.main import create_app
from app.page.link_rules import Links
from worker.settings import Settings

ROOT = Path(__file__).parents[1]
PACKAGES = ("shardwater", "gpu", "worker", "app")
USES = {"search", "match", "fullmatch", "findall", "finditer", "split", "sub"}
# What the operator's rules are made of is no pattern of ours: docs/lab.md says what browsers do with them.
OF_OTHERS = {"app/page/link_rules.py": ["re.compile(self.pattern)"]}
SHORT, LONG = 1_000, 200_000
CPU_S = 20

syntax = re._constants
REPEATS = (syntax.MAX_REPEAT, syntax.MIN_REPEAT, syntax.POSSESSIVE_REPEAT)
STRANGERS = " a0=\t\n\"'\\/|;:,.+-*_<>{}[]()~!#%&@\0é"
OF_CATEGORY = {
    syntax.CATEGORY_SPACE: " \t",
    syntax.CATEGORY_NOT_SPACE: "a=",
    syntax.CATEGORY_DIGIT: "0",
    syntax.CATEGORY_NOT_DIGIT: "a ",
    syntax.CATEGORY_WORD: "a0",
    syntax.CATEGORY_NOT_WORD: " =",
}

FEED = """
import json, re, signal, sys, time

asked = json.load(sys.stdin)
# Nobody handles it: the process ends.
signal.setitimer(signal.ITIMER_VIRTUAL, asked["cpu_s"])

def feed(pattern, use, text):
    if use == "sub":
        pattern.sub("", text) if isinstance(text, str) else pattern.sub(b"", text)
    elif use == "finditer":
        for _ in pattern.finditer(text): pass
    else:
        getattr(pattern, use)(text)

def spelled(parts, size, each):
    first, again, last = parts
    text = first + again * (size // len(again)) + last
    return text.encode() if each["binary"] else text

def seconds(pattern, use, text):
    begin = time.process_time()
    feed(pattern, use, text)
    return time.process_time() - begin

for each in asked["patterns"]:
    print(each["place"], flush=True)
    pattern = re.compile(each["source"].encode() if each["binary"] else each["source"], each["flags"])
    for use in each["uses"]:
        took = [(seconds(pattern, use, spelled(parts, asked["short"], each)), parts) for parts in each["texts"]]
        for _, parts in sorted(took, reverse=True)[:5]:
            feed(pattern, use, spelled(parts, asked["long"], each))
"""


@dataclass(frozen=True)
class Pattern:
    place: str
    source: str
    flags: int
    binary: bool
    uses: tuple[str, ...]


def a_pattern(place, compiled, uses):
    binary = isinstance(compiled.pattern, bytes)
    source = compiled.pattern.decode("latin-1") if binary else compiled.pattern
    return Pattern(place, source, compiled.flags, binary, tuple(sorted(uses)))


def calls(tree):
    """Every call of a method by its name, `holder.name(...)`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node, node.func.value, node.func.attr


@cache
def modules():
    """The modules that have to do with regular expressions, with their syntax trees."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}
    return {
        place: (importlib.import_module(place.removesuffix(".py").replace("/", ".")), ast.parse(text))
        for place, text in texts.items()
        if re.search(r"^\s*(import|from) re\b", text, re.MULTILINE)
    }


def named(module):
    """The patterns that a module and its own classes hold by name."""
    holders = [module, *(kind for _, kind in inspect.getmembers(module, inspect.isclass))]
    return {name: value for holder in holders for name, value in vars(holder).items() if isinstance(value, re.Pattern)}


def uses_of(pattern):
    """How a pattern with a name is used; in every way where that cannot be seen."""
    found = {
        use
        for module, tree in modules().values()
        for _, holder, use in calls(tree)
        if use in USES and isinstance(holder, ast.Name) and vars(module).get(holder.id) is pattern
    }
    return found or USES - {"findall", "sub", "split"}


def written(place, module, tree):
    """The patterns that stand in a call, as in `re.search(r"...", text)`, and the calls whose pattern does not."""
    known, unknown = [], []
    for call, holder, use in calls(tree):
        if isinstance(holder, ast.Name) and holder.id == "re" and use in USES | {"compile", "subn", "split"}:
            try:
                source = eval(compile(ast.Expression(call.args[0]), place, "eval"), vars(module))
            except Exception:
                unknown.append(ast.unparse(call))
                continue
            if use != "compile":
                known.append(a_pattern(f"{place}:{call.lineno}", re.compile(source), {use}))
    return known, unknown


@cache
def patterns_of(place):
    module, tree = modules()[place]
    held = [a_pattern(f"{place} {name}", pattern, uses_of(pattern)) for name, pattern in named(module).items()]
    return held + written(place, module, tree)[0]


def letter_of(group):
    """A letter that a class takes, `[...]` as the parser gives it."""
    kind, value = group[0]
    if kind is syntax.NEGATE:
        taken = re.compile(f"[{''.join(re.escape(letter) for letter in listed(group[1:]))}]") if group[1:] else None
        return next(letter for letter in STRANGERS if taken is None or not taken.match(letter))
    return next(iter(listed([(kind, value)])))


def listed(group):
    """Letters of a class: the ends of its ranges, one or two of each category."""
    for kind, value in group:
        if kind is syntax.LITERAL:
            yield chr(value)
        elif kind is syntax.RANGE:
            yield from map(chr, value)
        elif kind is syntax.CATEGORY:
            yield from OF_CATEGORY[value]


def least(items):
    """A short text that a parsed pattern matches."""
    return "".join(least_of(*item) for item in items)


def least_of(kind, value):
    if kind is syntax.LITERAL:
        return chr(value)
    if kind is syntax.IN:
        return letter_of(value)
    if kind in (syntax.ANY, syntax.NOT_LITERAL):
        return "x" if value != ord("x") else "y"
    if kind in REPEATS:
        return least(value[2]) * max(value[0], 1)
    return next((least(part) for part in parts_of(kind, value)), "")


def parts_of(kind, value):
    """The patterns inside a part of a pattern."""
    if kind is syntax.BRANCH:
        return value[1]
    if kind in (syntax.SUBPATTERN, *REPEATS, syntax.ASSERT, syntax.ASSERT_NOT):
        return [value[-1]]
    return [value] if kind is syntax.ATOMIC_GROUP else []


def beginnings(items, before=""):
    """Texts that get into a pattern as far as each of its parts, and the least text of each part."""
    for item in items:
        yield before
        for part in parts_of(*item):
            yield from beginnings(part, before)
            yield least(part)
        before += least([item])
    yield before


def texts_of(pattern):
    parsed = re._parser.parse(pattern.source, pattern.flags & ~re.UNICODE)
    begun = list(dict.fromkeys(beginnings(parsed)))
    strangers = [letter for letter in STRANGERS if letter in pattern.source or letter in ' a0\t"']
    repeated = [text for text in dict.fromkeys([*begun, *strangers]) if text]
    return [[first, again, last] for first, again, last in product(begun, repeated, ("", "\0"))]


def fed(patterns, cpu_s=CPU_S):
    """Feed each pattern its worst texts; the place of the one at work when the time was over."""
    asked = {"cpu_s": cpu_s, "short": SHORT, "long": LONG}
    asked["patterns"] = [{**asdict(each), "texts": texts_of(each)} for each in patterns]
    done = subprocess.run(
        [sys.executable, "-c", FEED], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, -signal.SIGVTALRM), done.stderr
    return done.stdout.splitlines()[-1] if done.returncode else None


@pytest.mark.parametrize("place", sorted(modules()))
def test_a_pattern_takes_time_in_proportion_to_the_text(place):
    assert fed(patterns_of(place)) is None


def test_so_do_the_patterns_of_the_routes():
    routes = create_app(Settings()).routes
    unique = {route.path: a_pattern(f"route {route.path}", route.path_regex, {"match"}) for route in routes}
    assert "/v1/searches/{search}" in unique
    assert fed(unique.values()) is None


def test_so_do_the_shipped_rules_of_links():
    rules = {rule.label: a_pattern(rule.label, re.compile(rule.pattern), {"search"}) for rule in Links.read("").rules}
    assert "UniProt" in rules
    assert fed(rules.values()) is None


def test_every_pattern_can_be_seen():
    unseen = {place: written(place, module, tree)[1] for place, (module, tree) in modules().items()}
    assert {place: found for place, found in unseen.items() if found} == OF_OTHERS


@pytest.mark.parametrize(
    "source",
    [
        r"\b(OS|OX|GN|PE|SV)=(.*?)(?=\s+(?:OS|OX|GN|PE|SV)=|$)",
        r"/+$",
        r"(a+)+$",
        r"\s*,\s*x",
        r"<!--.*-->",
    ],
)
def test_a_pattern_that_is_not_linear_is_found(source):
    pattern = a_pattern("bad", re.compile(source), {"search"})
    assert fed([pattern], cpu_s=0.3) == "bad"
