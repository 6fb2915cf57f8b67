// One solution of the library in a dialog: its facts, where it leads, its name, folder and note.
import { place, word } from "../../core/address.js";
import { html, onMounted, reactive, ref, shallowRef } from "../../core/html.js";
import { bytes, count, moment } from "../../core/numbers.js";
import { isOwner, Refusal, send } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { Question } from "../../parts/dialog.js";
import { entryPlace, entryTitle, isOwn, measureOf, valueOf } from "../../parts/entry_texts.js";
import { Field } from "../../parts/field.js";
import { Notice } from "../../parts/notice.js";
import { potTypeName } from "../../poker/titles.js";

const POT_TYPES = ["limped", "single-raised", "3-bet", "4-bet", "5-bet"];
const SAID = ["folder", "note", "oop", "middle", "ip", "pot_type"];
const FIELDS = ["new-name", ...SAID];

function factsOf(entry) {
  const [value, measure] = [valueOf(entry), measureOf(entry)];
  return [
    ["value", value && t("library.figure", value)],
    ["measured", measure && t("library.figure", measure)],
    ["algorithm", entry.algorithm, true],
    ["iterations", count(entry.iterations)],
    ["streets", entry.streets && t(`library.streets.${entry.streets}`)],
    ["saved", moment(Date.parse(entry.saved) / 1000), true],
    ["size", bytes(entry.num_bytes)],
  ].filter(([, text]) => text);
}

function linksOf({ name, title, run }) {
  const address = entryPlace({ name, title });
  return [
    address && ["open", address],
    address && title.kind !== "three" && ["play", place(`play/${word(name)}`)],
    ["spot", "game"].includes(title.kind) && ["drill", place(`drill/${word(name)}`)],
    ["spot", "three"].includes(title.kind) && ["edit", place("spot", { solution: name })],
    run && ["run", place(`runs/${word(run.job)}`)],
  ].filter(Boolean);
}

// `folders` are proposed. `changed` tells that something was saved, `closed` that the dialog is to go.
export const EntryDialog = {
  props: { entry: Object, folders: Array },
  emits: ["changed", "closed"],
  setup(props, { emit }) {
    const { entry } = props;
    const dialog = ref(null);
    const error = shallowRef(null);
    const [isBusy, isAsked] = [ref(false), ref(false)];
    const form = reactive({
      name: entry.name, folder: entry.folder, note: entry.note, oop: entry.title.oop ?? "",
      middle: entry.title.middle ?? "", ip: entry.title.ip ?? "", pot_type: entry.title.pot_type ?? "",
    });
    const noted = () => Object.fromEntries(SAID.map((name) => [name, form[name]]));
    const before = JSON.stringify(noted());
    const mayChange = isOwner && isOwn(entry);

    async function attempt(act) {
      [isBusy.value, error.value] = [true, null];
      try {
        await act();
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
      isBusy.value = false;
    }

    async function rename() {
      try {
        await send("POST", `solutions/${word(entry.name)}`, { name: form.name.trim() });
      } catch (refusal) {
        if (refusal instanceof Refusal && refusal.option === "name") refusal.option = "new-name";
        throw refusal;
      }
    }

    const save = (event) => {
      event.preventDefault();
      return attempt(async () => {
        if (JSON.stringify(noted()) !== before) await send("PUT", `solutions/${word(entry.name)}/note`, noted());
        if (form.name.trim() !== entry.name) await rename();
        emit("changed");
        dialog.value.close();
      });
    };

    const remove = () => attempt(async () => {
      await send("DELETE", `solutions/${word(entry.name)}`);
      emit("changed");
      dialog.value.close();
    });

    function answer(isMeant) {
      isAsked.value = false;
      if (isMeant) remove();
    }

    onMounted(() => dialog.value.showModal());

    const refused = (option) => (error.value?.option === option ? error.value : null);
    const field = (name, option = name, more = {}) => html`
      <${Field} id=${`entry-${name}`} label=${t(`library.field.${name}`)} value=${form[name]}
        help=${t(`library.field.${name}.help`)} error=${refused(option)} ...${more}
        onValue=${(text) => (form[name] = text)} />`;

    const title = () => {
      const { text, isData } = entryTitle(entry);
      return html`<h2 translate=${isData ? "no" : null}>${text}</h2>`;
    };

    const facts = () => html`
      <dl class="eqg-facts lb-facts">
        ${factsOf(entry).map(([name, text, isData]) => html`
          <dt key=${`${name}-name`}>${t(`library.fact.${name}`)}</dt>
          <dd key=${name} class="eq-num" translate=${isData ? "no" : null}>${text}</dd>`)}
      </dl>`;

    const potTypes = [["", t("library.pot-type.none")], ...POT_TYPES.map((one) => [one, potTypeName(one)])];
    const seats = () => html`
      ${field("oop")}${entry.title.kind === "three" && field("middle")}${field("ip")}
      ${field("pot_type", "pot_type", { choices: potTypes })}`;

    const closing = () => html`
      <button class="eq-button" type="button" onClick=${() => dialog.value.close()}>${t("library.close")}</button>`;

    const changes = () => html`
      <form class="eq-stack" onSubmit=${save}>
        <div class="eqg-fields">
          ${field("name", "new-name", { isName: false })}
          ${field("folder", "folder", { list: "entry-folders" })}
          ${["spot", "three"].includes(entry.title.kind) && seats()}
        </div>
        <datalist id="entry-folders" translate="no">
          ${props.folders.map(({ name }) => html`<option key=${name} value=${name} />`)}
        </datalist>
        <div class="eqg-field">
          <label for="entry-note">${t("library.field.note")}</label>
          <textarea class="eq-field" id="entry-note" rows="3" value=${form.note}
            onInput=${(event) => (form.note = event.target.value)} />
          ${refused("note") && html`<${Notice} error=${error.value} otherwise="error.value" />`}
        </div>
        <div class="eq-row">
          <button class="eq-button eq-primary" type="submit" disabled=${isBusy.value}>${t("library.save")}</button>
          <button class="eq-button" type="button" disabled=${isBusy.value}
            onClick=${() => (isAsked.value = true)}>${t("library.delete")}</button>
          <span class="eq-grow"></span>
          ${closing()}
        </div>
      </form>`;

    return () => html`
      <dialog class="eq-dialog eq-stack lb-entry" ref=${dialog} aria-label=${t("library.entry", { name: entry.name })}
        onClose=${(event) => event.target === dialog.value && emit("closed")}>
        ${title()}
        <p class="eq-small eq-muted" translate="no">${entry.name}</p>
        <div class="eq-row">
          ${linksOf(entry).map(([what, address]) => html`
            <a key=${what} href=${address}>${t(`library.to.${what}`)}</a>`)}
          <a href=${place(`api/solutions/${word(entry.name)}/file`)} download>${t("library.to.download")}</a>
        </div>
        ${facts()}
        ${error.value && !FIELDS.includes(error.value.option) && html`<${Notice} error=${error.value} />`}
        ${mayChange
          ? changes()
          : [entry.note && html`<p translate="no">${entry.note}</p>`, closing()]}
        ${isAsked.value && html`
          <${Question} question=${t("library.ask.delete", { name: entry.name })} note=${t("library.ask.delete.note")}
            action=${t("library.delete")} onAnswer=${answer} />`}
      </dialog>`;
  },
};
