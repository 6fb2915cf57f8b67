// What the documents of tables and drills call by codes, in the reader's words; the words of games stay.
import { html } from "../../core/html.js";
import { count } from "../../core/numbers.js";
import { hasText, pieces, t } from "../../core/texts.js";
import { entryTitle } from "../../parts/entry_texts.js";
import { plainName } from "../../poker/actions.js";

// A text of the game: what an action is called, an infoset.
export const inEnglish = (text) => html`<span lang="en" translate="no">${text}</span>`;

// What an action is called: in hold'em, "Bet 50", in the reader's words.
export function actionWord(word) {
  const name = /^[A-Z][a-z-]+(?: [\d.]+)?$/.test(word) ? plainName(word) : word;
  return name === word ? inEnglish(word) : html`<span>${name}</span>`;
}

export const gradeName = (grade) => t(`grade.${grade}`);
export const stakeName = (name) => t(`stake.${name.replaceAll(" ", "-")}`);
export const streetName = (name) => (hasText(`street.${name}`) ? t(`street.${name}`) : name);

// Who makes a move: chance, the reader, or one of the others, who are AI, AI 1 and so on.
export function whoName(name) {
  if (name === "chance") return t("game.chance");
  if (name === "you") return t("play.you");
  const [, number] = /^AI ?(\d*)$/.exec(name) ?? [];
  if (number === undefined) return name;
  return number ? t("play.ai.number", { number }) : t("play.ai");
}

// That the solution or the game of a table or drill has been replaced or deleted, if so.
export function goneNote({ gone }) {
  if (!gone) return null;
  const name = html`<span translate="no">${gone.name}</span>`;
  return html`<p role="status">${pieces(`play.gone.${gone.what}`, { name })}</p>`;
}

// What is played: as the library calls it, or a solution that is not there any more by its name.
export function playedTitle({ title, solution }) {
  const { text, isData } = title ? entryTitle({ title }) : { text: solution, isData: true };
  return html`<span translate=${isData ? "no" : null}>${text}</span>`;
}

// How many hands, or infosets of a game.
export const holdingsOf = ({ kind }, n) =>
  t(kind === "game" ? "mixture.infosets" : "mixture.hands", { n, number: count(n) });

// A move: who did what.
export const moveWords = (move) => pieces("play.move", { who: whoName(move.who), word: actionWord(move.word) });
