// The same search without the page: as a curl command and as a Python program, with every parameter written out.
import { absolute, boot, type SearchRequest, type SearchResult } from "../api";

/** The file that what is searched for goes into, and the field that it is: queries, or a profile. */
export function queryFile(request: SearchRequest): { name: string; field: "sequence" | "pssm"; type: string } {
  if (typeof request.pssm === "string") return { name: "profile.json", field: "pssm", type: "application/json" };
  return { name: "queries.fasta", field: "sequence", type: "text/x-fasta" };
}

/** A request with nothing left to the server's defaults, which another version may have others of. */
export function withParameters(request: SearchRequest, parameters: SearchResult["parameters"]): SearchRequest {
  const used: SearchRequest = { ...request, ...parameters };
  if (parameters.statistics === "none") delete used.evalue;
  return used;
}

/** What is sent beside what is searched for. */
function fieldsOf(request: SearchRequest): [string, string | number | boolean][] {
  return Object.entries(request).flatMap(([name, given]) => {
    // Several databases may be named in one text.
    const value = Array.isArray(given) ? given.join(" ") : given;
    const plain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return name !== "sequence" && name !== "pssm" && plain ? [[name, value] as [string, string | number | boolean]] : [];
  });
}

const shellWord = (text: string): string => (/^[\w.:/=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Where a service that asks for a key is told it: a key itself stands in no page. */
export const KEY_VARIABLE = "SHARDWATER_API_KEY";

export function curlText(request: SearchRequest): string {
  const file = queryFile(request);
  const fields = fieldsOf(request).map(([name, value]) => `    --form-string ${shellWord(`${name}=${value}`)} \\`);
  return [
    `curl -sS --fail-with-body ${shellWord(absolute("/v1/searches"))} -H 'Prefer: wait=60' \\`,
    ...(boot.door ? [`    -H "Authorization: Bearer $${KEY_VARIABLE}" \\`] : []),
    ...fields,
    `    -F ${file.field}=@${file.name} -o result.json`,
    "",
  ].join("\n");
}

/** A JSON value is a Python literal, but for its three words. */
function literal(value: string | number | boolean): string {
  return typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);
}

export function pythonText(request: SearchRequest): string {
  const file = queryFile(request);
  const fields = fieldsOf(request).map(([name, value]) => `    ${JSON.stringify(name)}: ${literal(value)},`);
  const headers = boot.door ? `{"Authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}"}` : "{}";
  return `import json
${boot.door ? "import os\n" : ""}import time
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import Request, urlopen

headers = ${headers}
address = ${JSON.stringify(absolute("/v1/searches"))}
body = {
    "${file.field}": Path("${file.name}").read_text(),
${fields.join("\n")}
}


def answer(address, data=None):
    """What the service answers; data, where there is any, is sent as JSON."""
    body = None if data is None else json.dumps(data).encode()
    with urlopen(Request(address, body, {**headers, "Content-Type": "application/json"})) as reply:
        return json.load(reply)


search = answer(address, body)
while search["state"] in ("queued", "running"):
    time.sleep(1)
    search = answer(urljoin(address, search["links"]["self"]))
if search["state"] != "succeeded":
    raise SystemExit(search["error"]["detail"] if search["error"] else search["state"])
result = answer(urljoin(address, search["links"]["results"]))

for one in result["results"]:
    for hit in one["hits"]:
        print(one["query"]["id"], hit["accession"], hit["score"], hit["evalue"], sep="\\t")
`;
}
