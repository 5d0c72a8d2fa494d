// What went wrong, and what mends itself: a server that comes back, a session that is begun again.
import { render, type ComponentChildren } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { ask, askJson, boot, problemOf, type Problem } from "./api";
import { SignIn } from "./door";
import { Icon } from "./parts";

const FIRST_LOOK_MS = 1000;
const SLOWEST_MS = 5000;
const PATIENCE_S = 10;
export const SIGNED_IN = "shardwater:signed-in";

/** A problem to show. One that passes goes by itself, and `again` does what it kept from being done. */
export function useProblem(first?: Problem, again?: () => void): [Problem | undefined, (problem: Problem | undefined) => void] {
  const [problem, setProblem] = useState(first);
  const recover = useRef<(() => void) | undefined>(undefined);
  recover.current = () => {
    setProblem(undefined);
    again?.();
  };
  useEffect(() => {
    if (problem?.status === 0) return whenAnswering(() => recover.current?.());
    if (problem?.status !== 401) return;
    const heard = () => recover.current?.();
    addEventListener(SIGNED_IN, heard);
    return () => removeEventListener(SIGNED_IN, heard);
  }, [problem?.status]);
  return [problem, setProblem];
}

/** Tell of a problem that says that a job is not there any more: its page then tells what can be done. */
export function useLost(problem: Problem | undefined, lost: (problem: Problem) => void): void {
  useEffect(() => {
    if (problem?.status === 404 || problem?.status === 410) lost(problem);
  }, [problem]);
}

/** What an address answers, once it does; asked again when the server is back, and silent otherwise: it is no main thing. */
export function useAnswer<T>(path: string | undefined): T | undefined {
  return useAsked<T>(path).answer;
}

/** The same, and what keeps it from answering. */
export function useAsked<T>(path: string | undefined): { answer?: T; problem?: Problem } {
  const [answer, setAnswer] = useState<T>();
  const [asked, again] = useReducer((times: number) => times + 1, 0);
  const [problem, setProblem] = useProblem(undefined, () => again(undefined));
  useEffect(() => {
    if (path !== undefined) askJson<T>(path).then(setAnswer, (error: unknown) => setProblem(problemOf(error)));
  }, [path, asked]);
  return { answer, problem };
}

/** Wait until the server answers again; returns how to stop that. */
function whenAnswering(then: () => void): () => void {
  const controller = new AbortController();
  let timer = 0;
  const look = async (wait: number) => {
    try {
      await ask("/healthz", { signal: controller.signal, most: PATIENCE_S });
      then();
    } catch {
      if (!controller.signal.aborted) timer = window.setTimeout(look, wait, Math.min(wait * 1.5, SLOWEST_MS));
    }
  };
  timer = window.setTimeout(look, FIRST_LOOK_MS, FIRST_LOOK_MS);
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}

/** What went wrong, announced to those who cannot see it appear. */
export function Trouble({ problem, children }: { problem: Problem; children?: ComponentChildren }) {
  const details = (problem.errors ?? []).map((error) => error.detail).filter((detail) => !problem.detail.includes(detail));
  const ended = problem.status === 401 && boot.door;
  return (
    <div class="trouble" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{ended ? "Your session has ended" : problem.title}</strong>
        <p>{ended ? "Sign in again to go on: nothing on this page is lost." : problem.detail}</p>
        {details.length > 0 && <ul>{details.map((detail) => <li key={detail}>{detail}</li>)}</ul>}
        {ended && <button type="button" class="primary" onClick={() => signInAgain()}>Sign in</button>}
        {children}
        {problem.request_id && problem.status >= 500 && <p class="dim">Request {problem.request_id}</p>}
      </div>
    </div>
  );
}

// A browser ends a download that is refused, and says nothing of why.
if (boot.door) addEventListener("click", (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>("a[download]");
  if (!link) return;
  event.preventDefault();
  // One that is not on the page: its click is not heard here.
  const save = () => (link.cloneNode() as HTMLElement).click();
  askJson<{ user: string }>("/session").then(({ user }) => (user ? save() : signInAgain(save)), save);
});

/** The sign-in over the page, which stays as it is. */
function signInAgain(then?: () => void): void {
  const dialog = document.body.appendChild(document.createElement("dialog"));
  dialog.setAttribute("aria-label", "Sign in");
  const before = boot.user;
  const entered = ({ user }: { user: string }) => {
    dialog.close();
    // Another owner has other searches.
    if (user !== before) location.reload();
    else {
      dispatchEvent(new Event(SIGNED_IN));
      then?.();
    }
  };
  dialog.addEventListener("close", () => {
    render(null, dialog);
    dialog.remove();
  });
  render(<><h2>Your session has ended</h2><SignIn entered={entered} /></>, dialog);
  dialog.showModal();
}
