/**
 * Client of Shardwater, the exact search of protein databases.
 *
 * `schema.ts` is generated from the interface's description and types every operation; on top of it `search`,
 * `verify`, `align`, `compare` and `msa` send, wait politely and fetch, which no generator does.
 */

import createClient, { type Client as Operations } from "openapi-fetch";

import { checkResult } from "./digest.js";
import { failureOf, lateOf, newError, type Problem, type Reply, type ShardwaterError, type Waited } from "./errors.js";
import { linesOf } from "./lines.js";
import type { components, paths } from "./schema.js";

export { ChangedResultError, checkResult } from "./digest.js";
export {
  ComparisonTimeoutError,
  MsaTimeoutError,
  type Problem,
  SearchTimeoutError,
  ShardwaterError,
  VerificationTimeoutError,
} from "./errors.js";
export type { components, paths } from "./schema.js";
export type AlignedPair = components["schemas"]["AlignedPair"];
export type Alignment = components["schemas"]["Alignment"];
export type AlignmentRequest = components["schemas"]["AlignmentRequest"];
export type Comparison = components["schemas"]["Comparison"];
export type ComparisonRequest = components["schemas"]["ComparisonRequest"];
export type DatabaseInfo = components["schemas"]["DatabaseInfo"];
export type GenomeHsp = components["schemas"]["GenomeHsp"];
export type Hit = components["schemas"]["Hit"];
export type MsaChain = components["schemas"]["MsaChain"];
export type MsaFormat = components["schemas"]["MsaFormat"];
export type MsaRequest = components["schemas"]["MsaRequest"];
export type Msas = components["schemas"]["Msas"];
export type PssmFormat = components["schemas"]["PssmFormat"];
export type Search = components["schemas"]["Search"];
export type SearchRequest = components["schemas"]["SearchRequest"];
export type SearchResult = components["schemas"]["SearchResult"];
export type StretchAlignment = components["schemas"]["StretchAlignment"];
export type Verification = components["schemas"]["Verification"];
export type VerificationReport = components["schemas"]["VerificationReport"];
/** One that has succeeded, and so has a report. */
export type FinishedVerification = Verification & { report: VerificationReport };
/** One that has succeeded, and so has a summary. */
export type FinishedComparison = Comparison & { summary: NonNullable<Comparison["summary"]> };

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

export interface VerifyOptions {
  /** Score the hits and so many other subjects with another program; else all is searched again. */
  sample?: number;
  /** When to stop waiting; the verification goes on. */
  timeoutMs?: number;
}

export interface MsaOptions {
  /** When to stop waiting; the MSAs go on. */
  timeoutMs?: number;
  /** Gets the job each time that it is asked for. */
  onProgress?: (msas: Msas) => void;
}

/** Which MSA: of which chain, from 1; by which list of databases; only rows that are paired; in which format. */
export interface MsaChoice {
  chain?: number;
  of?: components["schemas"]["MsaDatabases"];
  pairs?: boolean;
  format?: MsaFormat;
}

export interface CompareOptions {
  /** When to stop waiting; the comparison goes on. */
  timeoutMs?: number;
  /** Gets the comparison each time that it is asked for. */
  onProgress?: (comparison: Comparison) => void;
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

  /** Search a database with the queries of a FASTA text, or with a profile (`pssm`), and wait for the result. */
  async search(body: SearchRequest, options: WaitOptions = {}): Promise<SearchResult> {
    const deadline = deadlineOf(options);
    const longest = options.onProgress ? 1 : PREFERRED_WAIT_S;
    const prefer = preference(longest, options);
    const headers = newKey();
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

  /**
   * The profile that a query's last round was made with, numbered from 1; `pssm` of another search takes it. With `hits`,
   * ranks as 1,5,9-12, one of the query and these hits.
   */
  async pssm(searchId: string, query: { query?: number; format?: PssmFormat; hits?: string } = {}): Promise<string> {
    const params = { path: { search: searchId }, query };
    const attempt = () => this.operations.GET("/v1/searches/{search}/pssm", { params, parseAs: "text" });
    return (await this.#insist(Infinity, attempt, { searchId })).data as string;
  }

  /** Have the server compute a finished search again and compare every value, and wait for what it finds. */
  async verify(searchId: string, options: VerifyOptions = {}): Promise<FinishedVerification> {
    const deadline = deadlineOf(options);
    const headers = newKey();
    const params = {
      path: { search: searchId },
      query: { sample: options.sample ?? null },
      header: { prefer: preference(PREFERRED_WAIT_S, options) },
    };
    const reply = await this.#insist(deadline, () =>
      this.operations.POST("/v1/searches/{search}:verify", { headers, params }),
    );
    const first = reply.data as Verification;
    if (first.report) {
      return first as FinishedVerification;
    }
    const path = { verification: first.id };
    const attempt = () => this.operations.GET("/v1/verifications/{verification}", { params: { path } });
    const ended = await this.#ended<Verification>(deadline, attempt, { verificationId: first.id });
    return ended as FinishedVerification;
  }

  /** Align two lists of sequences, pair by pair: each pair as soon as those before it are there, in their order. */
  async *align(body: AlignmentRequest): AsyncGenerator<AlignedPair, void, undefined> {
    const headers = newKey();
    const reply = await this.#insist(Infinity, () => this.operations.POST("/v1/alignments", { body, headers }));
    yield* this.aligned((reply.data as Alignment).id);
  }

  /** The pairs of a job, while it is at work and after; a connection that breaks is opened again. */
  async *aligned(alignmentId: string): AsyncGenerator<AlignedPair, void, undefined> {
    const params = { path: { alignment: alignmentId }, query: { format: "ndjson" as const } };
    const attempt = () => this.operations.GET("/v1/alignments/{alignment}/results", { params, parseAs: "stream" });
    yield* this.#lines<AlignedPair>(attempt, { alignmentId });
  }

  /** Find all stretches that two genomes share, and wait for it; `hsps(id)` has the list. */
  async compare(body: ComparisonRequest, options: CompareOptions = {}): Promise<FinishedComparison> {
    const headers = newKey();
    const reply = await this.#insist(deadlineOf(options), () =>
      this.operations.POST("/v1/comparisons", { body, headers }),
    );
    return await this.compared((reply.data as Comparison).id, options);
  }

  /** Wait for a comparison to succeed. */
  async compared(comparisonId: string, options: CompareOptions = {}): Promise<FinishedComparison> {
    const params = { path: { comparison: comparisonId } };
    const attempt = () => this.operations.GET("/v1/comparisons/{comparison}", { params });
    const ended = await this.#ended<Comparison>(deadlineOf(options), attempt, { comparisonId }, options.onProgress);
    return ended as FinishedComparison;
  }

  /** Align a stretch of each genome of a comparison, locally and with gaps, as a job of pairs: one pair. */
  async *alignStretches(
    comparisonId: string,
    body: StretchAlignment,
  ): AsyncGenerator<AlignedPair, void, undefined> {
    const headers = newKey();
    const params = { path: { comparison: comparisonId } };
    const reply = await this.#insist(Infinity, () =>
      this.operations.POST("/v1/comparisons/{comparison}:align", { body, headers, params }),
    );
    yield* this.aligned((reply.data as Alignment).id);
  }

  /** The list of a comparison that has succeeded, as it comes; a connection that breaks is opened again. */
  async *hsps(comparisonId: string): AsyncGenerator<GenomeHsp, void, undefined> {
    const params = { path: { comparison: comparisonId }, query: { format: "ndjson" as const } };
    const attempt = () => this.operations.GET("/v1/comparisons/{comparison}/results", { params, parseAs: "stream" });
    yield* this.#lines<GenomeHsp>(attempt, { comparisonId });
  }

  /** Have MSAs made of chains or complexes, and wait for them; `msaText(id)` has their rows. */
  async msa(body: MsaRequest, options: MsaOptions = {}): Promise<Msas> {
    const headers = newKey();
    const reply = await this.#insist(deadlineOf(options), () => this.operations.POST("/v1/msas", { body, headers }));
    return await this.msaResult((reply.data as Msas).id, options);
  }

  /** Wait for MSAs to be there. */
  async msaResult(msaId: string, options: MsaOptions = {}): Promise<Msas> {
    const params = { path: { msas: msaId } };
    const attempt = () => this.operations.GET("/v1/msas/{msas}", { params });
    return await this.#ended<Msas>(deadlineOf(options), attempt, { msaId }, options.onProgress);
  }

  /** A chain's MSA, the first one's if none is named, as A3M or in another format. */
  async msaText(msaId: string, choice: MsaChoice = {}): Promise<string> {
    const params = { path: { msas: msaId }, query: { chain: 1, format: "a3m" as const, ...choice } };
    const attempt = () => this.operations.GET("/v1/msas/{msas}/results", { params, parseAs: "text" });
    return (await this.#insist(Infinity, attempt, { msaId })).data as string;
  }

  /** Each line of a reply, as JSON; a connection that breaks is opened again, and goes on where it was. */
  async *#lines<T>(
    attempt: () => Promise<Reply<unknown>>,
    waited: Waited,
  ): AsyncGenerator<T, void, undefined> {
    let given = 0;
    for (let pause = FIRST_PAUSE_MS; ; pause = longer(pause)) {
      const reply = await this.#insist(Infinity, attempt, waited);
      let here = 0;
      try {
        for await (const line of linesOf(reply.data as ReadableStream<Uint8Array>)) {
          // An empty one says that the server is there.
          here += line ? 1 : 0;
          if (line && here > given) {
            given = here;
            pause = FIRST_PAUSE_MS;
            yield JSON.parse(line) as T;
          }
        }
        return;
      } catch (cause) {
        // Where the job has failed meanwhile, the next reply says why.
        if (!(cause instanceof TypeError)) {
          throw cause;
        }
      }
      await sleep(pauseAfter(undefined, pause));
    }
  }

  async #follow(searchId: string, deadline: number, options: WaitOptions): Promise<SearchResult> {
    const params = { path: { search: searchId } };
    const attempt = () => this.operations.GET("/v1/searches/{search}", { params });
    await this.#ended(deadline, attempt, { searchId }, options.onProgress);
    const query = { format: "json" as const };
    const found = await this.#insist(
      Infinity,
      () => this.operations.GET("/v1/searches/{search}/results", { params: { ...params, query } }),
      { searchId },
    );
    return await whole(found.data as SearchResult);
  }

  /** Ask until it has succeeded; throws where it has ended otherwise. */
  async #ended<T extends Search | Verification | Comparison | Msas>(
    deadline: number,
    attempt: () => Promise<Reply<T>>,
    waited: Waited,
    onProgress?: (job: T) => void,
  ): Promise<T> {
    const named = waited.verificationId ?? waited.comparisonId ?? waited.msaId ?? `search ${waited.searchId}`;
    for (let pause = FIRST_PAUSE_MS; ; pause = longer(pause)) {
      const reply = await this.#insist(deadline, attempt, waited);
      const job = reply.data as T;
      onProgress?.(job);
      if (job.state === "succeeded") {
        return job;
      }
      if (job.state !== "queued" && job.state !== "running") {
        const problem = job.error ?? undefined;
        throw newError(problem?.detail ?? `${named} was ${job.state}`, problem, waited);
      }
      const left = deadline - Date.now();
      if (left <= 0) {
        throw newError(`${named} has not ended in time`, undefined, waited, lateOf(waited));
      }
      await sleep(Math.min(left, pauseAfter(reply.response, pause)));
    }
  }

  /** Try until there is a good reply, a bad one, or no patience left. */
  async #insist<T>(deadline: number, attempt: () => Promise<Reply<T>>, waited: Waited = {}): Promise<Reply<T>> {
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
        failure = failureOf(reply, waited);
      } catch (cause) {
        // fetch tells every loss of a connection as a TypeError.
        if (!(cause instanceof TypeError)) {
          throw cause;
        }
        const message = `no answer from the server: ${cause.message}`;
        failure = newError(message, undefined, waited);
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

/** One for all tries, so that what was asked for in a request whose reply got lost is found and not run twice. */
function newKey() {
  return { "Idempotency-Key": `"${crypto.randomUUID()}"` };
}

/** How long the first reply may wait. */
function preference(longestS: number, options: { timeoutMs?: number }): string {
  return `wait=${Math.floor(Math.min(longestS, (options.timeoutMs ?? Infinity) / 1000))}`;
}

function deadlineOf(options: { timeoutMs?: number }): number {
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

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
