// What makes the list complete: every sequence of the database was scored, and who counted it.
import type { ComponentChildren } from "preact";
import type { SearchResult } from "../api";
import { amount, count, seconds } from "../numbers";
import { Icon } from "../parts";

interface Props {
  certificate: Pick<SearchResult["certificate"], "subjects" | "residues" | "cells" | "shards">;
  databases: { name: string; version: string; checksum: string }[];
  digest?: string | null;
  of: { created_at: string; finished_at: string | null };
  /** How often the database was searched: it counts the last time. */
  rounds: number;
  /** What else there is to say. */
  children?: ComponentChildren;
}

export function Certificate({ certificate, databases, digest, of, rounds, children }: Props) {
  const took = of.finished_at ? (Date.parse(of.finished_at) - Date.parse(of.created_at)) / 1000 : null;
  return (
    <details class="certificate">
      <summary>
        <span class="seal"><Icon name="check" />Exact and complete</span>
        <span>all {count(certificate.subjects)} sequences</span>
      </summary>
      <p>
        Every residue of each query was compared with every residue of the database. No seed, filter or cutoff was used before
        ranking. Each worker counted the cells it scored. A result exists only if all cells were scored.
      </p>
      <dl class="facts">
        <div><dt>Residues</dt><dd>{count(certificate.residues)}</dd></div>
        <div><dt>Cells scored{rounds > 1 && " in the last round"}</dt><dd>{amount(certificate.cells)}</dd></div>
        <div><dt>Shards</dt><dd>{count(certificate.shards.length)}</dd></div>
        {took !== null && <div><dt>Time</dt><dd>{seconds(took)}</dd></div>}
      </dl>
      {children}
      <div class="scroll" tabIndex={0} role="region" aria-label="Shards">
        <table class="plain">
          <thead><tr><th>Shard</th><th class="num">Sequences</th><th class="num">Residues</th><th class="num">Cells</th><th>Engine</th></tr></thead>
          <tbody>
            {certificate.shards.map((shard) => (
              <tr key={`${shard.database} ${shard.index}`}>
                <td>{shard.index + 1} of {certificate.shards.filter((each) => each.database === shard.database).length}{databases.length > 1 && ` of ${shard.database}`}</td>
                <td class="num">{count(shard.subjects)}</td>
                <td class="num">{count(shard.residues)}</td>
                <td class="num">{count(shard.cells)}</td>
                <td>{shard.engine}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {databases.map(({ name, checksum }) => (
        <p key={name} class="dim">{databases.length > 1 ? `Checksum of ${name}` : "Database checksum"} <span class="mono">{checksum}</span></p>
      ))}
      {digest && <p class="dim">Result digest <span class="mono">{digest}</span>: the same for the same search by any number of shards; a copy that was changed has another</p>}
    </details>
  );
}
