// Three-letter code, as Met-Lys-Ile or MetLysIle: its letters would pass for residues.
import { isComment, isHeader } from "../fasta";

const CODES: { [code: string]: string } = {
  ala: "A", arg: "R", asn: "N", asp: "D", cys: "C", gln: "Q", glu: "E", gly: "G", his: "H", ile: "I", leu: "L",
  lys: "K", met: "M", phe: "F", pro: "P", ser: "S", thr: "T", trp: "W", tyr: "Y", val: "V", asx: "B", glx: "Z",
  sec: "U", pyl: "O", xaa: "X", ter: "*",
};
const WRITTEN = /^(?:[A-Z][a-z]{2}(?:[\s\u2010-\u2013-]+|$|(?=[A-Z])))+$/;
const CAPITALS = /^[A-Z]{3}(?:[\s\u2010-\u2013-]+[A-Z]{3})+[\s\u2010-\u2013-]*$/;
const FEWEST = 2;

/** The text in one-letter code; empty where some of its codes are unknown, undefined where it is no three-letter code. */
export function oneLetterOf(text: string): string | undefined {
  let known = 0;
  let unknown = 0;
  const lines: string[] = [];
  for (const line of text.split(/\r\n?|\n/)) {
    const letters = line.trim();
    if (!letters || isHeader(line) || isComment(line)) {
      lines.push(line);
      continue;
    }
    if (!WRITTEN.test(letters) && !CAPITALS.test(letters)) return undefined;
    const codes = letters.match(/[A-Za-z]{3}/g) ?? [];
    const residues = codes.map((code) => CODES[code.toLowerCase()] ?? "");
    known += residues.filter(Boolean).length;
    unknown += residues.filter((residue) => !residue).length;
    lines.push(residues.join(""));
  }
  if (known < FEWEST || unknown > known) return undefined;
  return unknown ? "" : lines.join("\n");
}
