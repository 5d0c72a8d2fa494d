// The same search without the page: as a curl command and as a Python program, with every parameter written out.
import { absolute, type SearchRequest, type SearchResult } from "../api";

export const QUERIES_FILE = "queries.fasta";

/** A request with nothing left to the server's defaults, which another version may have others of. */
export function withParameters(request: SearchRequest, parameters: SearchResult["parameters"]): SearchRequest {
  const used: SearchRequest = { ...request, ...parameters };
  if (parameters.statistics === "none") delete used.evalue;
  return used;
}

/** What is sent beside the queries. */
function fieldsOf(request: SearchRequest): [string, string | number | boolean][] {
  return Object.entries(request).flatMap(([name, value]) => {
    const plain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return name !== "sequence" && plain ? [[name, value] as [string, string | number | boolean]] : [];
  });
}

const shellWord = (text: string): string => (/^[\w.:/=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

export function curlText(request: SearchRequest): string {
  const fields = fieldsOf(request).map(([name, value]) => `    --form-string ${shellWord(`${name}=${value}`)} \\`);
  return [
    `curl -sS --fail-with-body ${shellWord(absolute("/v1/searches"))} -H 'Prefer: wait=60' \\`,
    ...fields,
    `    -F sequence=@${QUERIES_FILE} -o result.json`,
    "",
  ].join("\n");
}

/** A JSON value is a Python literal, but for its three words. */
function literal(value: string | number | boolean): string {
  return typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);
}

export function pythonText(request: SearchRequest): string {
  const fields = fieldsOf(request).map(([name, value]) => `    ${JSON.stringify(name)}: ${literal(value)},`);
  return `import json
import time
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import Request, urlopen

address = ${JSON.stringify(absolute("/v1/searches"))}
body = {
    "sequence": Path("${QUERIES_FILE}").read_text(),
${fields.join("\n")}
}
reply = urlopen(Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"}))
search = json.load(reply)
while search["state"] in ("queued", "running"):
    time.sleep(1)
    search = json.load(urlopen(urljoin(address, search["links"]["self"])))
if search["state"] != "succeeded":
    raise SystemExit(search["error"]["detail"] if search["error"] else search["state"])
result = json.load(urlopen(urljoin(address, search["links"]["results"])))

for one in result["results"]:
    for hit in one["hits"]:
        print(one["query"]["id"], hit["accession"], hit["score"], hit["evalue"], sep="\\t")
`;
}
