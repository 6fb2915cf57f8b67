// The words of the pages, in the reader's language.
import { catalogueOf, helpOf, readersLanguage } from "./theme.js";

export const language = readersLanguage();
const isPseudo = language === "en-XA";
const { default: catalogue } = await import(catalogueOf(language));
const plurals = new Intl.PluralRules(language);

const longer = (text) => `⟦${text}${" ~~~~".repeat(Math.ceil(text.length * 0.08))}⟧`;
const marked = (text) => (isPseudo && /\p{L}/u.test(text) ? longer(text) : text);

// The text of a key with its values; a text with forms takes the one for the value `n`. Languages with
// one form have none.
function template(key, values) {
  const text = catalogue[key];
  if (text === undefined) throw new Error(`no text ${key}`);
  return typeof text === "string" ? text : text[plurals.select(values.n)];
}

// Add the longer words, which only pages with forms need; see `help.js`.
export async function addHelp() {
  const { default: help } = await import(helpOf(language));
  Object.assign(catalogue, help);
}

export const hasText = (key) => key in catalogue;

// What has a text in a group: kuhn, leduc ... of `game-title`.
export const named = (group) =>
  Object.keys(catalogue).filter((key) => key.startsWith(`${group}.`)).map((key) => key.slice(group.length + 1));

// A text; `{name}` in it stands for a value.
export function t(key, values = {}) {
  return marked(template(key, values).replace(/\{(\w+)\}/g, (_, name) => values[name]));
}

// Nodes of which one is meant, as a list of pieces: `a, b, or c`.
const choices = new Intl.ListFormat(isPseudo ? "en" : language, { type: "disjunction" });
export function anyOf(nodes) {
  const parts = choices.formatToParts(nodes.map((_, k) => String(k)));
  return parts.map(({ type, value }) => (type === "element" ? nodes[value] : marked(value)));
}

// A text in which values may be nodes: the list of its pieces.
export function pieces(key, values) {
  return template(key, values)
    .split(/\{(\w+)\}/)
    .map((piece, k) => (k % 2 ? values[piece] : marked(piece)));
}
