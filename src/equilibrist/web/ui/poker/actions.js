// The colours of actions, by their roles: styles have those of each palette.
import { actionColour } from "../core/theme.js";

const STOPS = 7; // colours from the smallest bet to the largest

// Of "fold", "passive" (check, call), "bet:i/n" (the i-th smallest of n bets, i from 0), or "game:i/n"
// (the i-th action of a game that is not poker).
export function roleColour(role) {
  const [kind] = role.split(":");
  if (kind === "fold" || kind === "passive") return `var(--eq-${kind})`;
  const [i, n] = role.match(/\d+/g).map(Number);
  if (kind === "game") return actionColour(i);
  return `var(--eq-bet-${n <= 1 ? 0 : Math.round((i / (n - 1)) * (STOPS - 1))})`;
}
