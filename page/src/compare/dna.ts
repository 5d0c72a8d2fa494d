// What a text of DNA holds, and the first letter of it that is none: told while one types, before the server says so.
const HEADER = /^[ \t]*>/;
/** IUPAC's codes, in either case. */
const STRANGER = /[^ACGTUNRYSWKMBDHV \t]/i;

export interface Dna {
  records: number;
  letters: number;
  fault?: string;
}

const linesOf = (text: string): string[] => text.split(/\r\n?|\n/);
const startOf = (text: string): string => text.trimStart().charAt(0);
const strangerText = (line: string, place: number, at: number): string => `Line ${place + 1}, column ${at + 1}: “${[...line.slice(at)][0]}” is no letter of DNA`;

export const checkDna = (text: string): Dna => (startOf(text) === "@" ? checkFastq(linesOf(text)) : checkFasta(linesOf(text)));

/** A text as the server takes it: bare letters get a header. */
export const asFasta = (text: string, name: string): string => ([">", "@"].includes(startOf(text)) ? text : `>${name}\n${text}`);

function checkFasta(lines: string[]): Dna {
  let records = lines.some((line) => HEADER.test(line)) ? 0 : 1;
  let letters = 0;
  for (const [place, line] of lines.entries()) {
    if (HEADER.test(line)) {
      records += 1;
      continue;
    }
    const at = line.search(STRANGER);
    if (at >= 0) return { records, letters, fault: strangerText(line, place, at) };
    letters += line.replace(/[ \t]/g, "").length;
    if (letters > 0 && records === 0) return { records, letters, fault: `Line ${place + 1}: text before the first “>”` };
  }
  return { records, letters };
}

/** Four lines a record: name, letters, `+`, and as many qualities as letters. */
function checkFastq(lines: string[]): Dna {
  const found: Dna = { records: 0, letters: 0 };
  const blank = (line: string | undefined) => line?.trim() === "";
  for (let place = 0; place < lines.length; place += 4) {
    while (blank(lines[place])) place += 1;
    if (place === lines.length) break;
    const [header, letters, middle, qualities] = lines.slice(place, place + 4).map((line) => line.trim());
    if (!header!.startsWith("@")) return { ...found, fault: `Line ${place + 1}: a record of FASTQ begins with “@”` };
    const at = (letters ?? "").search(STRANGER);
    if (at >= 0) return { ...found, fault: strangerText(letters!, place + 1, at) };
    if (!middle?.startsWith("+")) return { ...found, fault: `Line ${place + 3}: a record of FASTQ has four lines, the third one begins with “+”` };
    if (qualities?.length !== letters!.length) return { ...found, fault: `Line ${place + 4}: as many qualities as letters are needed` };
    found.records += 1;
    found.letters += letters!.length;
  }
  return found;
}
