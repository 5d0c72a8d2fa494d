// Two stretches of DNA to see what a comparison shows: one that is made up, and its copy with a part turned round.
const LETTERS = "ACGT";
const LENGTH = 3000;
const PART = 1000;

/** Letters by a minimal standard generator, always the same ones. */
function madeUp(): string {
  let state = 1;
  return Array.from({ length: LENGTH }, () => {
    state = (state * 48271) % 0x7fffffff;
    return LETTERS[state >> 29];
  }).join("");
}

const complement = (letter: string): string => LETTERS[3 - LETTERS.indexOf(letter)]!;

/** Both as FASTA. */
export function rearranged(): [string, string] {
  const letters = madeUp();
  const turned = [...letters.slice(PART, 2 * PART)].reverse().map(complement).join("");
  const copy = letters.slice(0, PART) + turned + letters.slice(2 * PART);
  // Each 40th letter is another one.
  const changed = copy.replace(/(.{39})(.)/g, (_, same: string, letter: string) => same + complement(letter));
  return [fasta("made_up", letters), fasta("copy middle turned round, 2.5 % changed", changed)];
}

const fasta = (header: string, letters: string): string => `>${header}\n${letters.replace(/.{60}/g, "$&\n")}`;
