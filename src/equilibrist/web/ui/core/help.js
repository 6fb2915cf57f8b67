// The longer words: what options, fields, games and parameters mean. Whoever imports this waits for them.
import { addHelp, hasText, t } from "./texts.js";

await addHelp();

export const hasHelp = (key) => hasText(key);
export const help = (key) => t(key);
