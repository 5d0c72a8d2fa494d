// Which databases to search: their sizes, versions and dates, and whether they can be searched now.
import { useState } from "preact/hooks";
import { boot, namesIn } from "../api";
import { amount, count, day, plural } from "../numbers";
import { Panel } from "../parts";

const MANY = 8;
const STATES: { [state: string]: string } = {
  ready: "Ready",
  degraded: "Some shards have no worker",
  loading: "Loading",
  retired: "Retired",
};

/** chosen: one name, or several with blanks between them, which are searched as one. */
export function Databases({ chosen, onChoose }: { chosen: string; onChoose(names: string): void }) {
  const [wanted, setWanted] = useState("");
  const [asked, setAsked] = useState(false);
  const names = namesIn(chosen);
  const several = asked || names.length > 1;
  const words = wanted.toLowerCase().split(/\s+/);
  const shown = boot.databases.filter((database) => {
    const text = `${database.name} ${database.title}`.toLowerCase();
    return names.includes(database.name) || words.every((word) => text.includes(word));
  });
  const take = (name: string) => {
    const others = names.filter((each) => each !== name);
    const taken = !several ? [name] : names.includes(name) ? others : [...others, name];
    // In one order, so that the same choice is the same search.
    onChoose(boot.databases.map((database) => database.name).filter((each) => taken.includes(each)).join(" "));
  };
  const toggle = (on: boolean) => {
    setAsked(on);
    if (!on && names[0]) onChoose(names[0]);
  };
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
      <div class="databases" role={several ? "group" : "radiogroup"} aria-label="Database">
        {shown.map((database) => (
          <label key={database.name} class={names.includes(database.name) ? "database chosen" : "database"}>
            <input
              // Another element: one of a group that becomes another kind would take its mark from the others.
              key={several ? "several" : "one"}
              type={several ? "checkbox" : "radio"}
              name="database"
              checked={names.includes(database.name)}
              onChange={() => take(database.name)}
            />
            <span class="database-text">
              <span class="database-name">{database.title || database.name}</span>
              <span class="dim">{count(database.sequences)} sequences, {amount(database.residues)} residues</span>
              {database.members > 0 && <span class="dim">{plural(database.members, "member")} of clusters besides, for MSAs alone</span>}
              <span class="dim">
                {database.title ? `${database.name}, ` : ""}version <span class="mono">{database.version}</span>, {day(database.created_at)}
                {database.state !== "ready" && <span class="state-warn"> · {STATES[database.state]}</span>}
              </span>
            </span>
          </label>
        ))}
      </div>
      {boot.databases.length > 1 && (
        <label class="switch several">
          <input type="checkbox" role="switch" checked={several} onChange={(event) => toggle(event.currentTarget.checked)} />
          <span>Several, as if one held all their sequences</span>
        </label>
      )}
    </Panel>
  );
}
