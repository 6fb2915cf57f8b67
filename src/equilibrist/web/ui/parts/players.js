// What players are called: as the file of a game calls them, else by their numbers.
import { html } from "../core/html.js";
import { t } from "../core/texts.js";

export const playerName = (names, player) => names?.[player] || t("game.player", { player });

// The same for a page, which leaves names as they are.
export const ofPlayer = (names, player) =>
  (names?.[player] ? html`<span translate="no">${names[player]}</span>` : t("game.player", { player }));
