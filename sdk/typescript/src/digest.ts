/**
 * Whether a result is as it was made: its digest (docs/api.md, The digest), and who has signed it.
 *
 * The digest is the SHA-256 of RFC 8785's canonical JSON, which is of values: indenting a result does not change it.
 */

import type { components } from "./schema.js";

type SearchResult = components["schemas"]["SearchResult"];
type Members = Record<string, unknown>;

/** A result that was changed since it was made, or that is not signed as it should be. */
export class ChangedResultError extends Error {
  override name = "ChangedResultError";
}

/**
 * Check a result; its digest, or undefined where there is none to check: in results of a server before Shardwater had
 * digests, and in pages of hits. With a public key as PEM its owner must have signed the result. Throws
 * ChangedResultError. Needs `crypto.subtle`, which browsers give to pages of https and of localhost alone.
 */
export async function checkResult(result: SearchResult, publicKey?: string): Promise<string | undefined> {
  const digest = await checked(result as unknown as Members);
  if (publicKey !== undefined) {
    await checkSignature(result, digest, publicKey);
  }
  return digest;
}

async function checked(result: Members): Promise<string | undefined> {
  const parts = result["results"] as Members[];
  const digests = parts.map((part) => part["digest"]);
  const missing = [result["digest"], ...digests].map((digest) => digest === undefined || digest === null);
  if ("next_page_token" in result || missing.every(Boolean)) {
    return undefined;
  }
  if (missing.some(Boolean)) {
    throw new ChangedResultError("the result was changed since it was made: a digest is missing");
  }
  for (const [place, part] of parts.entries()) {
    if (part["digest"] !== (await digestOf(without(part, "digest")))) {
      throw new ChangedResultError(`the result was changed since it was made: in query ${place + 1}`);
    }
  }
  const whole = {
    ...without(result, "search", "digest", "signature", "next_page_token"),
    software: without(result["software"] as Members, "commit"),
    certificate: without(result["certificate"] as Members, "shards"),
    results: digests,
  };
  if (result["digest"] !== (await digestOf(whole))) {
    throw new ChangedResultError("the result was changed since it was made: not in a query");
  }
  return result["digest"] as string;
}

async function checkSignature(result: SearchResult, digest: string | undefined, publicKey: string): Promise<void> {
  if (digest === undefined || !result.signature) {
    throw new ChangedResultError("the result is not signed");
  }
  const der = bytesOf(publicKey.replace(/-----[A-Z ]+-----/g, "").replace(/\s/g, ""));
  const key = await crypto.subtle.importKey("spki", der, { name: "Ed25519" }, false, ["verify"]);
  const signed = new TextEncoder().encode(`Shardwater result ${digest}`);
  if (!(await crypto.subtle.verify("Ed25519", key, bytesOf(result.signature.value), signed))) {
    throw new ChangedResultError("the result is not signed with this key");
  }
}

function without(members: Members, ...names: string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

async function digestOf(value: unknown): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonical(value)));
  return `sha256:${[...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** RFC 8785 takes JavaScript's numbers, strings and order of names; only sorting is left to do. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(",")}]`;
  }
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value);
  }
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
