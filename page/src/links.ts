// Links beside a hit, by the operator's rules (app/page/link_rules.py checks them at the start).
import { boot } from "./api";

export interface Link {
  label: string;
  url: string;
}

const rules = boot.links.flatMap((rule) => {
  try {
    return [{ ...rule, matcher: new RegExp(rule.pattern) }];
  } catch {
    console.warn(`The link rule "${rule.label}" has a pattern that browsers cannot read.`);
    return [];
  }
});

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
  const known: { [name: string]: string } = {
    accession: hit.accession,
    hit_from: String(hsp?.hit_from ?? 1),
    hit_to: String(hsp?.hit_to ?? hit.length),
  };
  return rules.flatMap((rule) => {
    const found = rule.matcher.exec(rule.field === "title" ? hit.title : hit.accession);
    if (!found) return [];
    const url = rule.url.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(known[name] ?? found[+name] ?? ""));
    return [{ label: rule.label, url }];
  });
}
