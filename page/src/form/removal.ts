// What may go out of sequence lines so that they become letters alone: offered in one click, never done unasked.
import { isComment, isHeader } from "../fasta";
import { plural } from "../numbers";

interface Kind {
  noun: string;
  pattern: RegExp;
}

/** In this order: blanks of other alphabets first, since they surround the rest. */
const REMOVABLE: Kind[] = [
  { noun: "special blank", pattern: /[\u00a0\u1680\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff]/g },
  { noun: "line of GenBank", pattern: /^[ \t]*(?:ORIGIN|\/\/)[ \t]*$/g },
  { noun: "line number", pattern: /^[ \t]*\d+(?=[ \t]|$)|[ \t]\d+[ \t]*$/g },
  { noun: "gap character", pattern: /[-.~]/g },
];

export interface Removal {
  /** What the button says. */
  label: string;
  /** What is left. */
  text: string;
}

/** What a text becomes without all of these, where it is good then; none where there are none in it. */
export function removalOf(text: string, isGood: (mended: string) => boolean): Removal | undefined {
  const found = new Map<string, number>();
  const lines = text.split(/\r\n?|\n/).map((line) => (isHeader(line) || isComment(line) ? line : cleaned(line, found)));
  const mended = lines.join("\n");
  if (found.size === 0 || !isGood(mended)) return undefined;
  const what = [...found].map(([noun, times]) => plural(times, noun, noun.startsWith("line of") ? "lines of GenBank" : undefined));
  return { label: `Remove ${what.join(" and ")}`, text: mended };
}

function cleaned(line: string, found: Map<string, number>): string {
  let rest = line;
  for (const { noun, pattern } of REMOVABLE) {
    rest = rest.replace(pattern, () => {
      found.set(noun, (found.get(noun) ?? 0) + 1);
      return "";
    });
  }
  return rest;
}
