// What is reviewed, and what it is held against.
import { html, reactive, ref, shallowRef, watch } from "../../core/html.js";
import { get, Refusal, send } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { entryTitle } from "../../parts/entry_texts.js";
import { Field } from "../../parts/field.js";
import { Notice } from "../../parts/notice.js";

const MOST_JUDGES = 50;
const MORE = ["ranges", "bets", "raises", "target", "seconds"];
const OPTIONS = ["target", "seconds"]; // those of the solves
const FIELDS = ["hands", "hero", "against", ...MORE];

const EMPTY = { hands: "", hero: "", everybody: false, solve: true, keep: false };
for (const name of MORE) EMPTY[name] = "";

// The solutions of hold'em in the library; those that do not come are left out.
export async function judges() {
  const { solutions } = await get("play/solutions").catch((refusal) => {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { solutions: [] };
  });
  return solutions.filter(({ title }) => title.kind !== "game");
}

// The server takes no more, and would not read so far as to say so.
async function checkSize(size) {
  const { limits } = await get("me");
  if (size > limits.reviewed_bytes) throw new Refusal({ kind: "TooLargeError", option: "hands" }, 413);
}

const given = (form, names) =>
  Object.fromEntries(names.map((name) => [name, form[name].trim()]).filter(([, text]) => text !== ""));

// `known` are the solutions that may judge, `file` one of hands that was dropped. `start` is told the job.
export const Setup = {
  props: { known: Array, file: File },
  emits: ["start"],
  setup(props, { emit }) {
    const form = reactive({ ...EMPTY });
    const chosen = ref(props.known.slice(0, MOST_JUDGES).map(({ name }) => name));
    const [error, isBusy, chooser] = [shallowRef(null), ref(false), ref(null)];

    const body = () => ({
      review: {
        ...given(form, ["ranges", "bets", "raises", "hero"]),
        hands: form.hands, against: chosen.value, everybody: form.everybody, solve: form.solve,
        keep: form.solve && form.keep,
      },
      options: given(form, OPTIONS),
    });

    async function start(event) {
      event.preventDefault();
      [isBusy.value, error.value] = [true, null];
      try {
        await checkSize(new Blob([JSON.stringify(body())]).size);
        emit("start", await send("POST", "jobs", body()));
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
      isBusy.value = false;
    }

    function chosenFile(event) {
      const [file] = event.target.files;
      event.target.value = "";
      if (file) read(file);
    }
    async function read(file) {
      error.value = null;
      try {
        await checkSize(file.size);
        form.hands = await file.text();
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
    }
    watch(() => props.file, (file) => file && read(file), { immediate: true });

    function choose(name) {
      const others = chosen.value.filter((one) => one !== name);
      chosen.value = others.length < chosen.value.length ? others : [...others, name];
    }

    const refused = (option) => (error.value?.option === option ? error.value : null);
    const field = (name) => html`
      <${Field} id=${`review-${name}`} label=${t(`review.field.${name}`)} value=${form[name]}
        help=${t(`review.field.${name}.help`)} error=${refused(name)} onValue=${(text) => (form[name] = text)} />`;
    const tick = (name) => html`
      <label class="eq-row rv-judge">
        <input type="checkbox" checked=${form[name]} onChange=${() => (form[name] = !form[name])} />
        ${t(`review.field.${name}`)}
      </label>`;

    const hands = () => html`
      <div class="eqg-field">
        <label for="review-hands">${t("review.field.hands")}</label>
        <textarea class="eq-field rv-hands eq-mono" id="review-hands" rows="9" value=${form.hands} spellcheck="false"
          aria-describedby="review-hands-said" aria-invalid=${refused("hands") ? "true" : null}
          onInput=${(event) => (form.hands = event.target.value)} />
        ${refused("hands")
          ? html`<${Notice} id="review-hands-said" error=${error.value} otherwise="error.value" />`
          : html`<span class="eq-small eq-muted" id="review-hands-said">${t("review.field.hands.help")}</span>`}
        <div>
          <button class="eq-button" type="button" onClick=${() => chooser.value.click()}>${t("review.file")}</button>
          <input ref=${chooser} hidden type="file" aria-label=${t("review.file")} onChange=${chosenFile} />
        </div>
      </div>`;

    function judge(entry) {
      const { text, isData } = entryTitle(entry);
      return html`
        <li key=${entry.name}>
          <label class="eq-row rv-judge">
            <input type="checkbox" checked=${chosen.value.includes(entry.name)} onChange=${() => choose(entry.name)} />
            <span><span translate=${isData ? "no" : null}>${text}</span>${" "}
              <span class="eq-small eq-muted" translate="no">${entry.name}</span></span>
          </label>
        </li>`;
    }

    const against = () => html`
      <fieldset class="rv-against">
        <legend>${t("review.field.against")}</legend>
        ${props.known.length
          ? html`<ul class="rv-list rv-judges">${props.known.map(judge)}</ul>`
          : html`<p class="eq-muted eq-small">${t("review.no-judges")}</p>`}
        ${refused("against") && html`<${Notice} error=${error.value} otherwise="error.value" />`}
        ${tick("solve")}
        ${form.solve && tick("keep")}
      </fieldset>`;

    return () => html`
      <form class="eq-panel eq-stack" onSubmit=${start}>
        <div class="eq-split">
          ${hands()}
          <div class="eq-stack">
            ${field("hero")}
            ${tick("everybody")}
            ${against()}
          </div>
        </div>
        <details open=${MORE.includes(error.value?.option) || null}>
          <summary>${t("review.more")}</summary>
          <div class="eqg-fields">${MORE.map(field)}</div>
        </details>
        ${error.value && !FIELDS.includes(error.value.option) && html`<${Notice} error=${error.value} />`}
        <div class="eq-row">
          <button class="eq-button eq-primary" type="submit" disabled=${isBusy.value || !form.hands.trim()}>
            ${t("review.start")}
          </button>
        </div>
      </form>`;
  },
};
