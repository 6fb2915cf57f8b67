// Where a form comes from and goes to: other programs' texts and files, saved setups, an example.
import { html, nextTick, onMounted, ref, shallowRef, watch } from "../../core/html.js";
import { place, said, word } from "../../core/address.js";
import { get, isOwner, Refusal, send } from "../../core/source.js";
import { language, pieces, t } from "../../core/texts.js";
import { Dialog, Question } from "../../parts/dialog.js";
import { dropNote, takeDrops } from "../../parts/dropping.js";
import { Notice } from "../../parts/notice.js";
import { saveText } from "../../parts/saving.js";
import { SEATS } from "./store.js";

const ACCEPTED = ".toml,.txt,.json,.phh,.phhs,.log,.csv,text/*";
const FORMS = { toml: "toml", pio: "txt", "pio-script": "txt", texassolver: "txt", wasm: "json" };
const LARGEST = 500_000; // bytes of a file
const NAMES_OF_STREETS = ["street", "last"]; // values of what is left out

// Act on the server, and keep what it refuses: {error, isBusy, attempt}.
function attempts() {
  const [error, isBusy] = [shallowRef(null), ref(false)];
  async function attempt(act) {
    [error.value, isBusy.value] = [null, true];
    try {
      await act();
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      error.value = refusal;
    }
    isBusy.value = false;
  }
  return { error, isBusy, attempt };
}

// What the spot does not have of a text; what that says stays as it is written.
function omissionText({ code, values }) {
  const shown = {};
  for (const [name, value] of Object.entries(values)) {
    shown[name] = NAMES_OF_STREETS.includes(name)
      ? t(`street.${value}`).toLocaleLowerCase(language)
      : html`<span translate="no">${value}</span>`;
  }
  return pieces(`spot.left-out.${code}`, shown);
}

// `file` is one that was dropped on the page; another one may follow.
const Import = {
  props: { store: Object, file: File },
  emits: ["close"],
  setup(props, { emit }) {
    const { store } = props;
    const [text, name, read] = [ref(""), ref(""), shallowRef(null)];
    const { error, isBusy, attempt } = attempts();
    const isChoice = () => error.value?.option === "name";

    const take = () => attempt(async () => {
      const found = await send("POST", "setup/read", {
        text: text.value, name: name.value.trim() || null, form: store.form.value,
      });
      store.replace(found.form);
      if (found.omissions.length) read.value = found;
      else emit("close");
    });
    function open(event) {
      const [file] = event.target.files;
      event.target.value = "";
      if (file) from(file);
    }
    async function from(file) {
      if (file.size > LARGEST) {
        error.value = new Refusal({ kind: "TooLargeError", option: "text" }, 413);
        return;
      }
      [text.value, name.value] = [await file.text(), ""];
      await take();
    }
    watch(() => props.file, (file) => file && from(file), { immediate: true });

    const form = () => html`
      <p>${t("spot.import.about")}</p>
      <label class="su-field">${t("spot.import.text")}
        <textarea class="eq-field eq-mono" rows="10" spellcheck="false" value=${text.value}
          onInput=${(event) => ([text.value, error.value] = [event.target.value, null])}></textarea>
      </label>
      ${(isChoice() || name.value) && html`
        <label class="su-field">${t("spot.import.name")}
          <input class="eq-field" value=${name.value} onInput=${(event) => (name.value = event.target.value)} />
        </label>`}
      ${error.value && html`<${Notice} error=${error.value} otherwise=${"spot.import.refused"} />`}
      <div class="eq-row">
        <button class="eq-button eq-primary" type="button" disabled=${isBusy.value || !text.value.trim()}
          onClick=${take}>${t("spot.import.take")}</button>
        <label class="eq-button su-file">${t("spot.import.file")}
          <input type="file" class="eq-hidden" accept=${ACCEPTED} onChange=${open} />
        </label>
      </div>`;
    const done = () => html`
      <p>${t("spot.import.lacks")}</p>
      <ul>${read.value.omissions.map((one, k) => html`<li key=${k}>${omissionText(one)}</li>`)}</ul>
      <div class="eq-row">
        <button class="eq-button eq-primary" type="button" onClick=${() => emit("close")}>${t("dialog.done")}</button>
      </div>`;
    return () => html`
      <${Dialog} title=${t("spot.import")} onClose=${() => emit("close")}>${read.value ? done() : form()}<//>`;
  },
};

const Export = {
  props: { store: Object, file: null },
  emits: ["close"],
  setup({ store }, { emit }) {
    const [form, isIncomplete] = [ref("toml"), ref(false)];
    const { error, isBusy, attempt } = attempts();
    const save = () => attempt(async () => {
      const toml = await store.spot();
      isIncomplete.value = toml === null;
      if (toml === null) return;
      const written = form.value === "toml" ? toml : (await send("POST", "spots/write", { toml, to: form.value })).text;
      saveText(written, `${store.form.value.board.replace(/[^\w]/g, "")}.${FORMS[form.value]}`, "text/plain");
      emit("close");
    });
    return () => html`
      <${Dialog} title=${t("spot.export")} onClose=${() => emit("close")}>
        <label class="su-field">${t("spot.export.form")}
          <select class="eq-field" value=${form.value} onChange=${(event) => (form.value = event.target.value)}>
            ${Object.keys(FORMS).filter((name) => name === "toml" || !store.isOfThree.value).map((name) => html`
              <option key=${name} value=${name}>${t(`spot.export.${name}`)}</option>`)}
          </select>
        </label>
        ${error.value && html`<${Notice} error=${error.value} otherwise=${"spot.export.refused"} />`}
        ${isIncomplete.value && html`<p class="eq-error" role="alert">${t("spot.incomplete")}</p>`}
        <div class="eq-row">
          <button class="eq-button eq-primary" type="button" disabled=${isBusy.value} onClick=${save}>
            ${t("spot.export.save")}
          </button>
        </div>
      <//>`;
  },
};

const Saved = {
  props: { store: Object, file: null },
  emits: ["close"],
  setup({ store }, { emit }) {
    const [names, name, doomed, isIncomplete] = [shallowRef([]), ref(""), ref(null), ref(false)];
    const { error, isBusy, attempt } = attempts();
    const load = async () => (names.value = await get("setups"));
    onMounted(() => attempt(load));

    const use = (chosen) => attempt(async () => {
      store.replace((await get("setup/form", { setup: chosen })).form);
      emit("close");
    });
    const save = () => attempt(async () => {
      const toml = await store.spot();
      isIncomplete.value = toml === null;
      if (toml === null) return;
      await send("PUT", `setups/${word(name.value.trim())}`, { toml });
      await load();
    });
    async function answer(isYes) {
      const chosen = doomed.value;
      doomed.value = null;
      if (!isYes) return;
      await attempt(async () => {
        await send("DELETE", `setups/${word(chosen)}`);
        await load();
      });
    }

    const row = (one) => html`
      <li key=${one}>
        <button class="eq-button eq-grow su-fit" type="button" translate="no" onClick=${() => use(one)}>${one}</button>
        ${isOwner && html`
          <button class="eq-button" type="button" aria-label=${t("spot.saved.delete", { name: one })}
            onClick=${() => (doomed.value = one)}>${t("spot.delete")}</button>`}
      </li>`;
    const keeping = () => html`
      <div class="eq-row su-keep">
        <label class="su-field">${t("spot.saved.name")}
          <input class="eq-field" placeholder=${t("spot.saved.example")} value=${name.value}
            onInput=${(event) => (name.value = event.target.value)} />
        </label>
        <button class="eq-button" type="button" disabled=${isBusy.value || !name.value.trim()} onClick=${save}>
          ${t("spot.saved.save")}
        </button>
      </div>`;
    return () => html`
      <${Dialog} title=${t("spot.saved")} onClose=${() => emit("close")}>
        ${!names.value.length && html`<p class="eq-muted">${t("spot.saved.none")}</p>`}
        <ul class="su-lines">${names.value.map(row)}</ul>
        ${isOwner && keeping()}
        ${isIncomplete.value && html`<p class="eq-error" role="alert">${t("spot.incomplete")}</p>`}
        ${error.value && html`<${Notice} error=${error.value} />`}
        ${doomed.value && html`
          <${Question} question=${t("spot.saved.ask", { name: doomed.value })} action=${t("spot.delete")}
            onAnswer=${answer} />`}
      <//>`;
  },
};

const DIALOGS = { import: Import, export: Export, saved: Saved };

// The row of buttons. `forms` has the example and the blank form.
export const Files = {
  props: { store: Object, forms: Object },
  setup(props) {
    const [opened, row, dropped] = [ref(null), ref(null), shallowRef(null)];
    const isOver = takeDrops(([file]) => file && ([dropped.value, opened.value] = [file, "import"]));
    async function close() {
      const name = opened.value;
      [opened.value, dropped.value] = [null, null];
      await nextTick();
      if (document.activeElement !== document.body) return; // the reader has gone on
      row.value?.querySelector(`[data-opens=${name}]`)?.focus();
    }
    // The address has the draft only once the form is there.
    const toReport = (event) => (event.currentTarget.href = place("reports", { draft: said().one("draft") }));
    const opener = (name) => html`
      <button key=${name} class="eq-button" type="button" data-opens=${name} onClick=${() => (opened.value = name)}>
        ${t(`spot.${name}`)}
      </button>`;
    // The example of three players is asked for when it is wanted.
    async function fill(name) {
      const { players } = props.store.form.value;
      const isOther = name === "example" && players === "3";
      const form = isOther ? (await get("setup/form", { example: true, players })).form : props.forms[name];
      props.store.replace({ ...form, players });
    }
    const players = () => html`
      <div class="eq-row su-players" role="group" aria-label=${t("spot.players")}>
        <span>${t("spot.players")}</span>
        ${Object.keys(SEATS).map((count) => html`
          <button key=${count} class="eq-button" type="button" aria-label=${t("spot.players.of", { n: Number(count) })}
            aria-pressed=${String(props.store.form.value.players === count)}
            onClick=${() => props.store.choosePlayers(count)}>${count}</button>`)}
      </div>`;
    const filler = (name) => html`
      <button key=${name} class="eq-button" type="button" onClick=${() => fill(name)}>
        ${t(`spot.fill.${name}`)}
      </button>`;
    return () => html`
      <div class="eq-row" ref=${row}>
        ${players()}
        ${Object.keys(DIALOGS).map(opener)}${["example", "blank"].map(filler)}
        ${isOwner && !props.store.isOfThree.value && html`
          <a class="eq-button" href=${place("reports")} onClick=${toReport}>${t("spot.report")}</a>`}
        ${opened.value && html`
          <${DIALOGS[opened.value]} store=${props.store} file=${dropped.value} onClose=${close} />`}
        ${isOver.value && dropNote(t("spot.drop"))}
      </div>`;
  },
};
