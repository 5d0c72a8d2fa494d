"""How fast the page is in headless Chromium, and how large its files: `python benchmarks/page.py`.

A real service over the demo's proteins, and a browser whose cache is empty at each visit. First paint is Chromium's own
first contentful paint. The form is interactive when a key can be typed into it, the result when its hits are drawn and
the main thread has come to rest. Best of several visits; of layout shift and memory the most.
"""

import argparse
import gzip
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from playwright.sync_api import Browser, Page, sync_playwright
from results import RESULTS, publish

from app.page.assets import assets
from shardwater.sequences.fasta import read_fasta, write_fasta

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-P", "-m", "worker.cli"]
QUERIES, HITS = 100, 1000
PAINT = """() => new Promise((done) => new PerformanceObserver((list) => {
    const found = list.getEntriesByName("first-contentful-paint")[0];
    if (found) done(found.startTime);
}).observe({ type: "paint", buffered: true }))"""
# The first frame after something has come into the page, and the first rest of the main thread after that.
WATCH = """window.seen = {};
const wanted = { form: "textarea", hits: ".hit .accession", all: ".toolbar [role=status]", index: ".index li" };
const look = () => {
    for (const [name, selector] of Object.entries(wanted)) {
        const found = document.querySelector(selector);
        if (!found || seen[name] || (name === "all" && found.textContent !== "HITS hits")) continue;
        seen[name] = {};
        requestAnimationFrame(() => requestAnimationFrame(() => {
            seen[name].drawn = performance.now();
            requestIdleCallback(() => { seen[name].rest = performance.now(); });
        }));
    }
};
new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
""".replace("HITS", f"{HITS:,}")
SHIFTS = """window.shifted = 0;
new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.shifted += shift.value;
}).observe({ type: "layout-shift", buffered: true });
"""
CLICK = """([selector, sign]) => new Promise((done) => {
    const begin = performance.now();
    const look = () => {
        if (!document.querySelector(sign)) return requestAnimationFrame(look);
        requestAnimationFrame(() => done(performance.now() - begin));
    };
    document.querySelector(selector).click();
    look();
})"""


@contextmanager
def served() -> Iterator[str]:
    """The address of a service over the demo's proteins in two shards."""
    with tempfile.TemporaryDirectory() as folder:
        source = str(ROOT / "demo" / "proteins.fasta.gz")
        build = [source, "--name", "demo", "--out", folder, "--shards", "2"]
        subprocess.run([*COMMAND, "makedb", *build], check=True, capture_output=True)
        serve = [*COMMAND, "serve", "--data", folder, "--port", "0"]
        process = subprocess.Popen(serve, stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        try:
            yield next(line.split()[1] for line in process.stderr if line.startswith("Ready: "))
        finally:
            process.terminate()
            process.wait()


def searched(url: str) -> str:
    """A search of many queries, each with as many hits as asked for; its id."""
    proteins = gzip.decompress((ROOT / "demo" / "proteins.fasta.gz").read_bytes())
    short = [record for record in read_fasta(proteins) if len(record.residues) < 400]
    body = {
        "sequence": "".join(write_fasta(record) for record in short[:QUERIES]),
        "database": "demo",
        "max_target_seqs": HITS,
        "evalue": 1e9,
        "score_distribution": True,
    }
    with httpx.Client(base_url=url, timeout=120) as http:
        status = httpx.codes.ACCEPTED
        while status == httpx.codes.ACCEPTED:
            # The same request is the same search, and waits for it anew.
            reply = http.post("/v1/searches", json=body, headers={"Prefer": "wait=60"})
            reply.raise_for_status()
            status = reply.status_code
        found = reply.json()
    if [len(one["hits"]) for one in found["results"]] != [HITS] * QUERIES:
        raise SystemExit("the search has fewer hits than the measurement needs")
    print(f"{QUERIES} queries x {HITS} hits: {len(reply.content) / 1e6:.1f} MB of JSON")
    return str(found["search"])


@contextmanager
def fresh(browser: Browser) -> Iterator[Page]:
    """A tab with an empty cache."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script(WATCH)
    context.add_init_script(SHIFTS)
    yield context.new_page()
    context.close()


def seen(page: Page, name: str, what: str) -> float:
    """When something was there, in milliseconds from the start of navigation."""
    return float(page.wait_for_function(f"() => window.seen['{name}']?.{what}").json_value())


def visit_form(browser: Browser, url: str) -> dict[str, float]:
    """Milliseconds from the start of navigation."""
    with fresh(browser) as page:
        page.goto(url)
        return {
            "form: interactive": seen(page, "form", "rest"),
            "form: first paint": page.evaluate(PAINT),
            "form: layout shift": page.evaluate("window.shifted"),
        }


def visit_result(browser: Browser, url: str, search: str) -> dict[str, float]:
    """Milliseconds from the start of navigation, and from a click to the frame that shows what it asked for."""
    with fresh(browser) as page:
        page.goto(f"{url}/searches/{search}")
        return {
            "result: all hits of the query there, at rest": seen(page, "all", "rest"),
            "result: index of queries drawn": seen(page, "index", "drawn"),
            "result: first hits drawn": seen(page, "hits", "drawn"),
            "result: first paint": page.evaluate(PAINT),
            "result: layout shift": page.evaluate("window.shifted"),
            "result: sort by identity": page.evaluate(
                CLICK, ["[role=columnheader]:nth-child(7) button", "[aria-sort=descending]"]
            ),
            "result: another query": page.evaluate(CLICK, [".index li:nth-child(50) a", "#query-50 ~ .hits .hit"]),
            "result: heap, MB": heap(page) / 1e6,
        }


def heap(page: Page) -> float:
    """Bytes of JavaScript that are in use once all that can go has gone."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    return float(metrics["JSHeapUsedSize"])


def told(name: str, values: list[float]) -> str:
    """The best of times; the worst of what else is measured."""
    if name.endswith("shift"):
        return f"{max(values):.3f}"
    return f"{max(values):.1f}" if "heap" in name else f"{min(values):.0f}"


def main() -> None:
    """Serve, visit, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visits", type=int, default=15)
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file to append to")
    options = parser.parse_args()
    rows: dict[str, list[float]] = {}
    with served() as url, sync_playwright() as playwright:
        search = searched(url)
        path = shutil.which("chromium") or shutil.which("chromium-headless-shell")
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        for _ in range(options.visits):
            for name, value in {**visit_form(browser, url), **visit_result(browser, url, search)}.items():
                rows.setdefault(name, []).append(value)
        about = f"Chromium {browser.version}, headless"
        browser.close()
    files = [(name, len(asset.content), len(asset.compressed)) for name, asset in assets().items()]
    total = ("all", sum(raw for _, raw, _ in files), sum(small for _, _, small in files))
    lines = [
        f"{about}; {QUERIES} queries x {HITS:,} hits; best of {options.visits} visits with an empty cache.",
        "",
        "| what, in ms but for shift and heap | |",
        "|---|---|",
        *(f"| {name} | {told(name, values)} |" for name, values in rows.items()),
        "",
        "| file | bytes | gzip |",
        "|---|---|---|",
        *(f"| {name} | {raw:,} | {small:,} |" for name, raw, small in [*files, total]),
    ]
    publish("The page", lines, options.results)


if __name__ == "__main__":
    main()
