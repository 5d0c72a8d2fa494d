// A notification of the browser at a job's end, for whoever asks for it with a button.
import { useState } from "preact/hooks";

/** Whether somebody has asked for it on this page, which follows one job. */
let wanted = false;

/** Browsers notify of pages that came by HTTPS, or from this machine. */
const possible = isSecureContext && "Notification" in window;

export function NotifyButton() {
  const [state, setState] = useState<"" | "on" | "refused">(wanted ? "on" : "");
  if (!possible) return null;
  const toggle = async () => {
    wanted = !wanted && (await Notification.requestPermission()) === "granted";
    setState(wanted ? "on" : state === "on" ? "" : "refused");
  };
  return (
    <>
      <button type="button" aria-pressed={state === "on"} onClick={() => void toggle()}>Notify me at the end</button>
      <span class="dim" role="status">{state === "on" ? "Keep this page open to be told." : state === "refused" ? "This browser lets no notifications through." : ""}</span>
    </>
  );
}

/** Tell who has asked for it. */
export function notify(title: string, body: string): void {
  if (!wanted) return;
  try {
    const notification = new Notification(title, { body });
    notification.onclick = () => window.focus();
  } catch {
    // Phones leave this to workers in the background; the title of the tab has the news.
  }
}
