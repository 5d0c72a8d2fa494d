// Files of sequences as text: unpacked where they are gzip, several put together, and refused with a reason.
import { boot } from "../api";
import { count } from "../numbers";

const GZIP = [0x1f, 0x8b];
/** Bytes by which an encoding is told. */
const BEGINNING = 4096;

/** The text of one file or several; raises an Error that says what is wrong, and with which one. */
export async function textOf(files: File[]): Promise<string> {
  const most = boot.info.limits.max_body_bytes;
  const texts: string[] = [];
  let left = most;
  for (const file of files) {
    const bytes = await bytesOf(file, left, most);
    left -= bytes.length;
    texts.push(decoded(bytes));
  }
  if (texts.length === 1) return texts[0] ?? "";
  const bare = texts.findIndex((text) => !text.trimStart().startsWith(">"));
  if (bare >= 0) throw new Error(`${files[bare]?.name} has no FASTA header, so that it cannot be put together with other files`);
  return texts.map((text) => `${text.trimEnd()}\n`).join("");
}

export const nameOf = (files: File[]): string => files.map((file) => file.name).join(", ");

async function bytesOf(file: File, left: number, most: number): Promise<Uint8Array> {
  let head: Uint8Array;
  try {
    head = new Uint8Array(await file.slice(0, GZIP.length).arrayBuffer());
  } catch {
    throw new Error(`${file.name} cannot be read: a folder, or gone meanwhile`);
  }
  const packed = GZIP.every((byte, place) => head[place] === byte);
  if (packed) return unpacked(file, left, most);
  if (file.size > left) throw new Error(`${file.name} has ${count(file.size)} bytes; at most ${count(most)} are accepted in all`);
  return new Uint8Array(await file.arrayBuffer());
}

/** What a gzip file holds; reading ends as soon as it is too much. */
async function unpacked(file: File, left: number, most: number): Promise<Uint8Array> {
  const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error(`${file.name} cannot be unpacked: it is not whole, or not one gzip stream`);
    });
    if (done) break;
    size += value.length;
    if (size > left) {
      void reader.cancel();
      throw new Error(`${file.name} has more than ${count(left)} bytes unpacked; at most ${count(most)} are accepted in all`);
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Windows writes UTF-16 as well as UTF-8. */
const decoded = (bytes: Uint8Array): string => new TextDecoder(encodingOf(bytes)).decode(bytes);

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
