// The service as the page sees it: the first view's data, requests, and errors as problem documents.
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Database = Schemas["DatabaseInfo"];
export type Search = Schemas["Search"];
export type Problem = Schemas["Problem"];
export type Parameter = Schemas["Parameter"];
/** The body of a search; its fields besides the queries are those that the server's parameters name. */
export interface SearchRequest {
  sequence?: string;
  database?: string;
  title?: string;
  [name: string]: unknown;
}
export type SearchResult = Schemas["SearchResult"];
export type QueryResult = Schemas["QueryResult"];
export type Hit = Schemas["Hit"];
export type Hsp = Schemas["Hsp"];
export type QueryWarning = Schemas["SearchWarning"];
export type Counts = Schemas["Distribution"];
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
  parameters: Schemas["ParameterList"];
  databases: Database[];
  links: LinkRule[];
  view: "form" | "search" | "missing";
  prefill?: Record<string, string>;
  id?: string;
  search?: Search;
  queries?: number;
  problem?: Problem;
  /** Whether the server asks for a key, and who is signed in; nobody where everybody sees all searches. */
  door: boolean;
  user: string;
}

export const boot = JSON.parse(document.getElementById("boot")?.textContent ?? "{}") as Boot;

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

/** A reply, or a ProblemError that says what went wrong. */
export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  let reply: Response;
  try {
    reply = await fetch(at(path), init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ProblemError(UNREACHABLE);
  }
  if (reply.ok) return reply;
  const type = reply.headers.get("content-type") ?? "";
  if (type.startsWith("application/problem+json")) throw new ProblemError((await reply.json()) as Problem);
  throw new ProblemError({ ...UNREACHABLE, title: `The server answers ${reply.status}`, status: reply.status });
}

export async function askJson<T>(path: string, init: RequestInit = {}): Promise<T> {
  return (await ask(path, init)).json() as Promise<T>;
}

export function postJson<T>(path: string, body: unknown, init: RequestInit = {}): Promise<T> {
  const headers = { "Content-Type": "application/json", ...(init.headers as Record<string, string>) };
  return askJson<T>(path, { ...init, method: "POST", headers, body: JSON.stringify(body) });
}

export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  return { ...UNREACHABLE, title: "The page failed", detail: error instanceof Error ? error.message : String(error) };
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** The parameter of a search by its name, if this server knows it. */
export function parameter(name: string): Parameter | undefined {
  return boot.parameters.parameters.find((known) => known.name === name);
}

export const ended = (search: Search): boolean => ["succeeded", "failed", "cancelled"].includes(search.state);
