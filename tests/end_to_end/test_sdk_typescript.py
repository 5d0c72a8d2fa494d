"""The TypeScript client: generated as it is committed, compiled strictly, and run by Node against a real server."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.documented import ADDRESS, ROOT, examples
from tests.support.guarded import standing
from tests.support.relay import Relay, relaying
from tests.support.server import Server

SOURCE = ROOT / "sdk" / "typescript"
UNREACHABLE = re.compile(r"ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ENOTCACHED|network")
DOCUMENTED = [*examples("sdk/typescript/README.md", "ts"), *examples("README.md", "ts")]
FAULTS = """
import { ChangedResultError, Client, SearchTimeoutError, ShardwaterError, checkResult } from "shardwater-client";

const client = new Client("http://127.0.0.1:8000/", { apiKey: "key-of-mine", patienceMs: 5000 });
const sequence = ">q1\\nMKISANSIRTGNILVYNNDLWVVSKTPEHTQPGKGGAYVQVEMKNLKTGTKRNERF\\n";
const result = await client.search({ sequence, database: "demo", title: "by typescript" });
console.log(result.results.length, (await client.result(result.search)).search === result.search);
console.log((await checkResult(JSON.parse(JSON.stringify(result, null, 2)))) === result.digest);
const [hit] = result.results[0]?.hits ?? [];
const [part] = result.results;
for (const changed of [
  { ...result, results: [{ ...part!, hits: [{ ...hit!, evalue: 1e-9 }] }] },
  { ...result, results: [{ ...part!, digest: null }] },
]) {
  try {
    await checkResult(changed);
  } catch (error) {
    console.log(error instanceof ChangedResultError && error.message);
  }
}
console.log(await checkResult({ ...result, digest: null, results: [{ ...part!, digest: null }] }));
for (const wrong of [{ sequence: "MK@L", database: "demo" }, { sequence: "MKL", database: "none" }]) {
  try {
    await client.search(wrong);
  } catch (error) {
    if (error instanceof ShardwaterError) {
      console.log(error.problem?.status, JSON.stringify(error.problem?.errors?.[0]?.column ?? null));
    }
  }
}
const long = { sequence: "MKVLAAGW".repeat(5000), database: "demo", title: "long, by typescript" };
try {
  await client.search(long, { timeoutMs: 200, onProgress: (search) => console.log(search.progress < 1) });
} catch (error) {
  if (error instanceof SearchTimeoutError && error.searchId) {
    const path = { search: error.searchId };
    const { response } = await client.operations.DELETE("/v1/searches/{search}", { params: { path } });
    console.log("timeout", response.status);
  }
}
"""

VERIFYING = """
import { Client, ShardwaterError } from "shardwater-client";

const client = new Client("http://127.0.0.1:8000");
const { search } = await client.search({ sequence: "MKISANSIRTGNILVYNNDLWVVSKTPEHTQPGK", database: "demo" });
const whole = await client.verify(search);
console.log(whole.search === search, whole.sample, whole.report.equal, whole.report.differences.length);
const part = await client.verify(search, { sample: 20 });
console.log(part.sample, part.report.equal, part.report.subjects);
try {
  await client.verify("A".repeat(24));
} catch (error) {
  console.log(error instanceof ShardwaterError && error.problem?.status);
}
"""


ALIGNING = """
import { Client, ShardwaterError } from "shardwater-client";

const client = new Client("http://127.0.0.1:8000");
const [queries, subjects] = ["q", "s"].map((name) =>
  Array.from({ length: 2000 }, (_, number) => `>${name}${number}\\nACGTACGTTTG\\n`).join(""),
) as [string, string];
let number = 0;
for await (const pair of client.align({ queries, subjects, report: "score", title: "by typescript" })) {
  if (pair.query !== `q${number}` || pair.score !== 22) {
    throw new Error(`${pair.query} comes after ${number} others`);
  }
  number += 1;
}
console.log(number);
try {
  for await (const pair of client.align({ queries: ">q\\nAC!", subjects: ">s\\nAC", match: 2 })) {
    console.log(pair.query);
  }
} catch (error) {
  if (error instanceof ShardwaterError) {
    console.log(error.problem?.status, error.problem?.errors?.[0]?.pointer);
  }
}
"""


COMPARING = """
import { Client, ShardwaterError } from "shardwater-client";

const client = new Client("http://127.0.0.1:8000");
const genome = "GATTACAGGCTTTGTAGCTAACTCTCGTTGACCATGGCATTCGAGTCCAACGTTGACCAT";
const subject = Array.from({ length: 40 }, (_, number) => `>s${number}\\n${genome}\\n`).join("");
const body = { query: `>q\\n${genome}\\n`, subject, min_length: 50, title: "by typescript" };
const states: string[] = [];
const done = await client.compare(body, { onProgress: (comparison) => states.push(comparison.state) });
console.log(done.summary.matches, states.at(-1));
let names = "";
for await (const hsp of client.hsps(done.id)) {
  names += ` ${hsp.subject}`;
}
const place = { from: 1, to: 60 };
const stretches = { query: { record: "q", ...place }, subject: { record: "#3", ...place } };
for await (const pair of client.alignStretches(done.id, stretches)) {
  console.log(pair.subject, pair.cigar);
}
console.log(names === body.subject.match(/s\\d+/g)?.map((name) => ` ${name}`).join(""));
try {
  await client.compare({ ...body, query: ">q\\nAC!" });
} catch (error) {
  if (error instanceof ShardwaterError) {
    console.log(error.problem?.status, error.problem?.errors?.[0]?.pointer);
  }
}
"""

ALIGNED_FAMILIES = """
import { Client, ShardwaterError } from "shardwater-client";

const client = new Client("http://127.0.0.1:8000");
const chain = "MKISANSIRTGNILVYNNDLWVVSKTPEHTQPGKGGAYVQVEMKNLKTGTKRNERF";
const other = "MSSSYYVNALFSKYTAGASLFQNAEPTSCSFAPNSQRSGYGAGAGAFASTVPGLYNVNSP";
const complexes = [{ chains: [`>a\\n${chain}`, `>b\\n${other}`] }];
const body = { queries: complexes, databases: ["demo"], pairing: "greedy" as const, title: "by typescript" };
const states: string[] = [];
const { id, chains } = await client.msa(body, { onProgress: (msas) => states.push(msas.state) });
console.log(chains.map((each) => `${each.number} ${each.id}`).join(" "), states.at(-1));
const rows = (text: string) => text.split("\\n>").length;
console.log(rows(await client.msaText(id, { chain: 2 })) - 1 === chains[1]?.stages[0]?.kept);
const paired = [1, 2].map(async (chain) => rows(await client.msaText(id, { chain, pairs: true })));
console.log((await paired[0]) === (await paired[1]));
const stockholm = await client.msaText(id, { format: "stockholm" });
console.log(stockholm.split("\\n")[0], (await client.msaResult(id)).id === id);
try {
  await client.msa({ ...body, queries: ">a\\nMK1", pairing: "none" });
} catch (error) {
  if (error instanceof ShardwaterError) {
    console.log(error.problem?.status, error.problem?.errors?.[0]?.pointer);
  }
}
"""

LATE = """
import { Client, ComparisonTimeoutError, MsaTimeoutError, VerificationTimeoutError } from "shardwater-client";

const client = new Client("http://127.0.0.1:8000");
const cancelled = (reply: { response: Response }) => console.log("timeout", reply.response.status);
try {
  await client.verify("SEARCH", { timeoutMs: 0 });
} catch (error) {
  if (error instanceof VerificationTimeoutError && error.verificationId) {
    const path = { verification: error.verificationId };
    cancelled(await client.operations.DELETE("/v1/verifications/{verification}", { params: { path } }));
  }
}
try {
  await client.compare({ query: ">q\\nACGTTGCATGCC", subject: ">s\\nACGTTGCATGCC", title: "late" }, { timeoutMs: 0 });
} catch (error) {
  if (error instanceof ComparisonTimeoutError && error.comparisonId) {
    const path = { comparison: error.comparisonId };
    cancelled(await client.operations.DELETE("/v1/comparisons/{comparison}", { params: { path } }));
  }
}
try {
  await client.msa({ queries: "MKISANSIRTGNILV", databases: ["demo"], title: "late" }, { timeoutMs: 0 });
} catch (error) {
  if (error instanceof MsaTimeoutError && error.msaId) {
    const path = { msas: error.msaId };
    cancelled(await client.operations.DELETE("/v1/msas/{msas}", { params: { path } }));
  }
}
"""


def node(folder: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    """A command of Node's in a folder."""
    quiet = {"npm_config_update_notifier": "false", "npm_config_fund": "false", "npm_config_audit": "false"}
    return subprocess.run(
        command, cwd=folder, env={**os.environ, **quiet}, capture_output=True, text=True, timeout=180, check=False
    )


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, compiled, with the documents' examples beside it."""
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("no Node")
    folder = tmp_path_factory.mktemp("checkout") / "sdk" / "typescript"
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("node_modules", "dist"))
    shutil.copytree(ROOT / "openapi", folder.parents[1] / "openapi")
    (folder.parents[1] / "demo").symlink_to(ROOT / "demo")
    installed = node(folder, "npm", "ci", "--ignore-scripts", "--prefer-offline")
    if installed.returncode and UNREACHABLE.search(installed.stderr):
        pytest.skip(f"no npm registry: {installed.stderr.splitlines()[-1]}")
    assert installed.returncode == 0, installed.stderr
    built = node(folder, "npm", "run", "build")
    assert built.returncode == 0, built.stdout
    return folder


def test_types_are_those_of_the_interface(package: Path) -> None:
    committed = (package / "src" / "schema.ts").read_text()
    assert node(package, "npm", "run", "generate").returncode == 0
    assert (package / "src" / "schema.ts").read_text() == committed, "run: make sdk"


def test_lock_names_no_addresses_to_download_from(package: Path) -> None:
    lock = (package / "package-lock.json").read_text()
    assert '"resolved"' not in lock
    assert lock.count('"integrity"') > 20


@pytest.fixture(scope="module")
def compiled(package: Path) -> Path:
    """A user's project with the examples, compiled as strictly as the client itself."""
    folder = package.parents[1] / "project"
    modules = folder / "node_modules"
    modules.mkdir(parents=True)
    # As `npm install FOLDER` does.
    (modules / "shardwater-client").symlink_to(package)
    (modules / "@types").symlink_to(package / "node_modules" / "@types")
    for number, example in enumerate([*DOCUMENTED, FAULTS, VERIFYING, ALIGNING, COMPARING, ALIGNED_FAMILIES, LATE]):
        (folder / f"example{number}.mts").write_text(example)
    options = {"types": ["node"], "outDir": "out", "declaration": False}
    settings = {"extends": str(package / "tsconfig.json"), "compilerOptions": options, "include": ["*.mts"]}
    (folder / "tsconfig.json").write_text(json.dumps(settings))
    done = node(package, "npx", "tsc", "--project", str(folder))
    assert done.returncode == 0, done.stdout
    return folder


def run(compiled: Path, number: int, url: str) -> list[str]:
    """What an example prints on a server."""
    script = compiled / "out" / f"example{number}.mjs"
    script.write_text(script.read_text().replace(ADDRESS, url))
    done = node(compiled.parent, "node", str(script))
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_documented_examples_run(server: Server, compiled: Path) -> None:
    assert len(DOCUMENTED) == 8
    each = (run(compiled, number, server.url) for number in range(len(DOCUMENTED)))
    hits, rounds, verified, aligned, compared, families, databases, short = each
    assert hits[0].startswith("sp|B4RQP4|OBG_NEIG2 sp|B4RQP4|OBG_NEIG2 1990 3.1507")
    assert [line.split()[:2] for line in hits] == [line.split()[:2] for line in short]
    assert (rounds[0], rounds[-1][:3]) == ("1 12 12", "sp|")
    assert verified == ["true 0"]
    assert aligned == ["r1 c1 12 3=1I4=", "r2 c2 8 3=1I2="]
    assert compared == ["1 100", "1 180 37 216 + 100"]
    assert families == ["efp 13 14"]
    assert databases == ["demo 3183 ready"]


def test_search_survives_faults_and_fails_with_reasons(server: Server, compiled: Path) -> None:
    with relaying(server.url) as relay:
        relay.faults = ["drop", "busy", "lose"]
        printed = run(compiled, len(DOCUMENTED), relay.url)
    changed = "the result was changed since it was made: "
    told = [f"{changed}in query 1", f"{changed}a digest is missing", "undefined"]
    assert printed[:7] == ["1 true", "true", *told, "422 3", "422 null"]
    assert set(printed[7:-1]) == {"true"}
    assert printed[-1] == "timeout 204"
    assert_tried_again(relay)


def test_results_are_verified(server: Server, compiled: Path) -> None:
    printed = run(compiled, len(DOCUMENTED) + 1, server.url)
    assert printed == ["true null true 0", "20 true 20", "404"]


def test_pairs_survive_broken_connections(server: Server, compiled: Path) -> None:
    with relaying(server.url) as relay:
        relay.faults = ["lose", "none", "cut", "drop"]
        assert run(compiled, len(DOCUMENTED) + 2, relay.url) == ["2000", "422 /queries"]
        assert relay.faults == []


def test_genomes_are_compared_over_broken_connections(server: Server, compiled: Path) -> None:
    with relaying(server.url) as relay:
        relay.faults = ["lose", "none", "none", "none", "cut"]
        printed = run(compiled, len(DOCUMENTED) + 3, relay.url)
    assert printed == ["2400 succeeded", "s2:1-60 60=", "true", "422 /query"]


def test_msas_are_made_over_broken_connections(server: Server, compiled: Path) -> None:
    with relaying(server.url) as relay:
        relay.faults = ["lose", "busy"]
        printed = run(compiled, len(DOCUMENTED) + 4, relay.url)
    assert printed == ["1 a 2 b succeeded", "true", "true", "# STOCKHOLM 1.0 true", "422 /queries"]


def test_what_has_not_ended_in_time_is_named_and_can_be_cancelled(server: Server, compiled: Path) -> None:
    script = compiled / "out" / f"example{len(DOCUMENTED) + 5}.mjs"
    script.write_text(script.read_text().replace("SEARCH", server.search("MKISANSIRTGNILVYNNDL")["search"]))
    with standing(server):
        assert run(compiled, len(DOCUMENTED) + 5, server.url) == ["timeout 204"] * 3


def assert_tried_again(relay: Relay) -> None:
    """The first search took four tries, all with one key."""
    keys = [headers["Idempotency-Key"] for headers in relay.seen]
    assert len(set(keys[:4])) == 1
    assert keys[4] is None
    assert re.fullmatch(r'"[0-9a-f-]{36}"', keys[0])
    assert {headers["Authorization"] for headers in relay.seen} == {"Bearer key-of-mine"}
