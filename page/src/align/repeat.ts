// The same job without the page: as curl commands and as a Python program, with every parameter written out.
import { absolute, boot } from "../api";
import { KEY_VARIABLE } from "../result/repeat";
import type { PairParameters } from "./types";

/** What was used, but for what has no value. */
const usedOf = (parameters: PairParameters): [string, unknown][] => Object.entries(parameters).filter(([, value]) => value !== null);

export function curlText(parameters: PairParameters): string {
  const key = boot.door ? ` -H "Authorization: Bearer $${KEY_VARIABLE}"` : "";
  const body = JSON.stringify(Object.fromEntries(usedOf(parameters))).slice(0, -1).replaceAll("'", "'\\''");
  return `server=${absolute("")}
upload() {
    curl -sS --fail-with-body "$server/v1/uploads?alphabet=${parameters.alphabet}"${key} \\
        -H 'Content-Type: application/octet-stream' --data-binary "@$1" | grep -o '"id":"[^"]*"' | cut -d'"' -f4
}
queries=$(upload queries.fasta)
subjects=$(upload subjects.fasta)
curl -sS --fail-with-body "$server/v1/alignments"${key} -H 'Prefer: wait=60' -H 'Content-Type: application/json' \\
    -d '${body},"queries":{"upload":"'"$queries"'"},"subjects":{"upload":"'"$subjects"'"}}' -o result.json
`;
}

/** A JSON value is a Python literal: of these none is true, false or null. */
export function pythonText(parameters: PairParameters): string {
  const fields = usedOf(parameters).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  const headers = boot.door ? `{"Authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}"}` : "{}";
  return `import json
${boot.door ? "import os\n" : ""}import time
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import Request, urlopen

headers = ${headers}
address = ${JSON.stringify(absolute("/v1/"))}


def answer(place, data=None, kind="application/json"):
    """What the service answers; data, where there is any, is sent."""
    with urlopen(Request(urljoin(address, place), data, {**headers, "Content-Type": kind})) as reply:
        return json.load(reply)


def upload(name):
    return {"upload": answer("uploads?alphabet=${parameters.alphabet}", Path(name).read_bytes(), "application/octet-stream")["id"]}


body = {
    "queries": upload("queries.fasta"),
    "subjects": upload("subjects.fasta"),
${fields.join("\n")}
}
job = answer("alignments", json.dumps(body).encode())
while job["state"] in ("queued", "running"):
    time.sleep(1)
    job = answer(job["links"]["self"])
if job["state"] != "succeeded":
    raise SystemExit(job["error"]["detail"] if job["error"] else job["state"])
result = answer(job["links"]["results"])

for pair in result["alignments"]:
    print(pair["query"], pair["subject"], pair["score"], pair["cigar"], sep="\\t")
`;
}
