// What pages say of stored solutions, from their numbers and codes.
import { place, word } from "../core/address.js";
import { measured, number, percent } from "../core/numbers.js";
import { hasText, t } from "../core/texts.js";
import { seatName, seatsOf } from "../poker/actions.js";
import { isNamed, titleText } from "../poker/titles.js";
import { measureName } from "./job_texts.js";

const OF_THE_COMMAND_LINE = /^last(-\d+)?$/;

// The title of a solution; whether that is data, such as the name of a game.
export function entryTitle({ title }) {
  if (title.kind === "damaged") return { text: t("entry.damaged"), isData: false };
  return { text: titleText(title), isData: isNamed(title) };
}

const PAGES = { spot: "study", three: "study", game: "explore", damaged: null };

// Where a solution is looked at; null for a damaged file.
export function entryPlace({ name, title }) {
  const page = title.kind in PAGES ? PAGES[title.kind] : "charts";
  return page && place(`${page}/${word(name)}`);
}

// Whether it can be renamed, noted and deleted: it lies in the library itself.
export const isOwn = ({ name }) => name !== "given" && !OF_THE_COMMAND_LINE.test(name);

const OF_SPOTS = ["spot", "three"];
const LEAST = 1e-5; // a share below which only that is said

// A share; one that is tiny is only said to be less than something.
export const entryShare = (share) =>
  share > 0 && share < LEAST ? t("entry.less", { share: percent(LEAST) }) : percent(share);

// What was measured, as a figure with its unit and what it is; null where nothing was.
export function measureOf({ measure, measure_name: name, measure_unit: unit, measure_percent: share, title }) {
  if (measure === null) return null;
  const what = measureName(name, title?.kind);
  if (unit === "prize-pool") return { figure: t("entry.of-prizes", { share: entryShare(measure) }), about: what };
  if (share === null) {
    return { figure: measured(measure), about: t("entry.about", { what, unit: t(`entry.in.${unit}`) }) };
  }
  const chips = t("entry.about.chips", { what, chips: measured(measure) });
  return { figure: t("entry.of-pot", { share: entryShare(share / 100) }), about: chips };
}

// What the players earn, as figures with their unit; null where the file does not say it.
export function valueOf({ values, measure_unit: unit, title }) {
  if (values === null || unit === null) return null;
  const text = unit === "prize-pool" ? percent : (value) => number(value, 3);
  const [figure, about] = [values.map(text).join(" / "), t(`entry.in.${unit}`)];
  if (!OF_SPOTS.includes(title.kind)) return { figure, about };
  const seats = seatsOf(title).map((_, who) => seatName(title, who)).join(" / ");
  return { figure, about: t("entry.value.seats", { unit: about, seats }) };
}

// The state of a run that has saved a solution and has not ended, as the end of a sentence on the run.
export const runStateText = ({ state }) =>
  t(hasText(`entry.run.${state}`) ? `entry.run.${state}` : "entry.run.going");
