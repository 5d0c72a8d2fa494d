// The links in the page's head.
import { at } from "./api";
import { ThemeButton } from "./theme";

export function Nav() {
  return (
    <>
      <a href={at("/")}>New search</a>
      <a class="wide-only" href={at("/openapi.json")}>API</a>
      <ThemeButton />
    </>
  );
}
