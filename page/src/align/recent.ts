// The jobs of pairs of this browser.
import { recentOf } from "../recent-jobs";

export const { recall, remember, titleOf } = recentOf("alignments");
