// One iteration of CFR, step by step, beside the formulas; the numbers are those of the reference.
import { onReturn, place, said, say, word } from "../core/address.js";
import { computed, html, onMounted, reactive, ref, shallowRef, watch } from "../core/html.js";
import { onKeys } from "../core/keys.js";
import { can, get, Refusal } from "../core/source.js";
import { pieces, t } from "../core/texts.js";
import { ready, show } from "../parts/frame.js";
import { shownName, shownWay, textOfShown } from "../parts/labels.js";
import { Notice } from "../parts/notice.js";
import { GameTree } from "../parts/tree.js";
import { formula } from "./learn/formulas.js";
import { sampledProfile, traversalStarts } from "./learn/sampled.js";
import { SampledStep } from "./learn/sampled_step.js";
import {
  endingNote, endingSheet, lettersAt, noteAt, profileAt, sheetAt, STAGES, stageAt, turnAt,
} from "./learn/sheet.js";
import { Sheet } from "./learn/sheet_table.js";

const ALGORITHMS = ["cfr", "cfr+", "dcfr", "lcfr", "pcfr+"];
const SAMPLERS = [
  "chance", "external", "outcome", "public-chance", "average-strategy", "robust", "probing", "pure", "escher",
  "textbook",
];
const MANY = 20; // infosets; more are found by a field

// What a field proposes; it is drawn again only if that changes.
const Proposals = {
  props: { id: String, names: Array },
  setup: (props) => () => html`
    <datalist id=${props.id}>${props.names.map((name) => html`<option key=${name} value=${name} />`)}</datalist>`,
};

// The infoset of a step in the tree of the game, or what follows one of its histories.
const Aside = {
  props: { lesson: Object, turn: Object },
  setup(props) {
    const from = ref(0);
    watch(() => props.turn, () => {
      from.value = 0;
    });
    const source = () => `games/${word(props.lesson.game)}`;
    const rows = computed(() => profileAt(props.lesson, props.turn));
    const tree = (moves, label) => html`
      <${GameTree} source=${source()} moves=${moves} infoset=${props.turn?.infoset ?? ""} rows=${rows.value}
        height=${620} label=${label} />`;
    const remark = (key) => html`<p class="eq-small eq-muted">${t(key)}</p>`;
    function part() {
      const { histories } = props.turn;
      return html`
        <label class="eq-row">${t("lesson.follows")}
          <select class="eq-field eq-mono" translate="no" aria-label=${t("lesson.follows")} value=${from.value}
            onChange=${(event) => (from.value = Number(event.target.value))}>
            ${histories.map((one, k) => html`
              <option value=${k}>${shownWay(props.lesson.shown_names, one.history)}</option>`)}
          </select>
        </label>
        ${tree((histories[from.value] ?? histories[0]).history, t("lesson.follows.name"))}
        ${remark("lesson.edges.part")}`;
    }
    return () => html`
      <section class="eq-panel eq-stack eqg-aside" aria-label=${t("lesson.aside")}>
        ${props.lesson.is_drawn && tree([], t("lesson.tree"))}
        ${props.lesson.is_drawn && remark(props.turn ? "lesson.edges.now" : "lesson.edges.average")}
        ${!props.lesson.is_drawn && props.turn && part()}
        ${!props.lesson.is_drawn && !props.turn && html`
          <p class="eq-muted">
            ${t("lesson.too-large")} <a href=${place(source(), { view: "walk" })}>${t("lesson.walk")}</a>
          </p>`}
      </section>`;
  },
};

// The same while an iteration is sampled.
const SampledAside = {
  props: { lesson: Object, place: Number },
  setup: (props) => () => {
    const { lesson, place: at } = props;
    const source = `games/${word(lesson.game)}`;
    const step = lesson.steps[at];
    return html`
      <section class="eq-panel eq-stack eqg-aside" aria-label=${t("lesson.aside")}>
        ${lesson.is_drawn && html`
          <${GameTree} source=${source} moves=${[]} infoset=${step?.infoset ?? ""} height=${620}
            rows=${sampledProfile(lesson, at)} label=${t("lesson.tree")} />
          <p class="eq-small eq-muted">${t(step ? "sampled.edges" : "lesson.edges.average")}</p>`}
        ${!lesson.is_drawn && html`
          <p class="eq-muted">
            ${t("lesson.too-large")}${" "}
            <a href=${place(source, { view: "walk", move: step?.history ?? [] })}>${t("lesson.walk")}</a>
          </p>`}
      </section>`;
  },
};

const Learn = {
  setup() {
    const form = reactive({});
    const lesson = shallowRef(null);
    const error = shallowRef(null);
    const step = ref(0);
    const wanted = ref("");
    const lost = ref("");
    const games = shallowRef([]);
    const isSampled = computed(() => Boolean(lesson.value?.steps));
    const infosets = computed(() => {
      const { turns, shown_names: names } = lesson.value;
      return turns.map((one) => shownName(names, one.infoset));
    });
    const turn = computed(() => (isSampled.value ? null : turnAt(lesson.value, step.value)));
    const isLast = computed(() => step.value === lesson.value.num_steps - 1);
    const isFirst = computed(() => step.value === 0 && lesson.value.iteration === 1);

    let shown = {};  // the form of the lesson that is there; what is typed since is not asked yet
    let asking = 0;
    // Whether the lesson that the form asks for is there; an answer that comes late is dropped.
    async function load(at) {
      const [game, sampler] = [form.game.trim(), form.sampler.trim()];
      const { algorithm, iteration, alternating, seed } = form;
      const asked = sampler ? { sampler, iteration, seed } : { algorithm, iteration, alternating };
      asking += 1;
      const mine = asking;
      error.value = null;
      try {
        const found = await get(`games/${word(game)}/${sampler ? "sampled-lesson" : "lesson"}`, asked);
        if (mine !== asking) return false;
        shown = { game, ...asked };
        const last = found.num_steps - 1;
        [lesson.value, error.value, lost.value, wanted.value] = [found, null, "", ""];
        step.value = at < 0 ? last : Math.min(at, last);
        return true;
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        if (mine === asking) error.value = refusal;
        return false;
      }
    }

    async function read() {
      const asked = said();
      Object.assign(form, {
        game: asked.one("game", "kuhn"),
        algorithm: asked.one("algorithm", "cfr"),
        iteration: asked.one("iteration", "1"),
        alternating: asked.one("alternating", "true"),
        sampler: asked.one("sampler"),
        seed: asked.one("seed", "0"),
      });
      await load(Math.max(1, asked.number("step", 1)) - 1);
    }

    const keep = () => say({ ...shown, step: step.value + 1 }, true);

    async function begin(event) {
      event.preventDefault();
      if (await load(0)) keep();
    }

    function to(place) {
      step.value = place;
      keep();
    }

    // A step forward or back, also into the next or the last iteration.
    async function move(by) {
      if (!lesson.value) return;
      const { iteration, num_steps: steps } = lesson.value;
      if (step.value + by >= 0 && step.value + by < steps) to(step.value + by);
      else if (by > 0 || iteration > 1) {
        const before = { ...form };
        Object.assign(form, shown, { iteration: iteration + by });
        if (await load(by < 0 ? -1 : 0)) keep();
        else Object.assign(form, before);
      }
    }

    // To the beginning of the next infoset or traversal, of this one, or of the one before.
    function skip(by) {
      if (!lesson.value) return;
      if (isSampled.value) {
        const starts = traversalStarts(lesson.value);
        to((by > 0 ? starts.find((k) => k > step.value) : starts.findLast((k) => k < step.value)) ?? step.value);
        return;
      }
      const here = Math.floor(step.value / STAGES);
      const next = by > 0 ? here + 1 : step.value % STAGES === 0 ? here - 1 : here;
      to(Math.min(Math.max(next * STAGES, 0), lesson.value.num_steps - 1));
    }

    function seek() {
      const name = textOfShown(lesson.value.shown_names, wanted.value.trim());
      const place = lesson.value.turns.findIndex((one) => one.infoset === name);
      lost.value = place < 0 ? wanted.value.trim() : "";
      if (place >= 0) to(place * STAGES);
    }

    onKeys({
      ArrowRight: () => move(1), ArrowLeft: () => move(-1),
      "Shift+ArrowRight": () => lesson.value && !isLast.value && skip(1), "Shift+ArrowLeft": () => skip(-1),
    });
    onReturn(read);
    onMounted(async () => {
      await read();
      ready();
      const names = await get("games").then((all) => all.map((one) => one.name), () => []);
      games.value = names.filter((name) => can(`games/${word(name)}/lesson`));
    });

    // The properties of a field of the form; the one that was refused says so.
    const field = (name, number = false) => ({
      value: number && Number.isNaN(Number(form[name])) ? "" : form[name],
      onInput: (event) => (form[name] = number ? event.target.valueAsNumber || "" : event.target.value),
      "aria-invalid": error.value?.option === name ? "true" : null,
      "aria-describedby": error.value?.option === name ? "lesson-error" : null,
    });
    const asked = () => html`
      <form class="eq-row" onSubmit=${begin} aria-label=${t("lesson.form")}>
        <label class="eq-row">${t("lesson.game")}
          <input class="eq-field eq-mono" list="eqg-games" autocomplete="off" required ...${field("game")} />
        </label>
        ${can(`games/${word(form.game?.trim() ?? "")}/sampled-lesson`) && html`
          <label class="eq-row">${t("lesson.sampler")}
            <input class="eq-field eq-mono eqg-short" list="eqg-samplers" autocomplete="off"
              placeholder=${t("lesson.sampler.none")} ...${field("sampler")} />
          </label>`}
        ${!form.sampler && html`
          <label class="eq-row">${t("lesson.algorithm")}
            <input class="eq-field eq-mono eqg-short" list="eqg-algorithms" autocomplete="off" required
              ...${field("algorithm")} />
          </label>`}
        <label class="eq-row">${t("lesson.iteration")}
          <input class="eq-field eq-num eqg-number" type="number" min="1" required ...${field("iteration", true)} />
        </label>
        ${form.sampler
          ? html`
            <label class="eq-row">${t("lesson.seed")}
              <input class="eq-field eq-num eqg-number" inputmode="numeric" required ...${field("seed")} />
            </label>`
          : html`
            <label class="eq-row">${t("lesson.updates")}
              <select class="eq-field" ...${field("alternating")}>
                <option value="true">${t("lesson.alternating")}</option>
                <option value="false">${t("lesson.simultaneous")}</option>
              </select>
            </label>`}
        <button class="eq-button">${t("lesson.show")}</button>
        <${Proposals} id="eqg-games" names=${games.value} />
        <${Proposals} id="eqg-algorithms" names=${ALGORITHMS} />
        <${Proposals} id="eqg-samplers" names=${SAMPLERS} />
      </form>`;

    const steps = () => html`
      <div class="eq-row">
        <button class="eq-button" type="button" onClick=${() => move(-1)} disabled=${isFirst.value}
          aria-keyshortcuts="ArrowLeft">${t("lesson.back")}</button>
        <button class="eq-button eq-primary" type="button" onClick=${() => move(1)}
          aria-keyshortcuts="ArrowRight">${t("lesson.next")}</button>
        <button class="eq-button" type="button" onClick=${() => skip(-1)} disabled=${step.value === 0}
          aria-keyshortcuts="Shift+ArrowLeft">
          ${t(isSampled.value ? "sampled.previous" : "lesson.previous-infoset")}
        </button>
        <button class="eq-button" type="button" onClick=${() => skip(1)} disabled=${isLast.value}
          aria-keyshortcuts="Shift+ArrowRight">${t(isSampled.value ? "sampled.next" : "lesson.next-infoset")}</button>
        <span class="eq-small eq-muted eq-num">
          ${t("lesson.at", { iteration: lesson.value.iteration, step: step.value + 1, steps: lesson.value.num_steps })}
        </span>
      </div>`;

    const search = () => html`
      <label class="eq-row">${t("lesson.seek")}
        <input class="eq-field eq-mono" list="eqg-infosets" autocomplete="off" value=${wanted.value}
          onInput=${(event) => (wanted.value = event.target.value)} onChange=${seek}
          aria-invalid=${lost.value ? "true" : null} />
        ${lost.value && html`
          <span class="eq-small eq-error" role="alert">${t("lesson.lost", { infoset: lost.value })}</span>`}
        <${Proposals} id="eqg-infosets" names=${infosets.value} />
      </label>`;

    function where({ infoset: key, player }) {
      const infoset = html`<span class="eq-mono" translate="no">${shownName(lesson.value.shown_names, key)}</span>`;
      return pieces("lesson.infoset-of", { infoset, player });
    }

    function stages(stage) {
      const first = step.value - (step.value % STAGES);
      return html`
        <ol class="eqg-stages">
          ${lesson.value.stages.map((name, k) => html`
            <li key=${name}>
              <button class="eqg-link" type="button" aria-current=${name === stage ? "step" : null}
                onClick=${() => to(first + k)}>${t(`lesson.stage.${name}`)}</button>
            </li>`)}
        </ol>`;
    }

    function now() {
      const stage = stageAt(lesson.value, step.value);
      const [letters, note] = [lettersAt(lesson.value, step.value), noteAt(lesson.value, step.value)];
      return html`
        <div class="eq-stack" aria-live="polite">
          <h2>${turn.value ? where(turn.value) : t("lesson.after-iteration", { ...lesson.value })}</h2>
          ${turn.value && stages(stage)}
          <h3>${t(`lesson.stage.${stage}`)}</h3>
          <p>${t(`lesson.about.${stage}`)}</p>
          <div class="eqg-formula" translate="no">${formula(stage)}</div>
          ${letters && html`<p class="eq-small eq-muted">${letters}</p>`}
          <${Sheet} sheet=${sheetAt(lesson.value, step.value)}
            label=${t("lesson.numbers", { stage: t(`lesson.stage.${stage}`) })} />
          ${note && html`<p>${note}</p>`}
        </div>`;
    }

    const sampledNow = () => (isLast.value
      ? html`
        <div class="eq-stack" aria-live="polite">
          <h2>${t("lesson.after-iteration", { ...lesson.value })}</h2>
          <h3>${t("lesson.stage.ending")}</h3>
          <p>${t("sampled.ending")}</p>
          <${Sheet} sheet=${endingSheet(lesson.value, lesson.value.actions)} label=${t("lesson.stage.ending")} />
          <p>${endingNote(lesson.value)}</p>
        </div>`
      : html`<${SampledStep} lesson=${lesson.value} place=${step.value} onGo=${to} />`);

    return () => html`
      <p>
        ${t("lesson.about")}${" "}
        ${can("lessons") && html`<a href=${place("lessons")}>${t("course.link")}</a>`}
      </p>
      <div class="eq-stack eqg-lesson">
        ${asked()}
        <p class="eq-small eq-muted">${t("lesson.keys")}</p>
        ${error.value && html`<${Notice} id="lesson-error" error=${error.value} />`}
        ${lesson.value && html`
          <div class="eqg-lesson-body">
            <section class="eq-panel eq-stack eqg-step" aria-label=${t("lesson.step")}>
              ${steps()}
              ${!isSampled.value && lesson.value.turns.length > MANY && search()}
              <progress class="eqg-progress" value=${step.value + 1} max=${lesson.value.num_steps}
                aria-label=${t("lesson.progress")} />
              ${isSampled.value ? sampledNow() : now()}
            </section>
            ${isSampled.value
              ? html`<${SampledAside} lesson=${lesson.value} place=${step.value} />`
              : html`<${Aside} lesson=${lesson.value} turn=${turn.value} />`}
          </div>`}
      </div>`;
  },
};

show(Learn, "learn", t("section.learn"));
