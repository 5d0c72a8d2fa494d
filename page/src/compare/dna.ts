// What a text of DNA holds, and the first letter of it that is none: told while one types, before the server says so.
const HEADER = /^[ \t]*>/;
/** IUPAC's codes, in either case. */
const STRANGER = /[^ACGTUNRYSWKMBDHV \t]/i;

export interface Dna {
  records: number;
  letters: number;
  fault?: string;
}

export function checkDna(text: string): Dna {
  const lines = text.split(/\r\n?|\n/);
  let records = lines.some((line) => HEADER.test(line)) ? 0 : 1;
  let letters = 0;
  for (const [place, line] of lines.entries()) {
    if (HEADER.test(line)) {
      records += 1;
      continue;
    }
    const at = line.search(STRANGER);
    if (at >= 0) return { records, letters, fault: `Line ${place + 1}, column ${at + 1}: “${[...line.slice(at)][0]}” is no letter of DNA` };
    letters += line.replace(/[ \t]/g, "").length;
    if (letters > 0 && records === 0) return { records, letters, fault: `Line ${place + 1}: text before the first “>”` };
  }
  return { records, letters };
}
