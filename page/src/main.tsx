// The start of the pages of searches, and of those that are of no kind.
import "./page.css";
import { boot } from "./api";
import { FormPage } from "./form/form";
import { HistoryPage } from "./history-page";
import { MissingPage } from "./missing";
import { SearchPage } from "./search";
import { start } from "./start";

start(() => {
  if (boot.view === "missing") return <MissingPage />;
  if (boot.view === "history") return <HistoryPage />;
  return boot.view === "form" ? <FormPage /> : <SearchPage />;
});
