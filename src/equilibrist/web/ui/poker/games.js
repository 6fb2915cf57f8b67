// What games that come with Equilibrist are called, by the texts that name them.
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
