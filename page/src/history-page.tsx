// All that was made from this browser: found again, renamed, forgotten, or deleted from the server.
import { useEffect, useRef, useState } from "preact/hooks";
import { Confirm, Delete } from "./confirm";
import { forget, forgetAll, KEPT, KINDS, rename, type Entry, type Kind } from "./history";
import { count, plural } from "./numbers";
import { capital, Panel } from "./parts";
import { Line, useEntries } from "./recent";
import { useStates } from "./states";

const STEP = 50;
const PLURALS: { [kind in Kind]: string } = { searches: "Searches", alignments: "Alignments", comparisons: "Comparisons", msas: "MSAs" };

export function HistoryPage() {
  const [all, look] = useEntries();
  const [kind, setKind] = useState("");
  const [words, setWords] = useState("");
  const [most, setMost] = useState(STEP);
  const [said, say] = useState("");
  const found = all.filter((entry) => (!kind || entry.kind === kind) && matches(entry, words));
  const shown = found.slice(0, most);
  const states = useStates(shown);
  const head = useRef<HTMLHeadingElement>(null);
  const told = (news: string) => {
    say(news);
    look();
  };
  const gone = (news: string) => {
    told(news);
    // The button that was pressed goes with its line.
    head.current?.focus();
  };
  return (
    <div class="history">
      <h1 ref={head} tabIndex={-1}>History</h1>
      <p class="visually-hidden" role="status">{said}</p>
      {all.length === 0 ? <Panel><p>Nothing yet. What is searched, aligned, compared or built from this browser stands here.</p></Panel> : (
        <Panel class="recent">
          <div class="filters" role="search" aria-label="Filter the history">
            <select aria-label="Kind" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
              <option value="">All kinds</option>
              {(Object.keys(KINDS) as Kind[]).map((each) => <option key={each} value={each}>{PLURALS[each]}</option>)}
            </select>
            <input type="search" aria-label="Words" placeholder="Name, database or id" value={words} onInput={(event) => setWords(event.currentTarget.value)} />
            <span class="dim" role="status">{found.length === all.length ? plural(all.length, "entry", "entries") : `${count(found.length)} of ${plural(all.length, "entry", "entries")}`}</span>
            <Confirm label="Forget all" question="Forget all of this list?" sure="Forget all" act={forgetAll} done={() => gone("All are forgotten.")}>
              <p>This browser forgets names, addresses and queries. The server keeps the results until their time is over, and their addresses open them.</p>
            </Confirm>
          </div>
          <ul class="recent-list" aria-label="Jobs">
            {shown.map((entry) => <Row key={entry.id} entry={entry} state={states.get(entry.id)} told={told} gone={gone} />)}
          </ul>
          {shown.length < found.length && <button type="button" class="link" onClick={() => setMost(most + STEP)}>Show more</button>}
          <p class="dim small">{KEPT} A new name is known here alone.</p>
        </Panel>
      )}
    </div>
  );
}

/** Whether an entry has all of these words. */
function matches({ kind, id, title, about }: Entry, words: string): boolean {
  const text = `${title} ${about} ${KINDS[kind]} ${id}`.toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

interface RowProps {
  entry: Entry;
  state: string | undefined;
  told(news: string): void;
  gone(news: string): void;
}

function Row({ entry, state, told, gone }: RowProps) {
  const [naming, setNaming] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { kind, id, title } = entry;
  const close = () => {
    setNaming(false);
    button.current?.focus();
  };
  const named = (name: string) => {
    if (name && name !== title) {
      rename(id, name);
      told(`It is called ${name} now.`);
    }
    close();
  };
  return (
    <li>
      <Line entry={entry} state={state} name={naming ? <Naming title={title} named={named} close={close} /> : undefined} />
      <span class="recent-actions">
        <button ref={button} type="button" class="quiet" aria-label={`Rename ${title}`} onClick={() => setNaming(true)}>Rename</button>
        <button type="button" class="quiet" aria-label={`Forget ${title}`} onClick={() => { forget(id); gone(`${capital(KINDS[kind])} ${title} is forgotten; the server keeps it.`); }}>Forget</button>
        <Delete kind={kind} id={id} title={title} listed done={() => gone(`${capital(KINDS[kind])} ${title} is deleted.`)} />
      </span>
    </li>
  );
}

const LONGEST_NAME = 200;

function Naming({ title, named, close }: { title: string; named(name: string): void; close(): void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <form
      class="row"
      aria-label={`New name of ${title}`}
      onSubmit={(event) => {
        event.preventDefault();
        named(field.current!.value.trim());
      }}
      onKeyDown={(event) => { if (event.key === "Escape") close(); }}
    >
      <input ref={field} aria-label="New name" defaultValue={title} maxLength={LONGEST_NAME} />
      <button type="submit" class="primary">Save</button>
      <button type="button" onClick={close}>Cancel</button>
    </form>
  );
}
