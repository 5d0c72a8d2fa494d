// What a text of sequences holds, and the first letter of it that is none: told while one types, before the server says so.
import { isHeader, linesOf, type Fault } from "../fasta";

/** What is taken for a letter, blanks included, and what the letters are of. */
export interface Letters {
  stranger: RegExp;
  of: string;
}

/** IUPAC's codes, in either case. */
export const DNA: Letters = { stranger: /[^ACGTUNRYSWKMBDHV \t]/i, of: "DNA" };

/** What is known of a text. */
export interface Dna {
  records: number;
  letters: number;
  fault?: Fault;
}

const isFastq = (text: string): boolean => text.trimStart().startsWith("@");

export function checkLetters(text: string, letters: Letters): Dna {
  return isFastq(text) ? checkFastq(text.split(/\r\n?|\n/), letters) : checkFasta(linesOf(text), letters);
}

export const checkDna = (text: string): Dna => checkLetters(text, DNA);

/** A text as the server takes it: bare letters get a header. */
export function asFasta(text: string, name: string): string {
  const first = linesOf(text).find((line) => line.trim());
  return isFastq(text) || isHeader(first ?? "") ? text : `>${name}\n${text}`;
}

/** The first letter of a line that is none. */
function strangerIn(line: string, { stranger, of }: Letters, record: number, number: number): Fault | undefined {
  const at = line.search(stranger);
  return at < 0 ? undefined : { detail: `“${[...line.slice(at)][0]}” is no letter of ${of}`, record, line: number, column: at + 1 };
}

function checkFasta(lines: string[], letters: Letters): Dna {
  const found: Dna = { records: lines.some(isHeader) ? 0 : 1, letters: 0 };
  for (const [place, line] of lines.entries()) {
    if (isHeader(line)) {
      found.records += 1;
      continue;
    }
    const fault = strangerIn(line, letters, found.records, place + 1);
    if (fault) return { ...found, fault };
    found.letters += line.replace(/[ \t\v\f]/g, "").length;
    if (found.letters > 0 && found.records === 0) return { ...found, fault: { detail: "text before the first “>”", record: null, line: place + 1, column: null } };
  }
  return found;
}

/** Four lines a record: name, letters, `+`, and as many qualities as letters. */
function checkFastq(lines: string[], known: Letters): Dna {
  const found: Dna = { records: 0, letters: 0 };
  const blank = (line: string | undefined) => line?.trim() === "";
  for (let place = 0; place < lines.length; place += 4) {
    while (blank(lines[place])) place += 1;
    if (place === lines.length) break;
    const [header, letters, middle, qualities] = lines.slice(place, place + 4).map((line) => line.trim());
    const record = found.records + 1;
    const wrong = (detail: string, below: number): Dna => ({ ...found, fault: { detail, record, line: place + 1 + below, column: null } });
    if (!header!.startsWith("@")) return wrong("a record of FASTQ begins with “@”", 0);
    const fault = strangerIn(letters ?? "", known, record, place + 2);
    if (fault) return { ...found, fault };
    const [, name] = middle?.match(/^\+\s*(\S*)/) ?? [];
    if (name !== "" && name !== header!.slice(1).trim().split(/\s/)[0]) return wrong("the third line of a read must be “+”, or “+” and the read's name", 2);
    if (qualities?.length !== letters!.length || /[^!-~]/.test(qualities)) return wrong("a read needs one quality for each letter, “!” to “~”", 3);
    found.records += 1;
    found.letters += letters!.length;
  }
  return found;
}
