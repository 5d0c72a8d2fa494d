// The service as the page sees it: the first view's data, requests, and errors as problem documents.
import type { Alignment } from "./align/types";
import type { Comparison } from "./compare/types";
import type { Msas } from "./msa/types";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Database = Schemas["DatabaseInfo"];
export type Search = Schemas["Search"];
export type Problem = Schemas["Problem"];
/** The page does without what is for programs alone. */
export type Parameter = Omit<Schemas["Parameter"], "description">;
/** The body of a search; its fields besides the queries are those that the server's parameters name. */
export interface SearchRequest {
  sequence?: string;
  database?: string;
  databases?: string[];
  title?: string;
  [name: string]: unknown;
}
export type SearchResult = Schemas["SearchResult"];
export type QueryResult = Schemas["QueryResult"];
export type Hit = Schemas["Hit"];
export type HitTaxon = Schemas["HitTaxon"];
export type HitTaxa = Partial<Schemas["HitTaxonList"]>;
export type Hsp = Schemas["Hsp"];
export type QueryWarning = Schemas["SearchWarning"];
export type Counts = Schemas["Distribution"];
export type RoundReport = Schemas["RoundReport"];
export type MsaRound = Schemas["MsaRound"];
export type Estimate = Schemas["SearchEstimate"];

export interface LinkRule {
  label: string;
  field: "accession" | "title";
  pattern: string;
  url: string;
}

export interface Boot {
  root: string;
  info: Schemas["ServiceInfo"];
  /** Those of the page's kind. */
  parameters: { parameters: Parameter[]; matrices: Schemas["MatrixCosts"][] };
  databases: Database[];
  links: LinkRule[];
  view: "form" | "search" | "missing" | "history" | "compare" | "comparison" | "msa-form" | "msas" | "align" | "alignment";
  prefill?: Record<string, string>;
  /** Fields of it that were sent twice, of which the first is here. */
  twice?: string[];
  id?: string;
  search?: Search;
  comparison?: Comparison;
  msas?: Msas;
  alignment?: Alignment;
  queries?: number;
  problem?: Problem;
  /** Whether the server asks for a key, and who is signed in; nobody where everybody sees all searches. */
  door: boolean;
  user: string;
}

export const boot = JSON.parse(document.getElementById("boot")?.textContent ?? "{}") as Boot;

/** The databases that are named in one text. */
export const namesIn = (names: string): string[] => names.split(/\s+/).filter(Boolean);

/** An address of this service, below the sub-path where a proxy shows it. */
export function at(path: string): string {
  return boot.root + path;
}

/** The same with scheme and host, for use outside the page. */
export function absolute(path: string): string {
  return location.origin + at(path);
}

export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

const UNREACHABLE: Problem = {
  type: "about:blank",
  title: "The server does not answer",
  status: 0,
  detail: "The connection failed, or the server is restarting. This message goes once it answers again.",
  retryable: true,
};

const MOST_S = 30;
/** A slow line's bytes a second, for bodies that are long. */
const SLOW_LINE = 50_000;

interface Asked extends RequestInit {
  /** Seconds until the reply must have begun; a connection that has gone dead never says so. */
  most?: number;
}

/** A reply, or a ProblemError that says what went wrong. */
export async function ask(path: string, { most = MOST_S, signal, ...init }: Asked = {}): Promise<Response> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  // Not AbortSignal.timeout, which would end a long reply, too, that has begun in time.
  const timer = setTimeout(abort, most * 1000);
  let reply: Response;
  try {
    reply = await fetch(at(path), { ...init, signal: controller.signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ProblemError(isAbort(error) ? { ...UNREACHABLE, detail: silentText(most) } : UNREACHABLE);
  } finally {
    clearTimeout(timer);
  }
  if (reply.ok) return reply;
  const type = reply.headers.get("content-type") ?? "";
  if (type.startsWith("application/problem+json")) throw new ProblemError((await reply.json()) as Problem);
  throw new ProblemError({ ...UNREACHABLE, title: `The server answers ${reply.status}`, status: reply.status });
}

const silentText = (most: number): string =>
  `No answer has come within ${Math.round(most)} seconds. This message goes once the server answers again.`;

export async function askJson<T>(path: string, init: Asked = {}): Promise<T> {
  return (await ask(path, init)).json() as Promise<T>;
}

export function postJson<T>(path: string, content: unknown, init: Asked = {}): Promise<T> {
  const headers = { "Content-Type": "application/json", ...(init.headers as Record<string, string>) };
  const body = JSON.stringify(content);
  return askJson<T>(path, { most: MOST_S + body.length / SLOW_LINE, ...init, method: "POST", headers, body });
}

export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  return { ...UNREACHABLE, title: "The page failed", detail: error instanceof Error ? error.message : String(error) };
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** A parameter of the page's kind by its name, if this server knows it. */
export function parameter(name: string): Parameter | undefined {
  return boot.parameters.parameters.find((known) => known.name === name);
}

export const ended = ({ state }: { state: string }): boolean => ["succeeded", "failed", "cancelled"].includes(state);
