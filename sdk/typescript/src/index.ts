/**
 * Client of Shardwater, the exact search of protein databases.
 *
 * `schema.ts` is generated from the interface's description and types every operation; on top of it `search` sends,
 * waits politely and fetches, which no generator does.
 */

import createClient, { type Client as Operations } from "openapi-fetch";

import { checkResult } from "./digest.js";
import type { components, paths } from "./schema.js";

export { ChangedResultError, checkResult } from "./digest.js";
export type { components, paths } from "./schema.js";
export type DatabaseInfo = components["schemas"]["DatabaseInfo"];
export type Hit = components["schemas"]["Hit"];
export type Problem = components["schemas"]["Problem"];
export type Search = components["schemas"]["Search"];
export type SearchRequest = components["schemas"]["SearchRequest"];
export type SearchResult = components["schemas"]["SearchResult"];

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
const PAUSE_GROWTH = 1.5;
const PREFERRED_WAIT_S = 20;
const TRY_AGAIN = [429, 502, 503, 504];

export interface ClientOptions {
  /** Sent as `Authorization: Bearer`. */
  apiKey?: string;
  /** For how long a request is tried again while the server cannot be reached or is busy; 30 s. */
  patienceMs?: number;
}

export interface WaitOptions {
  /** When to stop waiting; the search goes on. */
  timeoutMs?: number;
  /** Gets the search each time that it is asked for. */
  onProgress?: (search: Search) => void;
}

/** An answer that is no success, or none; `problem` is what the server sent (RFC 9457). */
export class ShardwaterError extends Error {
  override name = "ShardwaterError";

  constructor(
    message: string,
    readonly problem?: Problem,
    /** The search that was waited for; `client.result(searchId)` goes on. */
    readonly searchId?: string,
  ) {
    super(message);
  }
}

/** The search has not ended in the time that was given; it goes on. */
export class SearchTimeoutError extends ShardwaterError {
  override name = "SearchTimeoutError";
}

/** What openapi-fetch gives for a request. */
interface Reply<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** A Shardwater server, at `baseUrl`, which may have a path. */
export class Client {
  /** Every operation of the interface, typed: `operations.GET("/v1/databases")`. */
  readonly operations: Operations<paths>;
  readonly #patienceMs: number;

  constructor(baseUrl: string, options: ClientOptions = {}) {
    const headers = options.apiKey === undefined ? {} : { Authorization: `Bearer ${options.apiKey}` };
    let end = baseUrl.length;
    while (baseUrl[end - 1] === "/") {
      end -= 1;
    }
    this.operations = createClient<paths>({ baseUrl: baseUrl.slice(0, end), headers });
    this.#patienceMs = options.patienceMs ?? 30_000;
  }

  /** Search a database with the queries of a FASTA text, and wait for the result. */
  async search(body: SearchRequest, options: WaitOptions = {}): Promise<SearchResult> {
    const deadline = deadlineOf(options);
    const longest = options.onProgress ? 1 : PREFERRED_WAIT_S;
    const prefer = `wait=${Math.floor(Math.min(longest, (options.timeoutMs ?? Infinity) / 1000))}`;
    // One key for all tries, so that a search whose reply got lost is found and not run twice.
    const headers = { "Idempotency-Key": `"${crypto.randomUUID()}"` };
    const reply = await this.#insist(deadline, () =>
      this.operations.POST("/v1/searches", { body, headers, params: { header: { prefer } } }),
    );
    const data = reply.data as Search | SearchResult;
    return "results" in data ? await whole(data) : await this.#follow(data.id, deadline, options);
  }

  /** Wait for a search to end, and get its result. */
  async result(searchId: string, options: WaitOptions = {}): Promise<SearchResult> {
    return await this.#follow(searchId, deadlineOf(options), options);
  }

  async #follow(searchId: string, deadline: number, options: WaitOptions): Promise<SearchResult> {
    const params = { path: { search: searchId } };
    for (let pause = FIRST_PAUSE_MS; ; pause = longer(pause)) {
      const attempt = () => this.operations.GET("/v1/searches/{search}", { params });
      const reply = await this.#insist(deadline, attempt, searchId);
      const search = reply.data as Search;
      options.onProgress?.(search);
      if (search.state === "succeeded") {
        break;
      }
      if (search.state !== "queued" && search.state !== "running") {
        const problem = search.error ?? undefined;
        throw new ShardwaterError(problem?.detail ?? `search ${searchId} was ${search.state}`, problem, searchId);
      }
      const left = deadline - Date.now();
      if (left <= 0) {
        throw new SearchTimeoutError(`search ${searchId} has not ended in time`, undefined, searchId);
      }
      await sleep(Math.min(left, pauseAfter(reply.response, pause)));
    }
    const query = { format: "json" as const };
    const found = await this.#insist(
      Infinity,
      () => this.operations.GET("/v1/searches/{search}/results", { params: { ...params, query } }),
      searchId,
    );
    return await whole(found.data as SearchResult);
  }

  /** Try until there is a good reply, a bad one, or no patience left. */
  async #insist<T>(deadline: number, attempt: () => Promise<Reply<T>>, searchId?: string): Promise<Reply<T>> {
    const end = Math.min(deadline, Date.now() + this.#patienceMs);
    for (let pause = FIRST_PAUSE_MS; ; pause = longer(pause)) {
      let failure: ShardwaterError;
      let response: Response | undefined;
      try {
        const reply = await attempt();
        if (reply.response.ok) {
          return reply;
        }
        response = reply.response;
        failure = failureOf(reply, searchId);
      } catch (cause) {
        // fetch tells every loss of a connection as a TypeError.
        if (!(cause instanceof TypeError)) {
          throw cause;
        }
        failure = new ShardwaterError(`no answer from the server: ${cause.message}`, undefined, searchId);
      }
      const rest = pauseAfter(response, pause);
      if ((response && !TRY_AGAIN.includes(response.status)) || Date.now() + rest > end) {
        throw failure;
      }
      await sleep(rest);
    }
  }
}

/** The result, if it came as it was made; pages of plain http cannot tell. */
async function whole(result: SearchResult): Promise<SearchResult> {
  if (globalThis.crypto?.subtle) {
    await checkResult(result);
  }
  return result;
}

function deadlineOf(options: WaitOptions): number {
  return options.timeoutMs === undefined ? Infinity : Date.now() + options.timeoutMs;
}

function longer(pause: number): number {
  return Math.min(LONGEST_PAUSE_MS, pause * PAUSE_GROWTH);
}

/** The pause, a little more or less; what the reply asks for counts more, and is the least. */
function pauseAfter(response: Response | undefined, pause: number): number {
  const asked = Number.parseInt(response?.headers.get("Retry-After") ?? "", 10);
  return Number.isNaN(asked) ? pause * (0.8 + 0.4 * Math.random()) : asked * 1000 * (1 + 0.1 * Math.random());
}

/** A proxy before the server may answer with anything. */
function failureOf(reply: Reply<unknown>, searchId?: string): ShardwaterError {
  const problem = reply.error as Problem | undefined;
  const known = typeof problem?.detail === "string";
  const message = known ? problem.detail : `the server answered ${reply.response.status}`;
  return new ShardwaterError(message, known ? problem : undefined, searchId);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
