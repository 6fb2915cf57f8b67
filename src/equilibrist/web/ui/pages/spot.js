// A spot is set up on one screen: ranges, board, chips, sizes, tree, and what solving it takes.
import { said, say } from "../core/address.js";
import { openDraft } from "../core/drafts.js";
import { html, nextTick, onMounted, ref, shallowRef } from "../core/html.js";
import { onKeys } from "../core/keys.js";
import { get, Refusal } from "../core/source.js";
import { t } from "../core/texts.js";
import { ready, show } from "../parts/frame.js";
import { Notice } from "../parts/notice.js";
import { Board } from "./setup/board.js";
import { Chips } from "./setup/chips.js";
import { Files } from "./setup/files.js";
import { RangePanel } from "./setup/ranges.js";
import { Sizes } from "./setup/sizes.js";
import { Bar, openFitting, Solving } from "./setup/solving.js";
import { openStore } from "./setup/store.js";
import { Tree } from "./setup/tree.js";

const NAMED = ["job", "solution", "setup", "report"];
const MARKED = ["subject", "example"];

// What the address names to begin with, as the server is asked for it; null for the draft of this tab.
function wanted() {
  const asked = said();
  const name = NAMED.find((one) => asked.one(one));
  if (name) return { [name]: asked.one(name) };
  const mark = MARKED.find((one) => asked.one(one));
  return mark ? { [mark]: true } : null;
}

// A draft as far as it fits the form: it may be of another version.
function fitted(draft, blank) {
  const kindOf = (value) => (Array.isArray(value) ? "list" : typeof value);
  const isFit = (name) => kindOf(draft[name]) === kindOf(blank[name]);
  return Object.fromEntries(Object.keys(blank).map((name) => [name, isFit(name) ? draft[name] : blank[name]]));
}

const Form = {
  props: { begun: Object, kinds: Object, three: Array, forms: Object, keep: null },
  setup(props) {
    const store = openStore(props.begun, props.kinds, props.keep, props.three);
    const fitting = openFitting(store);
    const library = shallowRef({ presets: [], solved: [], own: [], dialects: [], ranking: [] });
    const load = async () => (library.value = await get("ranges").catch(() => library.value));
    onMounted(load);
    const { undo, redo } = store.history;
    onKeys({ "Ctrl+z": undo, "Ctrl+y": redo, "Ctrl+Shift+z": redo });
    return () => html`
      <${Files} store=${store} forms=${props.forms} />
      <div class="su-grid">
        <div class="su-left">
          ${store.seats().map((seat) => html`
            <${RangePanel} key=${seat} store=${store} seat=${seat} library=${library.value} onLibrary=${load} />`)}
          <${Sizes} store=${store} />
          ${!store.isOfThree.value && html`<${Tree} store=${store} />`}
        </div>
        <div class="su-right">
          <${Board} store=${store} /><${Chips} store=${store} /><${Solving} store=${store} fitting=${fitting} />
        </div>
      </div>
      <${Bar} store=${store} />`;
  },
};

const Spot = {
  setup() {
    const [opened, error] = [shallowRef(null), shallowRef(null)];
    const turn = ref(0); // each form begins anew

    async function open(values) {
      error.value = null;
      try {
        const [blank, example] = await Promise.all([get("setup/form"), get("setup/form", { example: true })]);
        const named = values && await get("setup/form", values);
        const draft = openDraft(said().one("draft"), named !== null, (id) => say({ draft: id }));
        const begun = named?.form ?? (draft.value ? fitted(draft.value, blank.form) : example.form);
        draft.keep(begun);
        const forms = { blank: blank.form, example: example.form };
        opened.value = { begun, kinds: blank.kinds, three: blank.three, forms, keep: draft.keep };
        turn.value += 1;
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
      await nextTick();
      ready();
    }
    onMounted(() => open(wanted()));

    const failed = () => html`
      <${Notice} error=${error.value} otherwise=${"spot.refused"} />
      <p><button class="eq-button" type="button" onClick=${() => open(null)}>${t("spot.else")}</button></p>`;
    return () => html`
      <div class="eq-stack">
        ${error.value && failed()}
        ${opened.value && html`<${Form} key=${turn.value} ...${opened.value} />`}
      </div>`;
  },
};

show(Spot, "spot", t("spot.title"));
