// The jobs of one kind that this browser has made, as a list.
import { at } from "./api";
import { count, moment } from "./numbers";
import { Panel } from "./parts";
import type { Entry } from "./recent-jobs";

export function RecentJobs({ title, path, found }: { title: string; path: string; found: Entry[] }) {
  if (found.length === 0) return null;
  return (
    <Panel title={title} class="recent">
      <ul class="recent-list">
        {found.map((entry) => (
          <li key={entry.id}>
            <a class="recent-title" href={at(`${path}/${entry.id}`)}>{entry.title}</a>
            <span class="dim">{moment(entry.created_at)}</span>
          </li>
        ))}
      </ul>
      <p class="dim small">The last {count(found.length)} of this browser, kept in it alone.</p>
    </Panel>
  );
}
