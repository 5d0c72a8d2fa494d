// A view in the address: what part is looked at, and which HSPs are drawn. Places count from 1, the last one included.
import type { Area } from "./hsps";
import { ANY, type Wanted } from "./order";
import { isWhole, within, wholeOf, type Size } from "./view";

export interface Look {
  view: Area;
  wanted: Wanted;
}

const RANGE = /^(\d{1,10})-(\d{1,10})$/;

/** What an address asks for, as far as it makes sense: `#query=1-5000&subject=1-4000&length=500&identity=90&strand=-`. */
export function lookOf(hash: string, whole: Size): Look {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  const [x, width] = rangeOf(asked.get("query"), whole.width);
  const [y, height] = rangeOf(asked.get("subject"), whole.height);
  const number = (name: string) => (/^\d{1,10}(\.\d{1,4})?$/.test(asked.get(name) ?? "") ? asked.get(name)! : "");
  const strand = asked.get("strand");
  return {
    view: within(whole, { x, y, width, height }),
    wanted: { length: number("length"), identity: number("identity"), strand: strand === "+" || strand === "-" ? strand : "" },
  };
}

function rangeOf(text: string | null, all: number): [number, number] {
  const [, from = "1", to = String(all)] = RANGE.exec(text ?? "") ?? [];
  return Number(to) < Number(from) ? [0, all] : [Number(from) - 1, Number(to) - Number(from) + 1];
}

/** The same as an address has it; empty where all is shown. */
export function hashOf({ view, wanted }: Look, whole: Size): string {
  const parts = isWhole(whole, view) ? [] : [`query=${rangeText(view.x, view.width)}`, `subject=${rangeText(view.y, view.height)}`];
  for (const name of Object.keys(ANY) as (keyof Wanted)[]) if (wanted[name]) parts.push(`${name}=${encodeURIComponent(wanted[name])}`);
  return parts.length ? `#${parts.join("&")}` : "";
}

const rangeText = (from: number, size: number): string => `${Math.round(from) + 1}-${Math.round(from + size)}`;

export const wholeView = (whole: Size): Look => ({ view: wholeOf(whole), wanted: ANY });
