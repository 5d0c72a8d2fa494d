// How letters are coloured: by what residues are like, or by whether they are the query's.
export type Scheme = "property" | "identity";

interface Group {
  letters: string;
  label: string;
  light: string;
  dark: string;
}

/** Groups as Clustal X has them (Larkin et al. 2007), whatever the rest of the column is. */
export const GROUPS: Group[] = [
  { letters: "AILMFWV", label: "hydrophobic", light: "#a9c9f6", dark: "#2c4f86" },
  { letters: "KR", label: "positive", light: "#f4aba2", dark: "#8c352c" },
  { letters: "DE", label: "negative", light: "#dab2ea", dark: "#6c3b82" },
  { letters: "NQST", label: "polar", light: "#a9dca9", dark: "#2c6333" },
  { letters: "C", label: "cysteine", light: "#f3b5cb", dark: "#8c3c5b" },
  { letters: "G", label: "glycine", light: "#f7c896", dark: "#80511b" },
  { letters: "P", label: "proline", light: "#eae58d", dark: "#66611a" },
  { letters: "HY", label: "aromatic", light: "#9cdcdc", dark: "#1d6464" },
  { letters: "", label: "other", light: "#d5dbe1", dark: "#47535f" },
];
export const SAME: Group = { letters: "", label: "the query's letter", light: "#0b6478", dark: "#7fd3e4" };
export const OTHER: Group = { letters: "", label: "another letter", light: "#cbdce2", dark: "#344854" };

export const hexOf = (group: Group, dark: boolean): string => (dark ? group.dark : group.light);

/** As a canvas keeps a pixel: red is the lowest byte. */
const pixelOf = (hex: string): number => (0xff000000 | (parseInt(hex.slice(5, 7), 16) << 16) | (parseInt(hex.slice(3, 5), 16) << 8) | parseInt(hex.slice(1, 3), 16)) >>> 0;

export interface Colours {
  /** Pixels by a letter's code, without and with the query's letter at its place; 0 is a gap. */
  other: Uint32Array;
  same: Uint32Array;
  /** Where a row is not aligned. */
  outside: number;
  /** Ink on each of both. */
  ink: [string, string];
}

/** Inks of letters, without and with the query's letter. */
export function letterInks(scheme: Scheme, dark: boolean): [string, string] {
  if (scheme === "identity") return dark ? ["#c9d3dc", "#06222a"] : ["#3d4a57", "#ffffff"];
  const ink = dark ? "#ffffff" : "#17212b";
  return [ink, ink];
}

export function coloursOf(scheme: Scheme, dark: boolean): Colours {
  const ink = letterInks(scheme, dark);
  const outside = pixelOf(dark ? "#10161c" : "#ffffff");
  const gap = pixelOf(dark ? "#232d36" : "#eceff2");
  const other = new Uint32Array(128);
  if (scheme === "property") {
    const rest = GROUPS[GROUPS.length - 1]!;
    for (let code = 1; code < 128; code += 1) {
      const group = GROUPS.find(({ letters }) => letters.includes(String.fromCharCode(code))) ?? rest;
      other[code] = pixelOf(hexOf(group, dark));
    }
    other[0] = gap;
    return { other, same: other, outside, ink };
  }
  const same = new Uint32Array(128).fill(pixelOf(hexOf(SAME, dark)));
  other.fill(pixelOf(hexOf(OTHER, dark)));
  other[0] = same[0] = gap;
  return { other, same, outside, ink };
}
