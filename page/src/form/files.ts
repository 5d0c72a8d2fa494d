// Files of sequences as text: unpacked where they are gzip, several put together, and refused with a reason.
import { boot } from "../api";
import { binaryOf } from "../foreign";
import { count } from "../numbers";

const GZIP = [0x1f, 0x8b, 0x08];
/** Bytes by which an encoding is told. */
const BEGINNING = 4096;
/** Lines of comments, and the first header after them. */
const HEADED = /^(?:[ \t]*(?:[;#!][^\r\n]*)?[\r\n])*[ \t]*>/;

/** A file without anything in it, which takes the place of nothing. */
export class EmptyFile extends Error {}

/** The text of one file or several; raises an Error that says what is wrong, and with which one. */
export async function textOf(files: File[]): Promise<string> {
  const most = boot.info.limits.max_body_bytes;
  const texts: string[] = [];
  let left = most;
  for (const file of files) {
    const bytes = await bytesOf(file, left, most);
    left -= bytes.length;
    const text = decoded(bytes);
    if (!text.trim()) throw new EmptyFile(`${file.name} is empty`);
    const binary = binaryOf(text);
    if (binary) throw new Error(`${file.name} cannot be read as sequences: ${binary}`);
    texts.push(text);
  }
  if (texts.length === 1) return texts[0] ?? "";
  const bare = texts.findIndex((text) => !HEADED.test(text));
  if (bare >= 0) {
    const what = /^[ \t]*>/m.test(texts[bare] ?? "") ? "text before its first FASTA header" : "no FASTA header";
    throw new Error(`${files[bare]?.name} has ${what}, so that it cannot be put together with other files`);
  }
  return texts.map((text) => `${text.trimEnd()}\n`).join("");
}

export const nameOf = (files: File[]): string => files.map((file) => file.name).join(", ");

async function bytesOf(file: File, left: number, most: number): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > left) throw new Error(`${file.name} has ${count(file.size)} bytes; at most ${count(most)} are accepted in all`);
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error(`${file.name} cannot be read: a folder, or gone meanwhile`);
  });
  const whole = new Uint8Array(bytes);
  return isMember(whole, 0) ? unpacked(file.name, whole, left, most) : whole;
}

/** Whether what begins here looks like a gzip file, or like a member of one. */
const isMember = (bytes: Uint8Array, at: number): boolean => GZIP.every((byte, place) => bytes[at + place] === byte);

/** What a gzip file holds, of one member or of many, as bgzip and cat make them; reading ends as soon as it is too much. */
async function unpacked(name: string, packed: Uint8Array<ArrayBuffer>, left: number, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let begin = 0;
  for (let end = 1; begin < packed.length; end += 1) {
    // A member ends where another begins; what only looks like a beginning leaves it cut, and it is read further.
    while (end < packed.length && !isMember(packed, end)) end += 1;
    const part = await inflated(packed.subarray(begin, end), left - size);
    if (part === "long") throw new Error(`${name} has more than ${count(left)} bytes unpacked; at most ${count(most)} are accepted in all`);
    if (part) {
      parts.push(part);
      size += part.length;
      begin = end;
    } else if (end >= packed.length) throw new Error(`${name} cannot be unpacked: it is not whole, or damaged`);
  }
  return joined(parts, size);
}

/** What one member holds; nothing where it is not whole. */
async function inflated(member: Uint8Array<ArrayBuffer>, most: number): Promise<Uint8Array<ArrayBuffer> | "long" | undefined> {
  const reader = new Blob([member]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: null }));
    if (value === null) return undefined;
    if (done) return joined(parts, size);
    size += value?.length ?? 0;
    if (size > most) {
      void reader.cancel();
      return "long";
    }
    parts.push(value as Uint8Array<ArrayBuffer>);
  }
}

function joined(parts: Uint8Array<ArrayBuffer>[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Windows writes UTF-16 as well as UTF-8; older files of FASTA are Latin-1, as the server reads them. */
function decoded(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder(encoding).decode(bytes);
    return HEADED.test(text) ? new TextDecoder("windows-1252").decode(bytes) : text;
  }
}

/** By the mark at the beginning; UTF-16 without one has a NUL in each letter of ASCII, and FASTA has none elsewhere. */
function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const beginning = bytes.subarray(0, BEGINNING);
  const nuls = (parity: number) => beginning.filter((byte, place) => byte === 0 && place % 2 === parity).length;
  const [even, odd] = [nuls(0), nuls(1)];
  if (Math.min(even, odd) > 0 || even + odd <= beginning.length / 3) return "utf-8";
  return even > odd ? "utf-16be" : "utf-16le";
}
