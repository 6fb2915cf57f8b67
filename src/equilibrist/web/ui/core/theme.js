// Tastes that this browser keeps: theme, colours of actions, and language. Loaded before anything is
// drawn, so that no page flashes in the wrong theme; it imports nothing.
const PREFIX = "equilibrist.";
const CATALOGUES = ["en", "zh"];
export const LANGUAGES = ["browser", ...CATALOGUES];
export const THEMES = ["system", "light", "dark"];
export const PALETTES = ["standard", "classic", "colourblind"];

export function kept(name, otherwise) {
  try {
    return localStorage.getItem(PREFIX + name) ?? otherwise;
  } catch {
    return otherwise; // storage is switched off
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // It lasts as long as the page.
  }
}

// The reader's language: the chosen one, else the first of the browser's that has a catalogue, else
// English. `en-XA` is English between brackets, and longer: it shows what does not fit, or is in no catalogue.
export function readersLanguage() {
  return [kept("language", ""), ...navigator.languages]
    .map((tag) => (tag === "en-XA" ? tag : tag.split("-")[0]))
    .find((tag) => tag === "en-XA" || CATALOGUES.includes(tag)) ?? "en";
}

// Choose a language, or that of the browser with "browser". A cookie tells it the server, which writes
// some pages whole.
export function setLanguage(choice) {
  const language = choice === "browser" ? "" : choice;
  keep("language", language);
  tellServer(language);
}

function tellServer(language) {
  const { source } = document.documentElement.dataset;
  const age = language ? 31536000 : 0; // seconds
  if (source !== "files") document.cookie = `equilibrist_language=${language}; path=/; max-age=${age}; samesite=lax`;
}

// Where the words of a language are, from any folder of modules.
export const catalogueOf = (language) => `../texts/${language.slice(0, 2)}.js`;

// Where its longer words are, on what options and games mean.
export const helpOf = (language) => `../texts/${language.slice(0, 2)}-help.js`;

const known = (choices, choice) => (choices.includes(choice) ? choice : choices[0]);
const chosen = { theme: known(THEMES, kept("theme")), palette: known(PALETTES, kept("palette")) };
const told = [];
const wish = window.matchMedia("(prefers-color-scheme: dark)");

function apply() {
  const isDark = chosen.theme === "system" ? wish.matches : chosen.theme === "dark";
  const { dataset } = document.documentElement;
  dataset.theme = isDark ? "dark" : "light";
  dataset.palette = chosen.palette;
  for (const act of told) act();
}

// Call `act` whenever theme or palette change.
export const onTaste = (act) => told.push(act);

// `theme` or `palette` as the reader has chosen it.
export const taste = (name) => chosen[name];

export function setTaste(name, value) {
  chosen[name] = value;
  keep(name, value);
  apply();
}

// The colour of a player: distinct for colour-blind readers, legible in both themes.
const PLAYERS = ["#0072b2", "#b84e00", "#00805d", "#a8518a", "#7a6a00", "#2a7faf", "#8a3ffc", "#a2191f"];
export const playerColour = (player) => PLAYERS[player % PLAYERS.length];

// The colour of an action of a game, as styles name it: they have it of each palette.
export const actionColour = (action) => `var(--eq-action-${action % 8})`;

// One catalogue, which no document names: only the browser knows the choice.
function fetchWords() {
  const [language, link] = [readersLanguage(), document.createElement("link")];
  document.documentElement.lang = language === "zh" ? "zh-Hans" : language;
  link.rel = "modulepreload";
  link.href = new URL(catalogueOf(language), import.meta.url);
  document.head.append(link);
}

if (kept("language", "")) tellServer(kept("language", "")); // chosen before there was a cookie
wish.addEventListener("change", apply);
apply();
fetchWords();
