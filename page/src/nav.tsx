// The links in the page's head.
import { at, boot } from "./api";
import { signOut } from "./door";
import { ThemeButton } from "./theme";

export function Nav() {
  return (
    <>
      <a href={at("/")}>New search</a>
      <a href={at("/compare")}>Compare</a>
      <a href={at("/msas")}>MSA</a>
      <a href={at("/align")}>Align</a>
      <a class="wide-only" href={at("/docs")}>API</a>
      {boot.user && <span class="signed-in" title={`Signed in as ${boot.user}`}><span class="wide-only">Signed in as </span><strong>{boot.user}</strong></span>}
      {boot.door && boot.user && <button type="button" class="quiet" onClick={() => void signOut()}>Sign out</button>}
      <ThemeButton />
    </>
  );
}
