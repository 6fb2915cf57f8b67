// Numbers as texts.

// Six significant digits, as the command line prints values.
export function number(x, digits = 6) {
  if (x === null || x === undefined || !Number.isFinite(x)) return "";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size < 1e-4 || size >= 1e9) return x.toExponential(3).replace("e+", "e");
  return String(Number(x.toPrecision(digits)));
}

// A probability with four digits behind the point.
export function probability(x) {
  return x === null || x === undefined ? "" : x.toFixed(4).replace(/^-(?=[0.]*$)/, "");
}

export const count = (x) => (x === null || x === undefined ? "" : x.toLocaleString("en-US"));

// An estimate, with two digits: about 210,000.
export function about(x) {
  return x < 1e12 ? `about ${count(Number(x.toPrecision(2)))}` : `about ${x.toExponential(1).replace("e+", "e")}`;
}

export function seconds(x) {
  if (x === null || x === undefined) return "";
  if (x < 60) return `${x.toFixed(x < 10 ? 2 : 1)} s`;
  return `${Math.floor(x / 60)} min ${Math.round(x % 60)} s`;
}

// The colour of a player: distinct for colour-blind readers, legible in both themes.
export const PLAYERS = ["#0072B2", "#B84E00", "#00805D", "#A8518A", "#7A6A00", "#2A7FAF", "#8A3FFC", "#A2191F"];
export const playerColour = (player) => PLAYERS[player % PLAYERS.length];
