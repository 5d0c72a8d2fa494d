// An address that leads nowhere.
import { at } from "./api";
import { Panel } from "./parts";

export function MissingPage() {
  return (
    <div class="narrow">
      <h1>There is nothing at this address</h1>
      <Panel><p>It may be incomplete, or of another service. A search stands below <span class="mono">{at("/searches/")}</span>, followed by its id.</p></Panel>
      <div class="row"><a class="button primary" href={at("/")}>New search</a></div>
    </div>
  );
}
