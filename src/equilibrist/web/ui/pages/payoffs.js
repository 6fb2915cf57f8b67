// A payoff table: typed, pasted, or that of a game, and made into a game.
import { go, said, say, word } from "../core/address.js";
import { computed, html, nextTick, onMounted, ref, shallowRef } from "../core/html.js";
import { get, isOwner, Refusal, send } from "../core/source.js";
import { t } from "../core/texts.js";
import { ready, show } from "../parts/frame.js";
import { Notice } from "../parts/notice.js";
import { gameName } from "../poker/games.js";
import { blank, documentOf, draftOf, faultsOf, withAction, withoutAction } from "./payoffs/draft.js";
import { Grid } from "./payoffs/grid.js";

const STEPS = 100; // that can be undone

const Payoffs = {
  setup() {
    const draft = shallowRef(blank());
    const past = shallowRef([]); // drafts before the last changes
    const left = shallowRef(new Set()); // fields that were left since they came
    const isTried = ref(false);
    const error = shallowRef(null);
    const isMaking = ref(false);
    const pasted = ref("");
    const chooser = ref(null);
    const faults = computed(() => faultsOf(draft.value));
    const shownFaults = computed(() => Object.fromEntries(
      Object.entries(faults.value).filter(([id]) => isTried.value || left.value.has(id)),
    ));

    // A new draft; changes of one text in a row are one step.
    let last = "";
    function put(next, what = "") {
      if (!what || what !== last) past.value = [...past.value, draft.value].slice(-STEPS);
      [draft.value, last, error.value] = [next, what, null];
    }

    function undo() {
      draft.value = past.value.at(-1);
      [past.value, last, error.value] = [past.value.slice(0, -1), "", null];
    }

    function replaced(list, [place, ...rest], text) {
      return list.map((one, k) => (k === place ? (rest.length ? replaced(one, rest, text) : text) : one));
    }

    function change(part, place, text) {
      put({ ...draft.value, [part]: replaced(draft.value[part], place, text) }, `${part}-${place.join("-")}`);
    }

    // Other fields have their places then.
    function shape(next) {
      left.value = new Set();
      isTried.value = false;
      put(next);
    }

    async function attempt(act) {
      error.value = null;
      try {
        await act();
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
    }

    const read = (text) => attempt(async () => {
      const found = draftOf(await send("POST", "payoffs/read", { text }));
      shape({ ...found, title: found.title || draft.value.title, players: draft.value.players });
      pasted.value = "";
    });

    async function open(event) {
      const [file] = event.target.files;
      event.target.value = "";
      if (file) await read(await file.text());
    }

    async function make() {
      isTried.value = true;
      const [first] = Object.keys(faults.value);
      if (first) return nextTick(() => document.getElementById(first).focus());
      isMaking.value = true;
      await attempt(async () => {
        const made = await send("POST", "payoffs", documentOf(draft.value));
        go(`games/${word(made.name)}`);
      });
      isMaking.value = false;
    }

    onMounted(async () => {
      const game = said().one("game");
      if (game) {
        await attempt(async () => {
          const at = `games/${word(game)}`;
          const [table, form] = await Promise.all([get(`${at}/matrix`), get(`${at}/form`)]);
          const title = form.title || gameName(form.name);
          draft.value = draftOf({ ...table, title, players: form.player_names ?? [] });
        });
      }
      ready();
    });

    function clear() {
      say({});
      shape(blank(draft.value.rows.length, draft.value.columns.length));
    }

    const text = (key, value, give) => html`
      <label class="eq-row">${t(key)}
        <input class="eq-field" value=${value} autocomplete="off" maxlength="60"
          onInput=${(event) => give(event.target.value)} />
      </label>`;

    const names = () => html`
      <div class="eq-row">
        ${text("payoffs.title", draft.value.title, (title) => put({ ...draft.value, title }, "title"))}
        ${draft.value.players.map((called, p) =>
          text(`payoffs.player.${p}`, called, (name) => change("players", [p], name)))}
        <label class="eq-row eqy-choice">
          <input type="checkbox" checked=${draft.value.isZeroSum}
            onChange=${(event) => put({ ...draft.value, isZeroSum: event.target.checked })} />
          ${t("payoffs.zero-sum")}
        </label>
      </div>`;

    const pasting = () => html`
      <details class="eq-panel">
        <summary>${t("payoffs.paste")}</summary>
        <div class="eq-stack">
          <p class="eq-small eq-muted">${t("payoffs.paste.about")}</p>
          <textarea class="eq-field eq-mono eqy-text" rows="6" spellcheck="false" value=${pasted.value}
            aria-label=${t("payoffs.paste.text")} onInput=${(event) => (pasted.value = event.target.value)}></textarea>
          <div class="eq-row">
            <button class="eq-button" type="button" disabled=${!pasted.value.trim()}
              onClick=${() => read(pasted.value)}>${t("payoffs.paste.read")}</button>
            <button class="eq-button" type="button" onClick=${() => chooser.value.click()}>${t("payoffs.file")}</button>
            <input ref=${chooser} hidden type="file" aria-label=${t("payoffs.file")} onChange=${open} />
          </div>
        </div>
      </details>`;

    const actions = () => html`
      <div class="eq-row">
        <button class="eq-button eq-primary" type="button" disabled=${isMaking.value} onClick=${make}>
          ${t("payoffs.make")}
        </button>
        <button class="eq-button" type="button" disabled=${!past.value.length} onClick=${undo}>
          ${t("payoffs.undo")}
        </button>
        <button class="eq-button" type="button" onClick=${clear}>${t("payoffs.clear")}</button>
        <span class="eq-small eq-error" role="status">
          ${Object.keys(shownFaults.value).length > 0
            && t("payoffs.faults", { n: Object.keys(shownFaults.value).length })}
        </span>
      </div>`;

    return () => html`
      <div class="eq-stack">
        <p>${t("payoffs.about")}</p>
        ${isOwner
          ? html`
            ${pasting()}
            <section class="eq-panel eq-stack" aria-label=${t("payoffs.table")}>
              ${names()}
              <${Grid} draft=${draft.value} faults=${shownFaults.value} onChange=${change} onPaste=${read}
                onAdd=${(side) => shape(withAction(draft.value, side))}
                onRemove=${(side, k) => shape(withoutAction(draft.value, side, k))}
                onLeave=${(id) => (left.value = new Set([...left.value, id]))} />
              ${actions()}
              ${error.value && html`<${Notice} error=${error.value} />`}
            </section>`
          : html`<p>${t("payoffs.guest")}</p>`}
      </div>`;
  },
};

show(Payoffs, "games", t("payoffs"));
