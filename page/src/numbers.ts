// Numbers as text: E-values and bit scores as BLAST prints them, sizes and times for people.

const grouped = new Intl.NumberFormat("en-US");

export const count = (value: number): string => grouped.format(value);

export function plural(value: number, noun: string, many = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : many}`;
}

/** As C's %.0e prints it: 3e-05. */
function exponent(value: number, digits: number): string {
  return value.toExponential(digits).replace(/e([+-])(\d)$/, "e$10$2");
}

export function evalueText(evalue: number | null | undefined): string {
  if (evalue === null || evalue === undefined) return "–";
  if (evalue < 1e-180) return "0.0";
  if (evalue < 0.0009) return exponent(evalue, 0);
  if (evalue < 0.1) return evalue.toFixed(3);
  if (evalue < 1) return evalue.toFixed(2);
  return evalue.toFixed(evalue < 10 ? 1 : 0);
}

export function bitsText(bits: number | null | undefined): string {
  if (bits === null || bits === undefined) return "–";
  if (bits > 99_999) return exponent(bits, 3);
  return bits > 99.9 ? String(Math.trunc(bits)) : bits.toFixed(1);
}

export function percentText(percent: number | null | undefined): string {
  return percent === null || percent === undefined ? "–" : percent.toFixed(1);
}

/** 1,497,408,970 as 1.50 billion. */
export function amount(value: number): string {
  for (const [size, name] of [[1e15, "quadrillion"], [1e12, "trillion"], [1e9, "billion"], [1e6, "million"]] as const) {
    if (value >= size) return `${(value / size).toPrecision(3)} ${name}`;
  }
  return count(value);
}

export function seconds(value: number): string {
  if (value < 0.001) return "under 1 ms";
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 60) return `${value.toFixed(value < 10 && !Number.isInteger(value) ? 1 : 0)} s`;
  if (value < 3600) return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
  return `${Math.floor(value / 3600)} h ${Math.round((value % 3600) / 60)} min`;
}

/** The same as an estimate. */
export const about = (value: number): string => (value < 0.001 ? seconds(value) : `about ${seconds(value)}`);

/** How long something is kept, in the largest unit that it fills. */
export function duration(value: number): string {
  for (const [size, unit] of [[86_400, "day"], [3600, "hour"], [60, "minute"]] as const) {
    if (value >= size) return plural(Math.round((value / size) * 10) / 10, unit);
  }
  return plural(value, "second");
}

export function day(time: string): string {
  return new Date(time).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}

export function moment(time: string): string {
  return `${day(time)}, ${new Date(time).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
}
