// What people read for outcomes of chance and keys of infosets: J for the 1 of Kuhn poker.
import { t } from "../core/texts.js";

// `names` are the `shown_names` of a document: {text: text that is shown}.
export const shownName = (names, text) => names?.[text] ?? text;

// A history, its moves with `between` between them.
export const shownWay = (names, history, between = " ") =>
  history.map((move) => shownName(names, move)).join(between) || t("game.start");

// The text of the game for what was typed, which may be what is shown.
export const textOfShown = (names, typed) =>
  Object.entries(names ?? {}).find(([, shown]) => shown === typed)?.[0] ?? typed;
