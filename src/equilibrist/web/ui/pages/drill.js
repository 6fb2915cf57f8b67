// A drill: the same decision of a solution again and again, each answer graded.
import { isOfFiles, place, said, say, topic, word } from "../core/address.js";
import { computed, html, ref } from "../core/html.js";
import { can, get, send } from "../core/source.js";
import { pieces, t } from "../core/texts.js";
import { show } from "../parts/frame.js";
import { Field } from "../parts/field.js";
import { openStored } from "./drill/files.js";
import { amountsOf } from "./play/amounts.js";
import { Choices } from "./play/choices.js";
import { Coach, pageOf } from "./play/coach.js";
import { numberIn, openPlace, stillOpen } from "./play/place.js";
import { notDone, notOpened } from "./play/refused.js";
import { Scene } from "./play/scene.js";
import { answered, choices } from "./play/score.js";
import { actionWord, goneNote, inEnglish, playedTitle } from "./play/words.js";

const name = ref(topic());
const title = computed(() => t("drill.title", { name: name.value }));
const ANY = "*";

function isMeant(drill) {
  const about = drill.kind === "spot" ? said().one("line") : said().one("match", ANY);
  return drill.solution === topic() && drill.about === about;
}

async function open() {
  const asked = said();
  const found = await stillOpen("drills", asked.one("drill"), isMeant);
  if (found) return found;
  const given = {
    line: asked.one("line"),
    match: asked.one("match"),
    player: numberIn(asked.one("player")),
    seed: numberIn(asked.one("seed")),
    stamp: asked.one("stamp"),
  };
  const meant = Object.entries(given).filter(([, value]) => value !== "" && value !== null);
  return send("POST", "play/drills", { solution: topic(), ...Object.fromEntries(meant) });
}

// What a site has of the drill that the address means.
function stored() {
  const solution = `solutions/${word(topic())}`;
  const about = can(`${solution}/study`) ? { line: said().one("line") } : { match: said().one("match", ANY) };
  return get(`${solution}/drill`, about);
}

const Drill = {
  setup() {
    const about = ref(said().one("line") || said().one("match"));
    function keep({ solution, id, about: meant, kind }) {
      const which = kind === "spot" ? { line: meant } : { match: meant, player: said().one("player") };
      [name.value, about.value] = [solution, meant];
      say({ ...which, drill: id }, false, `drill/${word(solution)}`);
    }
    const opened = isOfFiles ? openStored(stored, keep) : openPlace("drills", open, keep);
    const { document: drill, error, isBusy, act } = opened;

    const kindOf = () => drill.value?.kind ?? (said().one("line") ? "spot" : "game");
    const answer = (action) => act("answer", { number: drill.value.question.number, action });

    const drillOf = (meant) => place(`drill/${word(name.value)}`, { [kindOf() === "spot" ? "line" : "match"]: meant });

    function start(event) {
      event.preventDefault();
      location.assign(drillOf(about.value));
    }

    const form = () => html`
      <form class="eq-row pl-about" onSubmit=${start}>
        <${Field} id="about" label=${t(`drill.about.${kindOf()}`)} value=${about.value}
          help=${t(`drill.help.${kindOf()}`)} onValue=${(text) => (about.value = text)} />
        <button class="eq-button">${t("drill.start")}</button>
      </form>`;

    const links = ({ kind, solution, stamp }) => html`
      <div class="eq-row">
        ${can("play") && html`<a href=${place(`play/${word(solution)}`)}>${t("play.play")}</a>`}
        <a href=${place(`${kind === "spot" ? "study" : "explore"}/${word(solution)}`, { stamp })}>${t("play.study")}</a>
      </div>`;

    function where({ kind, about: meant }) {
      const values = { game: playedTitle(drill.value), about: inEnglish(meant) };
      if (kind === "game") return pieces("drill.of.game", values);
      return pieces(meant ? "drill.of.line" : "drill.of.root", values);
    }

    function worst({ worst: answers, kind }) {
      const { value } = amountsOf(drill.value);
      const called = ({ infoset }) => (kind === "spot" ? infoset.split(":")[0] : infoset);
      const words = ({ actions, chosen, best }) =>
        pieces("drill.not", { chosen: actionWord(actions[chosen].word), best: actionWord(actions[best].word) });
      return html`
        <section class="eq-panel eq-stack">
          <h2>${t("drill.worst")}</h2>
          <ul class="pl-list">
            ${answers.map((one) => html`
              <li key=${one.number}>
                <a href=${pageOf(one.study)}>
                  <span class="eq-mono" translate="no">${called(one)}</span>
                  <span>${words(one)}</span>
                  <span class="pl-lose">${value(-one.ev_loss)}</span>
                </a>
              </li>`)}
          </ul>
          <p class="eq-small eq-muted">${t("drill.worst.about")}</p>
        </section>`;
    }

    function coach({ answer: last, question }) {
      if (question) return html`<div class="eq-muted">${t("drill.hint")}</div>`;
      return html`<${Coach} said=${last} place=${drill.value} isDrilled />`;
    }

    const asked = ({ question, answer: last, kind }) => html`
      <${Scene} scene=${(question ?? last).scene} />
      <${Choices} turn=${question} isBusy=${isBusy.value} isGame=${kind === "game"} next=${t("drill.next")}
        onChoose=${answer} onNext=${() => act("ask")} />
      <section class="eq-panel pl-coach" aria-label=${t("coach")} aria-live="polite">${coach(drill.value)}</section>`;

    const body = () => html`
      <p class="eq-muted eq-small">${where(drill.value)}</p>
      ${drill.value.is_later && html`<p class="eq-muted">${t("explore.later")}</p>`}
      ${goneNote(drill.value)}
      <div class="pl-layout">
        <div class="pl-board">
          ${error.value && notDone(error.value, drillOf(drill.value.about))}
          ${asked(drill.value)}
        </div>
        <aside class="eq-stack" aria-label=${t("drill.score")}>
          ${answered(drill.value)}
          ${choices(drill.value)}
          ${drill.value.worst.length > 0 && worst(drill.value)}
        </aside>
      </div>`;

    return () => html`
      <div class="eq-stack">
        ${drill.value && links(drill.value)}
        ${(drill.value || error.value) && can("questions") && form()}
        ${drill.value ? body() : error.value && notOpened(error.value)}
      </div>`;
  },
};

show(Drill, can("play") ? "play" : "library", title);
