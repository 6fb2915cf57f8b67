// The betting tree of the form: a walk through it, and lines and locks that are added and removed.
import { html, ref, shallowRef, watch } from "../../core/html.js";
import { number, percentage } from "../../core/numbers.js";
import { Refusal, send } from "../../core/source.js";
import { hasText, t } from "../../core/texts.js";
import { Notice } from "../../parts/notice.js";
import { faultNote } from "./field.js";

const LISTS = ["added_lines", "removed_lines"];
const chips = (amount) => number(amount, 10);

// The line one action or card shorter.
const shorter = (line) => line.slice(0, Math.max(0, line.lastIndexOf("-"), line.lastIndexOf("|")));
const follows = (line, start) => line.startsWith(`${start}-`) || line.startsWith(`${start}|`);

export const Tree = {
  props: { store: Object },
  setup({ store }) {
    const [nodes, error, amount, line] = [shallowRef(null), shallowRef(null), ref(""), ref("")];
    let turn = 0;

    // Draw the nodes from the root to the line, as far as the tree still has it.
    async function walk() {
      turn += 1;
      const [mine, toml] = [turn, store.checked.value?.spot ?? null];
      let [found, wanted] = [null, line.value];
      while (toml !== null && !found) {
        try {
          ({ nodes: found } = await send("POST", "spots/tree", { toml, line: wanted }));
        } catch (refusal) {
          if (!(refusal instanceof Refusal)) throw refusal;
          if (!wanted || refusal.status !== 422 || mine !== turn) break;
          wanted = shorter(wanted);
        }
      }
      if (mine === turn) [nodes.value, line.value] = [found, wanted];
    }
    function to(wanted) {
      [line.value, error.value] = [wanted, null];
      walk();
    }
    watch(() => store.checked.value?.spot, walk, { immediate: true });

    async function add() {
      const toml = store.checked.value?.spot;
      if (!toml || !amount.value.trim()) return;
      try {
        const found = await send("POST", "spots/tree/bet", { toml, line: line.value, amount: amount.value });
        store.change({ added_lines: [...store.form.value.added_lines, found.line] });
        [amount.value, error.value] = ["", null];
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
    }
    function remove({ line: gone, is_added: isAdded }) {
      const { added_lines: added, removed_lines: removed } = store.form.value;
      if (isAdded) store.change({ added_lines: added.filter((one) => one !== gone && !follows(one, gone)) });
      else store.change({ removed_lines: [...removed, gone] });
    }

    const nameOf = ({ name, amount: size }) => {
      const key = `action.${name.split(" ")[0].toLowerCase()}`;
      if (size && hasText(`${key}.size`)) return t(`${key}.size`, { amount: chips(size) });
      return hasText(key) ? t(key) : name;
    };
    const action = (node) => (one) => {
      const share = one.pot_percent === null ? "" : ` · ${percentage(one.pot_percent / 100, 0)}`;
      const what = { action: nameOf(one), line: node.line || t("spot.tree.root") };
      return html`
        <div class="su-action" key=${one.code}>
          <button class="eq-button" type="button" aria-pressed=${String(one.is_taken)} onClick=${() => to(one.line)}>
            ${nameOf(one)}${share}
          </button>
          ${node.actions.length > 1 && html`
            <button class="eq-button su-drop" type="button" aria-label=${t("spot.tree.remove", what)}
              onClick=${() => remove(one)}>${"×"}</button>`}
        </div>`;
    };
    const node = (one, k) => html`
      <div key=${one.line} class=${{ "su-node": true, "su-here": k === nodes.value.length - 1 }}>
        <div class="su-node-head">
          <span>
            ${one.player && t(`seat.${one.player}`)}${" "}
            ${hasText(`spot.phase.${one.phase}`) && t(`spot.phase.${one.phase}`)}
          </span>
          <span class="eq-muted">${hasText(`street.${one.street}`) ? t(`street.${one.street}`) : one.street}</span>
        </div>
        <span class="eq-muted eq-small eq-num">
          ${t("spot.node", { pot: chips(one.pot), stack: chips(one.stack) })}
        </span>
        ${one.actions.map(action(one))}
        ${one.phase === "deal" && k === nodes.value.length - 1 && html`
          <button class="eq-button" type="button" aria-label=${t("spot.tree.deal.next")}
            onClick=${() => to(`${one.line}|`)}>${t("spot.tree.deal")}</button>`}
      </div>`;

    // What is the same twice is shown once.
    const list = (name, shown, drop) => {
      const note = faultNote(store, name);
      if (!shown.length && !note) return null;
      return html`
        <div class="eq-stack" key=${name}>
          <h3>${t(`spot.list.${name}`)}</h3>
          ${note}
          <ul class="su-lines">
            ${[...new Set(shown)].map((text) => html`
              <li key=${text}>
                <code translate="no">${text}</code>
                <button class="eq-button" type="button" aria-label=${t(`spot.list.${name}.delete`, { text })}
                  onClick=${() => drop(text)}>${t("spot.delete")}</button>
              </li>`)}
          </ul>
        </div>`;
    };
    const without = (name) => (text) =>
      store.change({ [name]: store.form.value[name].filter((one) => one !== text) });
    const locks = () => {
      const { form, checked } = store;
      return form.value.locks.map((lock, k) => {
        const known = checked.value?.form.locks === form.value.locks ? checked.value.locks[k] : null;
        return known ?? (typeof lock === "string" ? lock : lock.line || t("spot.tree.root"));
      });
    };
    function unlock(text) {
      const texts = locks();
      store.change({ locks: store.form.value.locks.filter((_, k) => texts[k] !== text) });
    }

    function limits() {
      const { least, most } = nodes.value?.at(-1) ?? {};
      return typeof least === "number" ? t("spot.tree.limits", { least: chips(least), most: chips(most) }) : "";
    }
    return () => html`
      <section class="eq-panel eq-stack su-wide" aria-label=${t("spot.tree")}>
        <div class="eq-row">
          <h2 class="eq-grow">${t("spot.tree")}</h2>
          <button class="eq-button" type="button" onClick=${() => to("")}>${t("spot.tree.back")}</button>
        </div>
        <div class="su-strip" role="region" tabindex="0" aria-label=${t("spot.tree.line")}>
          ${nodes.value ? nodes.value.map(node) : html`<p class="eq-muted">${t("spot.tree.none")}</p>`}
        </div>
        <div class="su-field" data-keys="all">
          <label for="spot-amount">${t("spot.tree.add")}</label>
          <div class="eq-row">
            <input class="eq-field eq-num" id="spot-amount" autocomplete="off" value=${amount.value}
              aria-describedby="spot-amount-said" aria-invalid=${error.value ? "true" : null}
              onInput=${(event) => ([amount.value, error.value] = [event.target.value, null])}
              onKeydown=${(event) => event.key === "Enter" && add()} />
            <button class="eq-button" type="button" aria-label=${t("spot.tree.add.this")} onClick=${add}>
              ${t("spot.tree.add.button")}
            </button>
            <span class="eq-muted eq-small eq-num">${limits()}</span>
          </div>
          ${error.value
            ? html`<${Notice} id="spot-amount-said" error=${error.value} otherwise=${"spot.tree.refused"} />`
            : html`<span class="eq-small eq-muted" id="spot-amount-said">${t("spot.tree.add.help")}</span>`}
        </div>
        ${LISTS.map((name) => list(name, store.form.value[name], without(name)))}
        ${list("locks", locks(), unlock)}
      </section>`;
  },
};
