// A session of the trainer: questions at one to four tables, what the coach says, and what it came to.
import { place, topic, word } from "../core/address.js";
import { computed, html, onMounted, ref, shallowRef } from "../core/html.js";
import { onKeys } from "../core/keys.js";
import { percentage } from "../core/numbers.js";
import { get, Refusal, send } from "../core/source.js";
import { pieces, t } from "../core/texts.js";
import { ready, show } from "../parts/frame.js";
import { Notice } from "../parts/notice.js";
import { titleText } from "../poker/titles.js";
import { Coach, pageOf } from "./play/coach.js";
import { actionWord } from "./play/words.js";
import { runClocks } from "./trainer/clocks.js";
import { partPanels, scorePanel } from "./trainer/figures.js";
import { TrainerTable } from "./trainer/table.js";

const KEYS = 9;
const KEPT = ["positions", "streets", "difficulty", "first", "tables", "seconds", "questions"];

const Training = {
  setup() {
    const [session, error] = [shallowRef(null), shallowRef(null)];
    const [isBusy, active, said] = [ref(true), ref(0), ref(null)]; // `said` is the table that was answered last
    const name = `trainer/sessions/${word(topic())}`;
    const clocks = runClocks((table) => answer(table, null));
    const tables = computed(() => session.value?.tables ?? []);
    const canAsk = computed(() => {
      const { state, count, settings } = session.value;
      return state === "running" && (settings.questions === null || count < settings.questions);
    });

    function take(document) {
      session.value = document;
      clocks.set(document.tables);
    }

    async function attempt(act) {
      [isBusy.value, error.value] = [true, null];
      try {
        await act();
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
        if (refusal.kind === "ConflictError" && session.value) take(await get(name).catch(() => session.value));
      }
      isBusy.value = false;
    }

    const post = async (what, body) => take(await send("POST", `${name}/${what}`, body));

    // The table of the next open question, from the active one on; else the active one.
    function moveOn() {
      const all = [...tables.value.slice(active.value), ...tables.value.slice(0, active.value)];
      active.value = (all.find(({ question }) => question) ?? all[0]).table;
    }

    async function answer(table, action) {
      const { question } = tables.value[table] ?? {};
      if (isBusy.value || !question || (action !== null && action >= question.actions.length)) return;
      await attempt(() => post("answer", { table, number: question.number, action }));
      said.value = table;
      moveOn();
    }

    // Ask at a table, or at all that have no question.
    async function ask(asked) {
      if (isBusy.value || !session.value) return;
      const waiting = asked ?? tables.value.filter(({ question }) => !question).map(({ table }) => table);
      await attempt(async () => {
        for (const table of waiting) {
          if (canAsk.value || tables.value[table].question) await post("ask", { table });
        }
      });
      moveOn();
    }

    const again = (body) => attempt(async () => {
      const { id } = await send("POST", "trainer/sessions", body);
      location.assign(place(`trainer/${word(id)}`));
      await new Promise(() => {});
    });

    function same({ settings }) {
      const kept = Object.fromEntries(KEPT.map((key) => [key, settings[key]]));
      return again({ ...kept, solutions: settings.sources.map(({ solution }) => solution) });
    }

    const step = (by) => (active.value = (active.value + by + tables.value.length) % tables.value.length);
    const digits = Array.from({ length: KEYS }, (_, k) => [String(k + 1), () => answer(active.value, k)]);
    onKeys({
      ...Object.fromEntries(digits),
      Enter: () => session.value && canAsk.value && !tables.value.some(({ question }) => question) && ask(),
      ArrowRight: () => tables.value.length && step(1),
      ArrowLeft: () => tables.value.length && step(-1),
    });

    onMounted(async () => {
      await attempt(async () => take(await get(name)));
      if (session.value) moveOn();
      ready();
    });

    function coach() {
      const last = said.value === null ? null : tables.value[said.value]?.answer;
      return html`
        <section class="eq-panel pl-coach tr-coach" aria-label=${t("coach")} aria-live="polite">
          ${last ? html`<${Coach} said=${last} place=${last} isDrilled />`
            : html`<div class="eq-muted">${t("drill.hint")}</div>`}
        </section>`;
    }

    const board = () => html`
      <div class="tr-tables" data-count=${tables.value.length}>
        ${tables.value.map((table) => (table.question || table.answer) && html`
          <${TrainerTable} key=${table.table} table=${table} sources=${session.value.settings.sources}
            isActive=${table.table === active.value} isAlone=${tables.value.length === 1} isBusy=${isBusy.value}
            canAsk=${canAsk.value} isStale=${clocks.isStale(table.table)}
            left=${clocks.left(table.table, session.value.settings.seconds)}
            onChoose=${(action) => answer(table.table, action)} onNext=${() => ask([table.table])}
            onPick=${() => (active.value = table.table)} />`)}
      </div>`;

    function worst({ worst: answers, settings }) {
      const words = ({ actions, chosen, best }) =>
        pieces("drill.not", { chosen: actionWord(actions[chosen].word), best: actionWord(actions[best].word) });
      const row = ({ number, share, source, study, ...one }) => html`
        <li key=${number}>
          <a href=${pageOf(study)}>
            <span class="eq-small" translate="no">${titleText(settings.sources[source].title)}</span>
            <span>${words(one)}</span>
            <span class="pl-lose">${share !== null && percentage(-share, 2)}</span>
          </a>
        </li>`;
      return html`
        <section class="eq-panel eq-stack">
          <h2>${t("training.worst")}</h2>
          <ul class="pl-list tr-worst">${answers.map(row)}</ul>
          <p class="eq-small eq-muted">${t("drill.worst.about")}</p>
        </section>`;
    }

    const bad = ({ id, again: n, settings: { tables: count, seconds } }) => html`
      <button class="eq-button eq-primary" type="button" disabled=${isBusy.value}
        onClick=${() => again({ again: id, tables: count, seconds })}>${t("training.again", { n })}</button>`;

    const after = (found) => html`
      <div class="eq-row">
        ${found.again > 0 && bad(found)}
        <button class="eq-button" type="button" disabled=${isBusy.value} onClick=${() => same(found)}>
          ${t("training.same")}
        </button>
      </div>`;

    const summary = (found) => html`
      <section class="eq-stack" aria-label=${t("training.summary")}>
        <p role="status">${t(`training.${found.score.answers ? "done" : "unused"}`, { n: found.score.answers })}</p>
        ${after(found)}
        ${found.score.answers > 0 && partPanels(found)}
      </section>`;

    const tools = () => html`
      <div class="eq-row">
        <a href=${place("trainer")}>${t("trainer.all")}</a>
        ${session.value.state === "running" && html`
          <button class="eq-button" type="button" disabled=${isBusy.value}
            onClick=${() => attempt(() => post("end"))}>${t("training.end")}</button>
          <span class="eq-small eq-muted tr-keys">
            ${t(tables.value.length > 1 ? "training.keys.many" : "training.keys")}
          </span>`}
      </div>`;

    const body = (found) => html`
      ${tools()}
      ${found.settings.again && html`<p class="eq-muted">${t("training.of-again")}</p>`}
      ${error.value && html`<${Notice} error=${error.value} />`}
      <div class="pl-layout">
        <div class="pl-board">${found.state === "running" ? board() : summary(found)}</div>
        <aside class="eq-stack" aria-label=${t("training.score")}>
          ${(found.state === "running" || said.value !== null) && coach()}
          ${scorePanel(found)}
          ${found.worst.length > 0 && worst(found)}
        </aside>
      </div>`;

    return () => html`
      <div class="eq-stack">
        ${session.value ? body(session.value) : error.value && html`
          <${Notice} error=${error.value} />
          <p><a href=${place("trainer")}>${t("trainer.all")}</a></p>`}
      </div>`;
  },
};

show(Training, "play", t("training.title"));
