// A table against a solution: the scene, the choices, the coach, the score, and the replay of hands.
import { onReturn, place, said, say, topic, word } from "../core/address.js";
import { html, ref, shallowRef } from "../core/html.js";
import { get, send } from "../core/source.js";
import { t } from "../core/texts.js";
import { keep, kept } from "../core/theme.js";
import { show } from "../parts/frame.js";
import { Bets } from "./play/bets.js";
import { Choices } from "./play/choices.js";
import { Coach } from "./play/coach.js";
import { hands } from "./play/hands.js";
import { Mixture } from "./play/mixture.js";
import { numberIn, openPlace, stillOpen } from "./play/place.js";
import { notDone, notOpened } from "./play/refused.js";
import { Replay } from "./play/replay.js";
import { result } from "./play/result.js";
import { Scene } from "./play/scene.js";
import { choices, won } from "./play/score.js";
import { goneNote, inEnglish, playedTitle } from "./play/words.js";

const SEATS = ["oop", "ip"];
const PAGES = { spot: "study", hand: "charts", game: "explore" };
const title = t("table.title", { name: topic() });

// A seat of the address: oop, ip, or its number.
const seatIn = (text) => (SEATS.includes(text) ? SEATS.indexOf(text) : numberIn(text));
const seatWord = ({ kind }, seat) => (kind === "spot" ? SEATS[seat] : String(seat));

async function open() {
  const [asked, solution] = [said(), topic()];
  const found = await stillOpen("tables", asked.one("table"), (table) => table.solution === solution);
  if (found) return found;
  const how = { seat: seatIn(asked.one("seat")), seed: numberIn(asked.one("seed")) };
  return send("POST", "play/tables", { solution, ...how });
}

// What was done last lies on the table when a hand is over.
function sceneOf({ turn, over }) {
  if (turn) return turn.scene;
  if (over.scenes) return over.scenes.at(-1);
  return { kind: "game", player: over.player, cards: [], board: [], facts: [], moves: over.moves };
}

const Table = {
  setup() {
    const replayed = shallowRef(null);
    const isCoached = ref(kept("coach", "on") !== "off");
    const { document: table, error, isBusy, name, act, attempt } = openPlace("tables", open, async (found) => {
      const seat = found.seat === null ? "" : seatWord(found, found.seat);
      const hand = said().one("hand");
      say({ seat, table: found.id, hand });
      if (hand) replayed.value = await get(`play/tables/${word(found.id)}/hands/${word(hand)}`);
    });

    // Show the hand that the address names, if any.
    async function read() {
      const hand = said().one("hand");
      if (!hand) replayed.value = null;
      else await attempt(async () => (replayed.value = await get(`${name.value}/hands/${word(hand)}`)));
    }

    async function replay(hand) {
      const { seat, id } = table.value;
      say({ seat: seat === null ? "" : seatWord(table.value, seat), table: id, hand }, true);
      await read();
      if (hand !== null) window.scrollTo({ top: 0 });
    }

    onReturn(() => table.value && read());

    function turnCoach() {
      isCoached.value = !isCoached.value;
      keep("coach", isCoached.value ? "on" : "off");
    }

    const at = () => ({ hand: table.value.turn.hand, move: table.value.turn.move });
    const choose = (action) => act("choose", { ...at(), action });
    const bet = (amount) => act("choose", { ...at(), amount });

    function seats({ seat: chosen, kind, players, seat_names: names, solution }) {
      const link = (text, seat) => html`
        <a key=${seat} href=${place(`play/${word(solution)}`, { seat: seat === null ? "" : seatWord({ kind }, seat) })}
          aria-current=${seat === chosen ? "page" : null}>${text}</a>`;
      const called = (seat) => {
        if (names) return inEnglish(names[seat]);
        return kind === "spot" ? inEnglish(SEATS[seat].toUpperCase()) : t("game.player", { player: seat });
      };
      return html`
        <nav class="eq-row" aria-label=${t("table.seat")}>
          <span class="eq-muted">${t("table.seat")}</span>
          ${link(t("table.seat.turns"), null)}
          ${Array.from({ length: players }, (_, seat) => link(called(seat), seat))}
        </nav>`;
    }

    const head = ({ kind, solution, stamp }) => html`
      <div class="eq-row pl-head">
        <button class="eq-button" type="button" aria-pressed=${String(isCoached.value)} onClick=${turnCoach}>
          ${t(isCoached.value ? "table.coach.on" : "table.coach.off")}
        </button>
        ${kind !== "hand" && html`<a href=${place(`drill/${word(solution)}`)}>${t("play.drill")}</a>`}
        <a href=${place(`${PAGES[kind]}/${word(solution)}`, { stamp })}>${t("play.study")}</a>
        ${seats(table.value)}
        <span class="eq-muted eq-small pl-game">${playedTitle(table.value)}</span>
      </div>
      ${goneNote(table.value)}`;

    function hint({ kind, has_coach: hasCoach }) {
      if (kind === "hand") return t("coach.hint.estimates");
      return t(hasCoach ? "coach.hint" : "coach.none");
    }

    function coach() {
      const last = table.value.decisions.at(-1);
      if (!isCoached.value) return html`<div class="eq-muted">${t("coach.off")}</div>`;
      if (!last) return html`<div class="eq-muted">${hint(table.value)}</div>`;
      return html`<${Coach} said=${last} place=${table.value} />`;
    }

    function bets({ bets: limits }) {
      if (!limits) return html`<div class="pl-bets"><div class="pl-quote">${t("bet.none")}</div></div>`;
      return html`<${Bets} bets=${limits} table=${name.value} isBusy=${isBusy.value} onBet=${bet} />`;
    }

    function hand() {
      const { turn, over, kind } = table.value;
      return html`
        <${Scene} scene=${sceneOf(table.value)} />
        <${Choices} turn=${turn} isBusy=${isBusy.value} isGame=${kind === "game"} next=${t("table.next")}
          onChoose=${choose} onNext=${() => act("deal")}>
          ${over && result(over, table.value)}
        <//>
        ${turn && kind !== "game" && bets(turn)}
        <section class="eq-panel pl-coach" aria-label=${t("coach")} aria-live="polite">${coach()}</section>
        <${Mixture} table=${table.value} name=${name.value} isBusy=${isBusy.value}
          onReveal=${(shown) => act("reveal", { shown })} />`;
    }

    function board() {
      if (!replayed.value) return hand();
      return html`<${Replay} hand=${replayed.value} place=${table.value} onClose=${() => replay(null)} />`;
    }

    const again = ({ solution, seat }) =>
      place(`play/${word(solution)}`, { seat: seat === null ? "" : seatWord(table.value, seat) });

    const body = () => html`
      ${head(table.value)}
      <div class="pl-layout">
        <div class="pl-board">
          ${error.value && notDone(error.value, again(table.value))}
          ${board()}
        </div>
        <aside class="eq-stack" aria-label=${t("score")}>
          ${won(table.value)}
          ${table.value.has_coach && table.value.kind !== "hand" && choices(table.value)}
          ${table.value.recent.length > 0 && hands(table.value, name.value, replay)}
        </aside>
      </div>`;

    return () => html`<div class="eq-stack">${table.value ? body() : error.value && notOpened(error.value)}</div>`;
  },
};

show(Table, "play", title);
