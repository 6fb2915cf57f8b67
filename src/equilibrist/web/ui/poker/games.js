// What games that come with Equilibrist are called, and what they are about, by the texts that name them.
import { hasText, named, t } from "../core/texts.js";

const TEXT = /^([a-z_]+)(?:\((.*)\))?$/;

// Of prisoners_dilemma, or leduc(players=3); the text itself of a game that has no title here.
export function gameName(text) {
  const [, name, parameters] = TEXT.exec(text ?? "") ?? [];
  if (!hasText(`game-title.${name}`)) return text;
  const title = t(`game-title.${name}`);
  return parameters ? t("games.parameters", { title, parameters }) : title;
}

// The games whose titles have all words of a search, in either case.
export function gamesCalled(search) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (name) => words.every((word) => t(`game-title.${name}`).toLowerCase().includes(word));
  return words.length ? named("game-title").filter(has) : [];
}

// What a parameter of a game means, which some games mean otherwise.
export function parameterMeaning(name, { name: parameter }) {
  const own = `game-parameter.${name}.${parameter}`;
  return t(hasText(own) ? own : `game-parameter.${parameter}`);
}

// What a game is about; null of one that has no words here.
export const gameAbout = (name) => (hasText(`game-about.${name}`) ? t(`game-about.${name}`) : null);
