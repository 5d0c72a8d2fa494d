// Finished MSAs: an index of their chains, and one chain at a time: what was found, its columns, its rows.
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../api";
import { titleOf as titleOfChains } from "../fasta";
import { titleOf } from "../history";
import { count, plural } from "../numbers";
import { Id, Panel, useCurrent, Warnings } from "../parts";
import { ResultHead } from "../result-head";
import { Certificate } from "../result/certificate";
import { RoundsTable } from "../result/rounds";
import { Trouble, useLost } from "../trouble";
import { ConservationPanel } from "./conservation";
import { Downloads } from "./downloads";
import { useRows } from "./load";
import { Methods } from "./methods";
import { FIRST_LOOK, RowsPanel, type Look } from "./rows";
import { hashOf, placeOf, wantedOf, type Chain, type Kind, type Msas, type Stage } from "./types";

export function ResultPage({ msas, lost }: { msas: Msas; lost(problem: Problem): void }) {
  const [{ number, kind }, setPlace] = useState(placeOf(location.hash) ?? placeOf("")!);
  const [look, setLook] = useState(FIRST_LOOK);
  const [known] = useState(() => titleOf(msas));
  const title = known || titleOfChains(msas.chains);
  const many = msas.chains.length > 1;
  const chain = msas.chains[number - 1];
  // Of another chain there may be no such rows.
  const shown = chain && kindsOf(chain).some((each) => each.kind === kind) ? kind : "databases";
  useEffect(() => {
    const look = () => {
      const next = placeOf(location.hash);
      if (next) setPlace(next);
    };
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  return (
    <div class="result msas">
      <ResultHead
        kind="msas"
        job={msas}
        title={title}
        about={many ? plural(msas.chains.length, "chain") : "MSA"}
        place={many || shown !== "databases" ? hashOf(number, shown) : ""}
        form="/msas"
      >
        {chain && <Downloads msas={msas} chain={number} kind={shown} />}
      </ResultHead>
      <div class={many ? "result-body with-index" : "result-body"}>
        {many && <Index chains={msas.chains} number={number} kind={kind} />}
        <div class="result-main">
          {chain ? <ChainView msas={msas} chain={chain} kind={shown} look={look} onLook={setLook} lost={lost} /> : (
            <Panel><p>There are {plural(msas.chains.length, "chain")}: there is no number {count(number)}. <a href="#1">Show the first one</a></p></Panel>
          )}
        </div>
      </div>
    </div>
  );
}

function Index({ chains, number, kind }: { chains: Chain[]; number: number; kind: Kind }) {
  const list = useCurrent<HTMLOListElement>(number);
  const complexes = chains.some(({ complex }, place) => complex === chains[place - 1]?.complex);
  return (
    <nav class="index" aria-label="Chains">
      <div class="index-head"><h2>{plural(chains.length, "chain")}</h2></div>
      <ol ref={list}>
        {chains.map((chain) => (
          <li key={chain.number}>
            <a href={hashOf(chain.number, kind)} aria-current={chain.number === number ? "true" : undefined}>
              <span class="index-id"><Id text={chain.id} /></span>
              <span class="index-hits">{count(chain.stages[0]?.kept ?? 0)}</span>
              <span class="dim index-best">{complexes && `complex ${chain.complex}, `}{plural(chain.length, "residue")}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

const kindsOf = ({ stages, paired }: Chain): { kind: Kind; label: string }[] => [
  { kind: "databases", label: stages.length > 1 ? "First databases" : "All rows" },
  ...(stages.length > 1 ? [{ kind: "then" as const, label: "Further databases" }] : []),
  ...(paired ? [{ kind: "pairs" as const, label: "Paired rows" }] : []),
];

const membersText = ({ aligned, rows, left_out }: NonNullable<Stage["members"]>): string =>
  `Members of clusters were not searched: ${count(aligned)} of hits' clusters were aligned with the query, ${count(rows)} of them are rows, and ${count(left_out)} more were left out.`;

interface ChainProps {
  msas: Msas;
  chain: Chain;
  kind: Kind;
  look: Look;
  onLook(look: Look): void;
  lost(problem: Problem): void;
}

function ChainView({ msas, chain, kind, look, onLook, lost }: ChainProps) {
  const wanted = wantedOf(chain.number, kind);
  const { found, here, problem } = useRows(`/v1/msas/${msas.id}/results?format=json&${wanted}`);
  useLost(problem, lost);
  const kinds = kindsOf(chain);
  const stage = chain.stages[kind === "then" ? 1 : 0];
  return (
    <>
      {found?.searched && (
        <Certificate certificate={found.searched.certificate} databases={found.searched.databases} of={{ created_at: msas.created_at, finished_at: null }} rounds={stage?.rounds.length ?? 1}>
          {stage?.members && <p>{membersText(stage.members)}</p>}
        </Certificate>
      )}
      {!found && !problem && <div class="certificate">{"\u00a0"}</div>}
      <Panel class="query-head">
        <div>
          <h2 class="mono">{chain.id}</h2>
          {chain.title && <p>{chain.title}</p>}
        </div>
        <dl class="facts">
          <div><dt>Length</dt><dd>{count(chain.length)}</dd></div>
          {stage && <div><dt>Rows found</dt><dd>{count(stage.found)}</dd></div>}
          {stage && stage.kept < stage.found && <div><dt>Kept by the filter</dt><dd>{count(stage.kept)}</dd></div>}
          {stage?.members && <div><dt>Members of clusters</dt><dd>{count(stage.members.rows)}{stage.members.left_out > 0 && <span class="dim">, {count(stage.members.left_out)} left out</span>}</dd></div>}
          {kind === "pairs" && found && <div><dt>Paired</dt><dd>{count(found.rows.length)}</dd></div>}
          {found?.searched?.databases.map(({ name, version }) => <div key={name}><dt>Database</dt><dd>{name} <span class="mono dim">{version}</span></dd></div>)}
        </dl>
        <Warnings warnings={(stage?.warnings ?? []).map((each) => ({ ...each, query: chain.number }))} many={false} />
        {kinds.length > 1 && (
          <div class="tabs no-print" role="group" aria-label="Which rows">
            {kinds.map((each) => <button key={each.kind} type="button" aria-pressed={each.kind === kind} onClick={() => { location.hash = hashOf(chain.number, each.kind); }}>{each.label}</button>)}
          </div>
        )}
      </Panel>
      {problem && <Trouble problem={problem} />}
      {found ? <RowsPanel found={found} name={chain.id} paired={kind === "pairs"} told={stage?.warnings.some(({ code }) => code === "pairing-without-taxids") ?? false} look={look} onLook={onLook} /> : !problem && <Panel title="Rows" class="msa-room"><p class="dim" role="status">Loading the rows…</p><progress max={Math.max(1, stage?.kept ?? 1)} value={here} aria-label="Rows that are here" /></Panel>}
      {!problem && <ConservationPanel key={wanted} path={`/v1/msas/${msas.id}/columns?${wanted}`} />}
      {stage && stage.rounds.length > 0 && <Panel title="Rounds"><RoundsTable rounds={stage.rounds} profiled={kind === "then"} /></Panel>}
      {found?.searched && <Methods msas={msas} searched={found.searched} kind={kind} />}
    </>
  );
}
