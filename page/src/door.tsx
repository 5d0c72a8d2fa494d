// The sign-in, where the server asks for a key: it is sent once, and a cookie that no script can read stands for it.
import { useEffect, useState } from "preact/hooks";
import { ask, askJson, at, boot, postJson, problemOf, type Database, type Problem } from "./api";
import { enter as enterAs, forgetEverything } from "./history";
import { Icon, Panel } from "./parts";

interface Session {
  user: string;
  databases: Database[];
}

/** Asks for a key, unless the browser has a session: its cookie does not come along with a link from another site. */
export function Door({ enter }: { enter(): void }) {
  const [asking, setAsking] = useState(true);
  const entered = ({ user, databases }: Session) => {
    if (boot.view !== "form") return location.reload();
    enterAs(user);
    Object.assign(boot, { user, databases });
    enter();
  };
  useEffect(() => {
    // What is wrong with the server, signing in will say.
    askJson<Session>("/session").then((session) => (session.user ? entered(session) : setAsking(false)), () => setAsking(false));
  }, []);
  return (
    <div class="narrow">
      <h1>Sign in</h1>
      <Panel><SignIn entered={entered} disabled={asking} /></Panel>
    </div>
  );
}

/** The key's form. */
export function SignIn({ entered, disabled = false }: { entered(session: Session): void; disabled?: boolean }) {
  const [key, setKey] = useState("");
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const submit = async (event: Event) => {
    event.preventDefault();
    setSending(true);
    setProblem(undefined);
    try {
      const session = await postJson<Session>("/session", { key: key.trim() });
      tabs?.postMessage(session.user);
      entered(session);
    } catch (error) {
      setProblem(problemOf(error));
    }
    setSending(false);
  };
  return (
    <form class="sign-in" onSubmit={(event) => void submit(event)}>
      <label class="field">
        <span>API key</span>
        <input type="password" autocomplete="current-password" spellcheck={false} required value={key} onInput={(event) => setKey(event.currentTarget.value)} />
      </label>
      {problem && (
        <div class="trouble" role="alert">
          <Icon name="warning" />
          <div>
            <strong>{problem.status === 401 ? "This key does not let you in" : problem.title}</strong>
            <p>{problem.detail}</p>
          </div>
        </div>
      )}
      <div class="row">
        <button type="submit" class="primary" disabled={disabled || sending}>Sign in</button>
        <span class="dim">Keys are given out by whoever runs this server.</span>
      </div>
    </form>
  );
}

/** The other tabs of this page: each has a storage of its own, and shows what its owner saw. They hear who comes. */
const tabs = boot.door ? new BroadcastChannel(`shardwater:${boot.root}:signed-in`) : undefined;
tabs?.addEventListener("message", ({ data: user }) => {
  if (!user) leave();
  else if (boot.user && boot.user !== user) location.reload();
});

function leave(): void {
  forgetEverything();
  location.assign(at("/"));
}

/** End the session, and forget what this browser has kept of it: the next one at it may be somebody else. */
export async function signOut(): Promise<void> {
  await ask("/session", { method: "DELETE" }).catch((error: unknown) => {
    // A session that has ended by itself is what is wanted.
    if (problemOf(error).status !== 401) throw error;
  });
  tabs?.postMessage("");
  leave();
}
