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

/** 100 stands for all alone, and 0 for none alone. */
export function percentText(percent: number | null | undefined, digits = 1): string {
  if (percent === null || percent === undefined) return "–";
  const least = 10 ** -digits;
  const between = percent > 0 && percent < 100;
  return (between ? Math.min(100 - least, Math.max(least, percent)) : percent).toFixed(digits);
}

/** 1,497,408,970 as 1.50 billion. */
export function amount(value: number): string {
  if (value < 1e6) return count(value);
  // Rounded first: 999.9 million are a billion.
  const rounded = Number(value.toPrecision(3));
  for (const [size, name] of [[1e15, "quadrillion"], [1e12, "trillion"], [1e9, "billion"]] as const) {
    if (rounded >= size) return `${(rounded / size).toPrecision(3)} ${name}`;
  }
  return `${(rounded / 1e6).toPrecision(3)} million`;
}

export function seconds(value: number): string {
  if (value < 0.001) return "under 1 ms";
  // Rounded first: no unit is ever full.
  const milliseconds = Math.round(value * 1000);
  if (milliseconds < 1000) return `${milliseconds} ms`;
  const whole = Math.round(value);
  if (whole < 60) return `${value.toFixed(value < 9.95 && !Number.isInteger(value) ? 1 : 0)} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(value / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
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
