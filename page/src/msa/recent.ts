// The MSAs of this browser.
import { recentOf } from "../recent-jobs";

export const { recall, remember, titleOf } = recentOf("msas");
