// Links beside a hit, by the operator's rules (app/page/link_rules.py checks them at the start).
import { at, boot } from "./api";

export interface Link {
  label: string;
  url: string;
}

const rules = boot.links.flatMap((rule) => {
  try {
    return [{ ...rule, matcher: new RegExp(rule.pattern), origin: originOf(rule.url) }];
  } catch {
    console.warn(`The link rule "${rule.label}" has a pattern that browsers cannot read.`);
    return [];
  }
});

function originOf(url: string): string | undefined {
  return URL.canParse(url, location.origin) ? new URL(url, location.origin).origin : undefined;
}

/** What no path of the server may have, or what is none: a folder's own name. */
const NO_PATH = /[\x00-\x1f\x7f-\x9f\u2028\u2029]|^\.{1,2}$/;

/** The address of a database's sequence; none of one that no address can name. */
export function sequenceAt(database: string, accession: string): string | undefined {
  if (NO_PATH.test(accession)) return undefined;
  return at(`/v1/databases/${encodeURIComponent(database)}/sequences/${encodeURIComponent(accession)}?format=fasta`);
}

/** A sequence of a database, and where it is aligned. */
interface Linked {
  accession: string;
  title: string;
  length: number;
  hsps: { hit_from: number; hit_to: number }[];
}

/** The links of a hit, in the order of the rules. */
export function linksOf(hit: Linked): Link[] {
  const hsp = hit.hsps[0];
  const known = new Map([
    ["accession", hit.accession],
    ["hit_from", String(hsp?.hit_from ?? 1)],
    ["hit_to", String(hsp?.hit_to ?? hit.length)],
  ]);
  return rules.flatMap((rule) => {
    const found = rule.matcher.exec(rule.field === "title" ? hit.title : hit.accession);
    if (!found) return [];
    const url = rule.url.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(known.get(name) ?? found[+name] ?? ""));
    // Whatever the values are: to the rule's own host, and nowhere else.
    return originOf(url) === rule.origin ? [{ label: rule.label, url }] : [];
  });
}
