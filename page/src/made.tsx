// For the paper and for the next person, below every result: what was done, how to do it again, and by which parameters.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { boot } from "./api";
import { wordsOf, type Labels } from "./fields";
import { KINDS } from "./history";
import { count } from "./numbers";
import { CopyButton, Icon, Panel } from "./parts";
import { clientText, curlText, KEY_VARIABLE, pythonText, type Same } from "./repeat";

/** A parameter: what it is called, its value, and its name in the interface. */
export type Used = [label: string | undefined, value: string, name: string];

interface Props {
  /** A paragraph for a paper, and the constants of it. */
  text: string;
  constants?: [string, string][];
  /** How to do the same; none while that is not known yet. */
  same: Same | undefined;
  /** What each of its files has, and what saves it where the page can. */
  files: { what: string; save?(): void }[];
  /** What else there is to say of them. */
  children?: ComponentChildren;
  used: Used[];
}

export function Made({ text, constants, same, files, children, used }: Props) {
  return (
    <>
      <Panel title="Methods" aside={<CopyButton text={text} label="Copy text" />} class="methods">
        <p>{text}</p>
        {constants && <dl class="facts">{constants.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>}
      </Panel>
      {same && <Repeat same={same} files={files}>{children}</Repeat>}
      {same && <Parameters noun={KINDS[same.kind]} used={used} />}
    </>
  );
}

const LANGUAGES = [
  { label: "curl", textOf: curlText, how: "in a shell" },
  { label: "Python", textOf: pythonText, how: "with any Python 3" },
  { label: "shardwater_client", textOf: clientText, how: "with Shardwater's Python client, the folder sdk/python of its sources" },
];

function Repeat({ same, files, children }: Pick<Props, "files" | "children"> & { same: Same }) {
  const [language, setLanguage] = useState(LANGUAGES[0]!);
  const { label, textOf, how } = language;
  const text = textOf(same);
  const noun = KINDS[same.kind];
  const needed = files.map((each, place) => ({ ...each, name: same.inputs[place]!.file })).filter((_, place) => !same.inputs[place]!.records);
  const aside = (
    <div class="row">
      <div class="tabs" role="group" aria-label="Language">
        {LANGUAGES.map((each) => <button key={each.label} type="button" aria-pressed={each === language} onClick={() => setLanguage(each)}>{each.label}</button>)}
      </div>
      <CopyButton text={text} />
    </div>
  );
  return (
    <Panel title={`The same ${noun}, without this page`} class="repeat" aside={aside}>
      <p>
        {needed.length > 0 ? "Save " : "Run "}{needed.map(({ what, save, name }, place) => (
          <>{place > 0 && " and "}{what} as {save ? <button type="button" class="link" onClick={save}><Icon name="download" />{name}</button> : <span class="mono">{name}</span>}</>
        ))}{needed.length > 0 && ", then run "}this {how}. It waits for the end, and the result is {label === "curl" || !same.python ? <>in <span class="mono">{same.file}</span></> : "printed"}.
        {boot.door && <> It takes your API key from the variable <span class="mono">{KEY_VARIABLE}</span>: this page has no key that it could show.</>}
        {children}
      </p>
      <pre class="code" tabIndex={0} role="region" aria-label={`The ${noun} as ${label}`}>{text}</pre>
    </Panel>
  );
}

/** Those of these parameters that say something, in their words. */
export function usedOf(labels: Labels, parameters: object, names = Object.keys(labels)): Used[] {
  const used = parameters as { [name: string]: unknown };
  return names.flatMap((name): Used[] => {
    const text = textOf(name, used[name]);
    return text ? [[labels[name], text, name]] : [];
  });
}

function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => wordsOf(name, each) ?? String(each)).join(", ");
  if (typeof value === "number") return value >= 1 ? count(value) : String(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return wordsOf(name, value) ?? String(value ?? "");
}

function Parameters({ noun, used }: { noun: string; used: Used[] }) {
  return (
    <Panel title="Parameters" class="parameters">
      <div class="scroll" tabIndex={0} role="region" aria-label={`Parameters of this ${noun}`}>
        <table class="plain">
          <thead><tr><th>Parameter</th><th>Value</th><th>Name in the interface</th></tr></thead>
          <tbody>{used.map(([label, value, name], place) => <tr key={place}><td>{label}</td><td>{name === "table" ? <pre class="mono">{value}</pre> : value}</td><td class="mono dim">{name}</td></tr>)}</tbody>
        </table>
      </div>
    </Panel>
  );
}
