// The solutions as they are listed: asked for page by page, and again whenever the library has changed.
import { onReturn, said, say } from "../../core/address.js";
import { nextTick, onMounted, reactive, ref, shallowRef, watch } from "../../core/html.js";
import { listen } from "../../core/live.js";
import { get, Refusal } from "../../core/source.js";
import { gamesCalled } from "../../poker/games.js";

const PATIENCE = 150; // milliseconds after a key before the search begins
const ASKED = ["search", "sort", "folder"];

const read = () => Object.fromEntries(ASKED.map((name) => [name, said().one(name)]));

// {asked, facts, rows, error, more, load, forget}: `asked` has the search, order and folder, which the
// address keeps; `facts` is the newest answer; `rows` are those of all pages so far.
export function followShelf() {
  const asked = reactive(read());
  const [facts, error] = [shallowRef(null), shallowRef(null)];
  const rows = shallowRef([]);
  const pages = ref(1);
  let [turn, waiting] = [0, 0];

  async function pagesOf(wanted, mine) {
    const all = [];
    let page = null;
    for (let k = 0; k < wanted; k += 1) {
      if (page && page.next === null) break;
      page = await get("solutions", { ...asked, called: gamesCalled(asked.search), after: page?.next ?? "" });
      if (mine !== turn) return null;
      all.push(...page.solutions);
    }
    return { page, all };
  }

  async function load() {
    turn += 1;
    const mine = turn;
    try {
      const found = await pagesOf(pages.value, mine);
      if (found) [facts.value, rows.value, error.value] = [found.page, found.all, null];
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      if (mine === turn) error.value = refusal;
    }
  }

  async function more() {
    pages.value += 1;
    await load();
    await nextTick();
  }

  function begin() {
    pages.value = 1;
    return load();
  }

  onMounted(load);
  onReturn(() => Object.assign(asked, read()));
  watch(() => ({ ...asked }), (now, before) => {
    say(now, now.folder !== before.folder);
    clearTimeout(waiting);
    waiting = setTimeout(begin, now.search === before.search ? 0 : PATIENCE);
  });
  listen(() => ["library"], {
    library: ({ revision }) => facts.value && revision !== facts.value.revision && load(),
  });
  return { asked, facts, rows, error, more, load };
}
