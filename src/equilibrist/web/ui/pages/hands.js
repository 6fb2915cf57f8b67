// Charts, exact hands, card buckets and blueprints: set up in forms, with what they need, and started as runs.
import { onReturn, place, said, say, word } from "../core/address.js";
import { html, onMounted, reactive, ref, shallowRef } from "../core/html.js";
import { bytes, count } from "../core/numbers.js";
import { get, isOwner, Refusal, send } from "../core/source.js";
import { t } from "../core/texts.js";
import { ready, show } from "../parts/frame.js";
import { Notice } from "../parts/notice.js";
import { Tabs } from "../parts/tabs.js";
import { EXAMPLES } from "./hands/examples.js";
import { HandForm } from "./hands/form.js";

const REPORTS = "flops"; // the kind that has a page of its own

const Hands = {
  setup() {
    const [forms, error] = [shallowRef(null), shallowRef(null)];
    const kind = ref("");
    const given = reactive({}); // texts by kind and field
    const buckets = shallowRef([]);
    const formOf = (name) => forms.value.find((form) => form.kind === name);
    const begin = (name) => (given[name] ??= { ...EXAMPLES[name][0].texts });

    // The kind that the address says, with the fields that it has.
    function read() {
      const asked = said();
      const { kind: name, fields } = formOf(asked.one("kind")) ?? forms.value[0];
      const named = fields.map((field) => [field.name, asked.one(field.name)]).filter(([, text]) => text !== "");
      if (named.length) given[name] = Object.fromEntries(named);
      else begin(name);
      if (name === "blueprint") given[name].cards ||= buckets.value[0]?.name ?? "";
      kind.value = name;
    }

    // What a run was started with.
    function fill(job) {
      given[job.kind] = { ...job.options, ...job.keys };
      say({ kind: job.kind, ...given[job.kind] });
    }

    onMounted(async () => {
      try {
        const id = said().one("job");
        const wanted = [get("hands"), get("hands/cards"), id && get(`jobs/${word(id)}`).catch(told)];
        const [found, cards, job] = await Promise.all(wanted);
        buckets.value = cards;
        forms.value = found.filter((form) => form.kind !== REPORTS);
        if (job?.keys && formOf(job.kind)) fill(job);
        read();
      } catch (refusal) {
        told(refusal);
      }
      ready();
    });

    function told(refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      error.value = refusal;
    }

    onReturn(() => kind.value && read());

    function choose(name) {
      begin(name);
      if (name === "blueprint") given[name].cards ||= buckets.value[0]?.name ?? "";
      kind.value = name;
      say({ kind: name, ...given[name] }, true);
    }

    const keep = () => say({ kind: kind.value, ...given[kind.value] });

    const sources = () =>
      buckets.value.map(({ name, buckets: counts, num_bytes: size }) => [
        name, t("make.cards.of", { counts: counts.map(count).join(" / "), size: bytes(size), name }),
      ]);

    async function remove(name) {
      try {
        await send("DELETE", `solutions/${word(name)}`);
        buckets.value = await get("hands/cards");
      } catch (refusal) {
        told(refusal);
      }
    }

    // The card buckets that there are: they can be trained on, and deleted.
    const list = () => html`
      <section class="eq-stack" aria-label=${t("make.cards")}>
        <h2>${t("make.cards")}</h2>
        ${buckets.value.length === 0 && html`
          <p class="eq-muted">
            ${t("make.cards.none")}${" "}
            ${kind.value === "blueprint" && html`
              <button class="eq-button" type="button" onClick=${() => choose("cards")}>
                ${t("make.cards.build")}
              </button>`}
          </p>`}
        ${sources().map(([name, text]) => html`
          <div class="eq-row" key=${name}>
            <a href=${place("hands", { kind: "blueprint", cards: name, ...EXAMPLES.blueprint[0].texts })}>${text}</a>
            ${isOwner && html`
              <button class="eq-button" type="button" aria-label=${t("make.cards.delete", { name })}
                onClick=${() => remove(name)}>${t("job.do.delete")}</button>`}
          </div>`)}
      </section>`;

    function page() {
      const form = formOf(kind.value);
      return html`
        ${forms.value.length > 1 && html`
          <${Tabs} names=${forms.value.map((one) => one.kind)} chosen=${kind.value} panel="hand-form"
            text=${(name) => t(`make.kind.${name}`)} label=${t("make.kinds")} onChoose=${choose} />`}
        <div id="hand-form" role=${forms.value.length > 1 ? "tabpanel" : null}
          aria-labelledby=${forms.value.length > 1 ? `tab-${kind.value}` : null}>
          <${HandForm} key=${kind.value} form=${form} texts=${given[kind.value]} examples=${EXAMPLES[kind.value]}
            sources=${sources()} onChange=${keep} />
        </div>
        ${["cards", "blueprint"].includes(kind.value) && list()}`;
    }

    return () => html`
      <p>${t("make.about")}${" "}<a href=${place("reports")}>${t("runs.make-report")}</a></p>
      ${!isOwner && html`<p class="eq-muted">${t("make.guests")} <a href=${place("runs")}>${t("section.runs")}</a></p>`}
      ${error.value && html`<${Notice} error=${error.value} />`}
      ${kind.value && page()}`;
  },
};

show(Hands, "hands", t("section.hands"));
