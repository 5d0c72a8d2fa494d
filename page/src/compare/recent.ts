// The comparisons of this browser.
import { recentOf } from "../recent-jobs";

export const { recall, remember, titleOf } = recentOf("comparisons");
