/** What can go wrong, and for what a caller has waited then. */

import type { components } from "./schema.js";

export type Problem = components["schemas"]["Problem"];

/** An answer that is no success, or none; `problem` is what the server sent (RFC 9457). */
export class ShardwaterError extends Error {
  override name = "ShardwaterError";

  constructor(
    message: string,
    readonly problem?: Problem,
    /** The search that was waited for; `client.result(searchId)` goes on. */
    readonly searchId?: string,
    /** The verification that was waited for. */
    readonly verificationId?: string,
    /** The job of pairs; `client.aligned(alignmentId)` goes on. */
    readonly alignmentId?: string,
    /** The comparison that was waited for; `client.compared(comparisonId)` goes on. */
    readonly comparisonId?: string,
    /** The MSAs that were waited for; `client.msaResult(msaId)` goes on. */
    readonly msaId?: string,
  ) {
    super(message);
  }
}

/** The search has not ended in the time that was given; it goes on. */
export class SearchTimeoutError extends ShardwaterError {
  override name = "SearchTimeoutError";
}

/** The verification has not ended in the time that was given; it goes on. */
export class VerificationTimeoutError extends ShardwaterError {
  override name = "VerificationTimeoutError";
}

/** The comparison has not ended in the time that was given; it goes on. */
export class ComparisonTimeoutError extends ShardwaterError {
  override name = "ComparisonTimeoutError";
}

/** The MSAs are not there in the time that was given; their job goes on. */
export class MsaTimeoutError extends ShardwaterError {
  override name = "MsaTimeoutError";
}

/** What is waited for, by its id. */
export interface Waited {
  searchId?: string;
  verificationId?: string;
  alignmentId?: string;
  comparisonId?: string;
  msaId?: string;
}

/** What openapi-fetch gives for a request. */
export interface Reply<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** A proxy before the server may answer with anything. */
export function failureOf(reply: Reply<unknown>, waited: Waited): ShardwaterError {
  const problem = reply.error as Problem | undefined;
  const known = typeof problem?.detail === "string";
  const message = known ? problem.detail : `the server answered ${reply.response.status}`;
  return newError(message, known ? problem : undefined, waited);
}

/** The error of a time that is over. */
export function lateOf(waited: Waited): typeof ShardwaterError {
  if (waited.comparisonId) {
    return ComparisonTimeoutError;
  }
  if (waited.msaId) {
    return MsaTimeoutError;
  }
  return waited.verificationId ? VerificationTimeoutError : SearchTimeoutError;
}

export function newError(
  message: string,
  problem: Problem | undefined,
  waited: Waited,
  Kind: typeof ShardwaterError = ShardwaterError,
): ShardwaterError {
  const { searchId, verificationId, alignmentId, comparisonId, msaId } = waited;
  return new Kind(message, problem, searchId, verificationId, alignmentId, comparisonId, msaId);
}
