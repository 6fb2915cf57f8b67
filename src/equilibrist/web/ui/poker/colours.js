// Colours of actions and of figures, from the palette that the reader has chosen.
import { ref } from "../core/html.js";
import { actionColour as gameColour, onTaste, taste } from "../core/theme.js";

// Bets from the smallest on; going all-in has one of its own, which it keeps along a line.
const PALETTES = {
  standard: {
    fold: "#3b82f6",
    passive: "#22c55e",
    bets: ["#f59e0b", "#ef4444", "#d946ef"],
    allIn: "#7c3aed",
    heat: ["#ef4444", "#f97316", "#f59e0b", "#eab308", "#84cc16", "#22c55e", "#10b981"],
  },
  classic: {
    fold: "#6da2c0",
    passive: "#8fbc8f",
    bets: ["#e9967a", "#cf5b3c", "#b83b26"],
    allIn: "#7a1414",
    heat: ["#c0392b", "#d9774a", "#e6b35c", "#e9d98a", "#b5cf86", "#8fbc8f", "#4f9a6b"],
  },
  // Okabe and Ito's colours, and the scale of cividis.
  colourblind: {
    fold: "#0072b2",
    passive: "#009e73",
    bets: ["#f0e442", "#e69f00", "#d55e00"],
    allIn: "#cc79a7",
    heat: ["#00224e", "#35456c", "#666970", "#948e77", "#c8b866", "#e6d258", "#fee838"],
  },
};
const LEGIBLE = 4.5; // the least contrast of letters
export const WEIGHT_COLOUR = "#eab308";
export const SEAT_COLOURS = ["#0284c7", "#65a30d"];

const palette = ref(taste("palette"));
onTaste(() => (palette.value = taste("palette")));

const channels = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
const hexOf = (rgb) => `#${rgb.map((c) => Math.round(c).toString(16).padStart(2, "0")).join("")}`;

function along(stops, t) {
  const x = Math.min(Math.max(t, 0), 1) * (stops.length - 1);
  const k = Math.min(Math.floor(x), stops.length - 2);
  const [a, b] = [channels(stops[k]), channels(stops[k + 1])];
  return hexOf(a.map((c, i) => c + (b[i] - c) * (x - k)));
}

// The colour of an action {code, role}: role is "fold", "passive" (check, call), or "bet:i/n" (the i-th
// smallest of n bets, i from 0 on). The first bet of a menu is alike wherever there are up to three.
export function actionColour({ code, role }) {
  const { fold, passive, bets, allIn } = PALETTES[palette.value];
  if (role === "fold") return fold;
  if (role === "passive") return passive;
  if (/^A/.test(code)) return allIn;
  const [i, n] = role.slice(4).split(/\//).map(Number);
  return n <= bets.length + 1 ? bets[Math.min(i, bets.length - 1)] : along(bets, i / (n - 1));
}

// The same of an action at a table by its role and word. A role "game:i/n" is that of the i-th action of
// a game that is not poker.
export function roleColour(role, word = "") {
  if (role.startsWith("game:")) return gameColour(Number.parseInt(role.slice(5), 10));
  return actionColour({ role, code: word.toLowerCase().startsWith("all-in") ? "A" : "" });
}

// A colour from bad (0) over even (0.5) to good (1).
export const heatColour = (t) => along(PALETTES[palette.value].heat, t);

function luminance(hex) {
  const [r, g, b] = channels(hex).map((c) => {
    const s = c / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// Black or white, whichever is easier to read on a colour.
export const ink = (colour) => (luminance(colour) > 0.179 ? "#000000" : "#ffffff");

// Parts of a bar, the most aggressive action at the left: [{colour, from, to}], in percent.
export function stacked(colours, shareOf) {
  const parts = [];
  let from = 0;
  for (let a = colours.length - 1; a >= 0; a--) {
    const to = from + 100 * shareOf(a);
    if (to > from) parts.push({ colour: colours[a], from, to });
    from = to;
  }
  return parts;
}
export const stopsOf = (parts) =>
  parts.map(({ colour, from, to }) => `${colour} ${from.toFixed(2)}% ${to.toFixed(2)}%`);

// The contrast of two colours, from 1 to 21, as WCAG 2 has it.
function contrast(a, b) {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

// Black or white, whichever is easier to read on every colour of a bar; empty where neither is readable on all, so
// that letters need a halo of the surface.
export function inkOn(parts) {
  if (!parts.every(({ colour }) => colour.startsWith("#"))) return "";
  const least = (one) => Math.min(...parts.map(({ colour }) => contrast(one, colour)));
  const [black, white] = ["#000000", "#ffffff"].map(least);
  if (Math.max(black, white) < LEGIBLE) return "";
  return black >= white ? "#000000" : "#ffffff";
}
