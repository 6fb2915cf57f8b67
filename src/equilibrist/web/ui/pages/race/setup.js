// The form of a race: a game, what all algorithms share, and the algorithms.
import { html, ref, shallowRef } from "../../core/html.js";
import { get, Refusal, send } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { Field } from "../../parts/field.js";
import { Notice } from "../../parts/notice.js";
import { Proposals } from "../../parts/proposals.js";
import { gameAbout } from "../../poker/game_help.js";
import { entryOf, entryText, isTrained, learnerOf, withLearner } from "./entries.js";

const MOST_ENTRIES = 12;
const EXAMPLE = "lcfr";
const MEASURES = ["", "efce", "efcce", "nfcce"];
const LEARNERS = ["network", "table"];
const CHOICES = {
  measure: () => MEASURES.map((name) => [name, t(name ? `measure.${name}-gap` : "race.measure.default")]),
  side_by_side: () => ["true", "false"].map((value) => [value, t(`race.side-by-side.${value}`)]),
};
// The options that all algorithms share, and their words in the catalogue.
const SHARED = {
  iterations: "iterations", target: "target", seconds: "seconds", measure: "measure", seeds: "seeds",
  side_by_side: "side-by-side", threads: "threads",
};
const LISTS = ["games", "algorithms", "samplers", "networks"];
const NOTHING = [[], [], [], { algorithms: [], missing: null }];

// The options of a form, from those of an address or of a race.
export const optionsOf = (found) => ({
  ...Object.fromEntries(Object.keys(SHARED).map((name) => [name, found(name)])),
});

// What the form proposes: games, algorithms, samplers, and what trains networks. Before it is there, nothing is
// drawn, as it decides how tall the form is.
export const proposals = () => Promise.all(LISTS.map((name) => get(name))).catch(() => NOTHING);

// `form` is {game, entries, options}, `known` what `proposals` gave. `ask` tells that a race is asked for, or no more;
// `start` the job.
export const Setup = {
  props: { form: Object, known: Array },
  emits: ["ask", "start"],
  setup(props, { emit }) {
    const [error, isBusy] = [shallowRef(null), ref(false)];
    const networks = () => props.known[3];

    async function start(event) {
      event.preventDefault();
      [isBusy.value, error.value] = [true, null];
      emit("ask", true);
      const { game, entries, options } = props.form;
      const given = Object.fromEntries(Object.entries(options).filter(([, text]) => text.trim() !== ""));
      const algorithms = entries.map(entryText).filter((text) => text !== "");
      try {
        emit("start", await send("POST", "jobs", { game: game.trim(), algorithms, options: given }));
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
        emit("ask", false);
      }
      isBusy.value = false;
    }

    // Of games of the reader's own what their files say; drawn once, as `known` stays.
    const games = props.known[0].map(({ name, title, summary }) =>
      ({ name, summary: gameAbout(name) ?? title ?? summary }));
    const refusalOf = (name) => (error.value?.option === name ? error.value : null);
    const isInPlace = (name) => name === "game" || name in SHARED;

    const shared = (name) => html`
      <${Field} id=${`race-${name}`} key=${name} label=${t(`race.${SHARED[name]}`)} value=${props.form.options[name]}
        help=${t(`race.${SHARED[name]}.help`)} error=${refusalOf(name)} choices=${CHOICES[name]?.() ?? null}
        placeholder=${name in CHOICES ? "" : t(`race.${SHARED[name]}.default`)}
        onValue=${(text) => (props.form.options[name] = text)} />`;

    // Of an algorithm that trains: by what it learns, in place of a sampler.
    const learner = (entry, n) => html`
      <select class="eq-field" aria-label=${t("race.learner", { n })} value=${learnerOf(entry)}
        onChange=${(event) => (entry.algorithm = withLearner(entry, event.target.value))}>
        ${LEARNERS.map((name) => html`<option key=${name} value=${name}>${t(`race.learner.${name}`)}</option>`)}
      </select>`;

    function entryRow(entry, k) {
      const { entries } = props.form;
      const [n, trains] = [k + 1, isTrained(entry, networks().algorithms)];
      return html`
        <div key=${k} class="eq-row rc-entry">
          <input class="eq-field eq-mono" list="race-algorithms" autocomplete="off" translate="no"
            placeholder=${EXAMPLE} aria-label=${t("race.algorithm", { n })} value=${entry.algorithm}
            onInput=${(event) => (entry.algorithm = event.target.value)} />
          <span aria-hidden="true">@</span>
          <input class="eq-field eq-mono" list="race-samplers" autocomplete="off" aria-label=${t("race.sampler", { n })}
            placeholder=${t("race.sampler.none")} value=${entry.sampler} disabled=${trains}
            onInput=${(event) => (entry.sampler = event.target.value)} />
          ${trains && learner(entry, n)}
          <button class="eq-button" type="button" aria-label=${t("race.remove.number", { n })}
            disabled=${entries.length < 2} onClick=${() => entries.splice(k, 1)}>${t("race.remove")}</button>
        </div>`;
    }

    const trainsAny = () => props.form.entries.some((entry) => isTrained(entry, networks().algorithms));
    const needsNetworks = () =>
      props.form.entries.some((entry) => isTrained(entry, networks().algorithms) && learnerOf(entry) === "network");

    // Its place is kept as long as an algorithm trains, whatever it learns by.
    const lacking = () => html`
      <div class="eq-small eq-error rc-lacking">
        ${needsNetworks() && html`<p lang="en" translate="no">${networks().missing}</p><p>${t("race.no-networks")}</p>`}
      </div>`;

    const entriesOf = ({ entries }) => html`
      <fieldset class="rc-entries">
        <legend>${t("race.algorithms")}</legend>
        ${entries.map(entryRow)}
        ${networks().missing && trainsAny() && lacking()}
        <button class="eq-button" type="button" disabled=${entries.length >= MOST_ENTRIES}
          onClick=${() => entries.push(entryOf(""))}>${t("race.add")}</button>
      </fieldset>`;

    return () => html`
      <form class="eq-panel eq-stack" onSubmit=${start} aria-label=${t("race.setup")}>
        <div class="eqg-fields">
          <${Field} id="race-game" label=${t("race.game")} value=${props.form.game} list="race-games"
            help=${t("race.game.help")} error=${refusalOf("game")} onValue=${(text) => (props.form.game = text)} />
          ${Object.keys(SHARED).map(shared)}
        </div>
        ${entriesOf(props.form)}
        <${Proposals} id="race-games" entries=${games} isOurs />
        <${Proposals} id="race-algorithms" entries=${[...props.known[1], ...networks().algorithms]} />
        <${Proposals} id="race-samplers" entries=${props.known[2]} />
        ${error.value && !isInPlace(error.value.option) && html`<${Notice} error=${error.value} />`}
        <div class="eq-row">
          <button class="eq-button eq-primary" disabled=${isBusy.value}>${t("race.start")}</button>
          <span class="eq-small eq-muted">${t("race.limits")}</span>
        </div>
      </form>`;
  },
};
