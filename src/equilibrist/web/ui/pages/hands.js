// Charts, exact hands, card buckets and blueprints: set up in forms, with what they need, and started as runs.
import { onReturn, place, said, say, word } from "../core/address.js";
import { html, onMounted, reactive, ref, shallowRef } from "../core/html.js";
import { get, isOwner, Refusal } from "../core/source.js";
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
    const formOf = (name) => forms.value.find((form) => form.kind === name);
    const begin = (name) => (given[name] ??= { ...EXAMPLES[name][0].texts });

    // The kind that the address says, with the fields that it has.
    function read() {
      const asked = said();
      const { kind: name, fields } = formOf(asked.one("kind")) ?? forms.value[0];
      const named = fields.map((field) => [field.name, asked.one(field.name)]).filter(([, text]) => text !== "");
      if (named.length) given[name] = Object.fromEntries(named);
      else begin(name);
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
        const [found, job] = await Promise.all([get("hands"), id && get(`jobs/${word(id)}`).catch(told)]);
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
      kind.value = name;
      say({ kind: name, ...given[name] }, true);
    }

    const keep = () => say({ kind: kind.value, ...given[kind.value] });

    function page() {
      const form = formOf(kind.value);
      return html`
        ${forms.value.length > 1 && html`
          <${Tabs} names=${forms.value.map((one) => one.kind)} chosen=${kind.value} panel="hand-form"
            text=${(name) => t(`make.kind.${name}`)} label=${t("make.kinds")} onChoose=${choose} />`}
        <div id="hand-form" role=${forms.value.length > 1 ? "tabpanel" : null}
          aria-labelledby=${forms.value.length > 1 ? `tab-${kind.value}` : null}>
          <${HandForm} key=${kind.value} form=${form} texts=${given[kind.value]} examples=${EXAMPLES[kind.value]}
            onChange=${keep} />
        </div>`;
    }

    return () => html`
      <p>${t("make.about")}</p>
      ${!isOwner && html`<p class="eq-muted">${t("make.guests")} <a href=${place("runs")}>${t("section.runs")}</a></p>`}
      ${error.value && html`<${Notice} error=${error.value} />`}
      ${kind.value && page()}`;
  },
};

show(Hands, "hands", t("section.hands"));
