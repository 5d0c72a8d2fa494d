// What is asked once more before it is done for good, over the page.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ask, problemOf } from "./api";
import { forget, KINDS, type Entry } from "./history";
import { Trouble, useProblem } from "./trouble";

interface Props {
  /** What the button says, and what it is called where several say the same. */
  label: string;
  called?: string;
  quiet?: boolean;
  question: string;
  /** What the answer says that does it. */
  sure: string;
  act(): Promise<void> | void;
  /** What follows, once the question is off the page. */
  done(): void;
  children: ComponentChildren;
}

/** A button whose work is done once its question is answered. */
export function Confirm({ label, called, quiet, question, sure, act, done, children }: Props) {
  const [asking, setAsking] = useState(false);
  const [acting, setActing] = useState(false);
  const [problem, setProblem] = useProblem();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (asking) dialog.current?.showModal();
  }, [asking]);
  const close = () => dialog.current?.close();
  const answer = async () => {
    setActing(true);
    setProblem(undefined);
    try {
      await act();
    } catch (error) {
      setProblem(problemOf(error));
      return setActing(false);
    }
    setActing(false);
    // First of the two: closed, it gives the focus back to its button.
    close();
    done();
  };
  return (
    <>
      <button type="button" class={quiet ? "quiet" : ""} aria-label={called} onClick={() => setAsking(true)}>{label}</button>
      {asking && (
        <dialog class="confirm" ref={dialog} aria-label={question} onClose={() => { setAsking(false); setProblem(undefined); }}>
          <h2>{question}</h2>
          {children}
          {problem && <Trouble problem={problem} />}
          <div class="row">
            <button type="button" autofocus onClick={close}>Keep</button>
            <button type="button" class="danger" disabled={acting} onClick={() => void answer()}>{sure}</button>
          </div>
        </dialog>
      )}
    </>
  );
}

type Deleted = Pick<Entry, "kind" | "id" | "title">;

/** Removes a job from the server, and from this browser's list. */
export function Delete({ kind, id, title, listed = false, done }: Deleted & { listed?: boolean; done(): void }) {
  const remove = async () => {
    await ask(`/v1/${kind}/${id}`, { method: "DELETE" }).catch((error: unknown) => {
      // One that is not there any more is what is wanted.
      if (![404, 410].includes(problemOf(error).status)) throw error;
    });
    forget(id);
  };
  return (
    <Confirm label="Delete" called={listed ? `Delete ${title}` : undefined} quiet={listed} question={`Delete this ${KINDS[kind]}?`} sure="Delete" act={remove} done={done}>
      <p><strong>{title}</strong> is removed from the server, with what was sent and its result. Nobody can open its address any more, and nothing brings it back.</p>
    </Confirm>
  );
}
