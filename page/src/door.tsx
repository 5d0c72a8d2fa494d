// The sign-in, where the server asks for a key: it is sent once, and a cookie that no script can read stands for it.
import { useEffect, useState } from "preact/hooks";
import { ask, askJson, at, boot, postJson, problemOf, type Database, type Problem } from "./api";
import { Panel, Trouble } from "./parts";

interface Session {
  user: string;
  databases: Database[];
}

/** Asks for a key, unless the browser has a session: its cookie does not come along with a link from another site. */
export function Door({ enter }: { enter(): void }) {
  const [key, setKey] = useState("");
  const [asking, setAsking] = useState(true);
  const [problem, setProblem] = useState<Problem>();
  const go = async (session: Promise<Session>) => {
    setAsking(true);
    setProblem(undefined);
    try {
      const { user, databases } = await session;
      if (!user) return setAsking(false);
      if (boot.view === "search") return location.replace(location.href);
      Object.assign(boot, { user, databases });
      enter();
    } catch (error) {
      setProblem(problemOf(error));
      setAsking(false);
    }
  };
  useEffect(() => void go(askJson<Session>("/session")), []);
  const submit = (event: Event) => {
    event.preventDefault();
    void go(postJson<Session>("/session", { key: key.trim() }));
  };
  return (
    <div class="narrow">
      <h1>Sign in</h1>
      <Panel>
        <form class="sign-in" onSubmit={submit}>
          <label class="field">
            <span>API key</span>
            <input type="password" autocomplete="current-password" spellcheck={false} required value={key} onInput={(event) => setKey(event.currentTarget.value)} />
          </label>
          {problem && <Trouble problem={problem} />}
          <div class="row">
            <button type="submit" class="primary" disabled={asking}>Sign in</button>
            <span class="dim">Keys are given out by whoever runs this server.</span>
          </div>
        </form>
      </Panel>
    </div>
  );
}

/** End the session, and forget what this browser has kept of it: the next one at it may be somebody else. */
export async function signOut(): Promise<void> {
  await ask("/session", { method: "DELETE" });
  for (const storage of [localStorage, sessionStorage]) {
    for (const name of Object.keys(storage)) if (name.startsWith("shardwater:")) storage.removeItem(name);
  }
  location.assign(at("/"));
}
