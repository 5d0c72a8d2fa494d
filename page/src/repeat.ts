// The same job without the page: by curl, as a Python program, and by the Python client, with every parameter written out.
import { absolute, boot } from "./api";
import type { Kind } from "./history";

/** Where a service that asks for a key is told it: a key itself stands in no page. */
export const KEY_VARIABLE = "SHARDWATER_API_KEY";

/** A file that a job is made of. */
export interface Input {
  /** The member of the request that it is. */
  field: string;
  file: string;
  /** Its text, its JSON, or an upload, whose letters are of an alphabet. */
  as: "text" | "json" | "protein" | "dna";
  /** What it is in place of a file. */
  records?: Records | undefined;
}

/** Sequences of a database. */
export interface Records {
  database: string;
  accessions: string[];
}

export interface Same {
  kind: Kind;
  /** Everything else that is sent. */
  fields: { [name: string]: unknown };
  inputs: Input[];
  /** What is asked for of the results, and the file that it goes into. */
  format: string;
  file: string;
  /** What a program does at its end in place of writing that file. */
  python?: string;
  /** The client's call, and what follows it. */
  call: string;
  client: string;
}

/** What has a value. */
const usedOf = ({ fields }: Same): [string, unknown][] =>
  Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0));

const isUpload = ({ as, records }: Input): boolean => !records && (as === "protein" || as === "dna");

const listed = (lines: string[], indent: string): string => lines.map((line) => `${indent}${line}`).join("\n");

/** A text as a value of JSON, by what every shell has. */
const AS_JSON = `text() { printf '"%s"' "$(tr -d '\\r' < "$1" | tr '\\t\\f\\v' '   ' | sed 's/[\\\\"]/\\\\&/g' | awk -v ORS='\\\\n' 1)"; }\n`;
const COMMANDS = { text: "text", json: "cat", protein: "upload", dna: "upload" };

/** JSON between a shell's quotes. */
const quoted = (value: unknown): string => JSON.stringify(value).replaceAll("'", "'\\''");

export function curlText(same: Same): string {
  const { kind, inputs, format, file } = same;
  const key = boot.door ? ` -H "Authorization: Bearer $${KEY_VARIABLE}"` : "";
  const uploaded = inputs.find(isUpload);
  const own = uploaded
    ? `upload() { printf '{"upload": "%s"}' "$(send "$server/v1/uploads?alphabet=${uploaded.as}" -H 'Content-Type: application/octet-stream' --data-binary "@$1")"; }\n`
    : inputs[0]!.as === "text" ? AS_JSON : "";
  const members = [
    ...usedOf(same).map(([name, value]) => `"${name}": ${quoted(value)}`),
    ...inputs.map(({ field, as, file, records }) => `"${field}": ${records ? quoted(records) : `'"$(${COMMANDS[as]} ${file})"'`}`),
  ];
  return `server=${absolute("")}
ask() { curl -sS --fail-with-body${key} "$@"; }
send() { ask "$@" -o answer.json || cat answer.json >&2; grep -o '"id":"[^"]*"' answer.json | head -n 1 | cut -d'"' -f4; }
${own}
job=$(printf '%s' '{
${listed(members, "    ").replaceAll("\n", ",\n")}
}' | send "$server/v1/${kind}" -H 'Content-Type: application/json' --data-binary @-)
[ -n "$job" ] || exit 1
while state=$(ask "$server/v1/${kind}/$job") && echo "$state" | grep -Eq '"state":"(queued|running)"'; do sleep 1; done
echo "$state" | grep -q '"state":"succeeded"' || { echo "$state" >&2; exit 1; }
ask "$server/v1/${kind}/$job/results?${format}" -o ${file}
`;
}

/** JSON is Python's own way to write a value, but for its three words, of which no list here has any. */
const literal = (value: unknown): string => (typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value));

const PYTHON: { [as in Input["as"]]: (file: string) => string } = {
  text: (file) => `Path("${file}").read_text()`,
  json: (file) => `json.loads(Path("${file}").read_text())`,
  protein: (file) => `upload("${file}")`,
  dna: (file) => `upload("${file}")`,
};

export function pythonText(same: Same): string {
  const { kind, inputs, format, file, python } = same;
  const uploaded = inputs.find(isUpload);
  const members = [
    ...usedOf(same).map(([name, value]) => `"${name}": ${literal(value)},`),
    ...inputs.map(({ field, as, file, records }) => `"${field}": ${records ? literal(records) : PYTHON[as](file)},`),
  ];
  const upload = `

def upload(file):
    """A file that the server has from now on, as a request names it."""
    reply = ask("uploads?alphabet=${uploaded?.as}", Path(file).read_bytes(), "application/octet-stream")
    return {"upload": json.loads(reply)["id"]}
`;
  return `import json
${boot.door ? "import os\n" : ""}import time
from pathlib import Path
from urllib.request import Request, urlopen

server = ${JSON.stringify(absolute("/v1/"))}
headers = ${boot.door ? `{"Authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}"}` : "{}"}


def ask(place, data=None, kind="application/json"):
    """What the service answers; data, where there is any, is sent."""
    with urlopen(Request(server + place, data, {**headers, "Content-Type": kind})) as reply:
        return reply.read()

${uploaded ? upload : ""}
body = {
${listed(members, "    ")}
}
job = json.loads(ask("${kind}", json.dumps(body).encode()))
place = f"${kind}/{job['id']}"
while job["state"] in ("queued", "running"):
    time.sleep(1)
    job = json.loads(ask(place))
if job["state"] != "succeeded":
    raise SystemExit(job["error"]["detail"] if job["error"] else job["state"])
result = ask(f"{place}/results?${format}")
${python ?? `Path("${file}").write_bytes(result)\n`}`;
}

export function clientText(same: Same): string {
  const { inputs, call, client } = same;
  // A search's queries and the lists of other jobs go by their places, a profile by its name.
  const given = inputs.map(({ field, file, as, records }) => records ? `DatabaseSequences(${literal(records.database)}, ${literal(records.accessions)}),` : `${field === "pssm" ? "pssm=" : ""}${as === "json" ? `[each["chains"] for each in ${PYTHON.json(file)}]` : `Path("${file}")`},`);
  const json = inputs.some(({ as }) => as === "json");
  return `${json ? "import json\n" : ""}${boot.door ? "import os\n" : ""}from pathlib import Path

from shardwater_client import Client${inputs.some(({ records }) => records) ? ", DatabaseSequences" : ""}

with Client(${JSON.stringify(absolute(""))}${boot.door ? `, api_key=os.environ["${KEY_VARIABLE}"]` : ""}) as client:
    found = client.${call}(
${listed([...given, ...usedOf(same).map(([name, value]) => `${name}=${literal(value)},`)], "        ")}
    )
${client}`;
}
