// The start of each kind's script: the head, and below it the view that the server named, or the sign-in.
import { render, type ComponentChildren } from "preact";
import { boot } from "./api";
import { Door } from "./door";
import { Nav } from "./nav";

export function start(view: () => ComponentChildren): void {
  const [nav, main] = [document.getElementById("nav"), document.getElementById("main")];
  const draw = () => {
    if (nav) render(<Nav />, nav);
    if (main) render(boot.door && !boot.user ? <Door enter={draw} /> : <>{view()}</>, main);
  };
  draw();
}
