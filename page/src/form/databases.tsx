// Which database to search: its size, version and date, and whether it can be searched now.
import { useState } from "preact/hooks";
import { boot } from "../api";
import { amount, count, day } from "../numbers";
import { Panel } from "../parts";

const MANY = 8;
const STATES: { [state: string]: string } = {
  ready: "Ready",
  degraded: "Some shards have no worker",
  loading: "Loading",
  retired: "Retired",
};

export function Databases({ chosen, onChoose }: { chosen: string; onChoose(name: string): void }) {
  const [wanted, setWanted] = useState("");
  const words = wanted.toLowerCase().split(/\s+/);
  const shown = boot.databases.filter((database) => {
    const text = `${database.name} ${database.title}`.toLowerCase();
    return database.name === chosen || words.every((word) => text.includes(word));
  });
  return (
    <Panel title="Database">
      {boot.databases.length === 0 && <p class="dim">This server has no database of proteins yet.</p>}
      {boot.databases.length > MANY && (
        <input
          class="wide"
          type="search"
          aria-label="Find a database"
          placeholder={`Find among ${boot.databases.length} databases`}
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      <div class="databases" role="radiogroup" aria-label="Database">
        {shown.map((database) => (
          <label key={database.name} class={database.name === chosen ? "database chosen" : "database"}>
            <input type="radio" name="database" checked={database.name === chosen} onChange={() => onChoose(database.name)} />
            <span class="database-text">
              <span class="database-name">{database.title || database.name}</span>
              <span class="dim">{count(database.sequences)} sequences, {amount(database.residues)} residues</span>
              <span class="dim">
                {database.title ? `${database.name}, ` : ""}version <span class="mono">{database.version}</span>, {day(database.created_at)}
                {database.state !== "ready" && <span class="state-warn"> · {STATES[database.state]}</span>}
              </span>
            </span>
          </label>
        ))}
      </div>
    </Panel>
  );
}
