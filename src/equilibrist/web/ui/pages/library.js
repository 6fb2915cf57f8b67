// The library: solutions by title, searched, sorted, in folders; games; what runs now; where to begin.
import { place, word } from "../core/address.js";
import { computed, html, onMounted, ref, shallowRef, watch } from "../core/html.js";
import { interruption } from "../core/live.js";
import { count } from "../core/numbers.js";
import { get, isOwner, Refusal, send } from "../core/source.js";
import { t } from "../core/texts.js";
import { Question } from "../parts/dialog.js";
import { dropNote, takeDrops } from "../parts/dropping.js";
import { Examples, followExamples } from "../parts/examples.js";
import { ready, show } from "../parts/frame.js";
import { followJobs } from "../parts/jobs.js";
import { Notice } from "../parts/notice.js";
import { SiteSaving } from "../parts/site_saving.js";
import { doors } from "./library/doors.js";
import { EntryDialog } from "./library/entry.js";
import { folders } from "./library/folders.js";
import { running } from "./library/running.js";
import { followShelf } from "./library/shelf.js";
import { Solutions } from "./library/table.js";
import { followUploads, Uploads } from "./library/uploads.js";

const ORDERS = ["", "saved", "title", "name", "measure", "-measure", "algorithm", "-iterations", "-size", "folder"];
const MOST_CHOSEN = 2; // solutions that are compared

const isUploaded = ({ name }) => name.startsWith("library:");

// Where that is which the server was started with; null for a solution, which is listed.
function subjectPlace({ kind, text }) {
  if (kind === "spot") return place("spot", { subject: 1 });
  return kind === "game" ? place(`games/${word(text)}`) : null;
}

const foundText = ({ total, found }) =>
  t("library.found", { n: total, found: count(found), total: count(total) });

const Library = {
  setup() {
    const { asked, facts, rows, error, more, load } = followShelf();
    const { jobs } = followJobs();
    const examples = followExamples(jobs);
    const [server, games] = [shallowRef(null), shallowRef(null)];
    const problem = shallowRef(null); // of what else was asked for
    const chosen = ref([]);
    const [open, going] = [shallowRef(null), shallowRef(null)]; // a solution, a game that is to be deleted
    const done = ref("");
    const { files, take } = followUploads(() => Promise.all([load(), loadGames()]));
    const isOver = isOwner ? takeDrops(take) : ref(false);

    async function attempt(act) {
      [problem.value, done.value] = [null, ""];
      try {
        await act();
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        problem.value = refusal;
      }
    }

    const loadGames = () => attempt(async () => (games.value = (await get("games")).filter(isUploaded)));

    onMounted(() => attempt(async () => (server.value = await get("server"))));
    onMounted(loadGames);
    onMounted(() => attempt(examples.load));

    // All at once, so that nothing moves what is already being read.
    const isDrawn = computed(() => {
      const isListed = facts.value || error.value;
      const isKnown = (server.value && games.value && examples.examples.value) || problem.value;
      return Boolean(isListed && isKnown && (jobs.value || interruption.value));
    });
    const wasDrawn = ref(false);
    watch(isDrawn, () => (wasDrawn.value ||= isDrawn.value));
    watch(wasDrawn, ready, { flush: "post" });
    const wasEmpty = ref(false); // then what one begins with stays where it is
    watch(facts, () => (wasEmpty.value ||= !wasDrawn.value && facts.value.total === 0), { flush: "sync" });

    function choose(name) {
      const others = chosen.value.filter((one) => one !== name);
      const isNew = others.length === chosen.value.length;
      chosen.value = isNew ? [...others, name].slice(-MOST_CHOSEN) : others;
    }

    const show = (name) => (open.value = rows.value.find((entry) => entry.name === name));
    const present = computed(() => chosen.value.filter((name) => rows.value.some((entry) => entry.name === name)));

    function answer(isMeant) {
      const { name } = going.value;
      going.value = null;
      if (!isMeant) return;
      attempt(async () => {
        await send("DELETE", `games/${name}`);
        await loadGames();
        done.value = t("games.deleted", { name });
      });
    }

    const started = () => {
      const { subject } = server.value;
      const address = subject && subjectPlace(subject);
      if (!address) return null;
      return html`
        <p class="eq-panel eq-row">
          <span>${t(`library.started.${subject.kind}`)}</span>
          <a href=${address} translate="no">${subject.text}</a>
        </p>`;
    };

    const compare = () => {
      const [first, second] = present.value;
      return html`
        <button class="eq-button" type="button" disabled=${present.value.length < MOST_CHOSEN}
          onClick=${() => location.assign(place("compare", { first, second }))}>
          ${t("library.compare", { chosen: present.value.length, most: MOST_CHOSEN })}
        </button>`;
    };

    const tools = () => html`
      <div class="eq-row" role="search">
        <label class="eq-row">${t("library.search")}
          <input class="eq-field" type="search" value=${asked.search} maxlength="200"
            onInput=${(event) => (asked.search = event.target.value)} />
        </label>
        <label class="eq-row">${t("library.order")}
          <select class="eq-field" value=${asked.sort} onChange=${(event) => (asked.sort = event.target.value)}>
            ${ORDERS.map((order) => html`
              <option key=${order} value=${order}>${t(`library.order.${order || "newest"}`)}</option>`)}
          </select>
        </label>
        ${compare()}
        ${isOwner && html`<${SiteSaving} solutions=${present.value} />`}
        <span class="eq-grow"></span>
        <span class="eq-muted eq-num" role="status">
          ${foundText(facts.value)}
        </span>
      </div>`;

    const clear = () => Object.assign(asked, { search: "", folder: "" });
    const nothing = () => html`
      <p>${t("library.none-found")}</p>
      <button class="eq-button lb-wide" type="button" onClick=${clear}>${t("library.clear")}</button>`;

    const left = () => facts.value.found - rows.value.length;
    const table = () => html`
      ${rows.value.length ? html`
        <${Solutions} rows=${rows.value} chosen=${present.value} onChoose=${choose} onOpen=${show} />` : nothing()}
      ${facts.value.next && html`
        <button class="eq-button lb-wide" type="button" onClick=${more}>
          ${t("library.more-rows", { n: left(), left: count(left()) })}
        </button>`}`;

    const solutions = () => html`
      <div class="eq-stack">
        ${error.value && html`<${Notice} error=${error.value} />`}
        ${wasEmpty.value && html`
          <p>${t(isOwner ? "library.empty" : "library.empty.guest")}</p>
          ${doors()}
          ${examples.examples.value && html`<${Examples} found=${examples} isOpen />`}`}
        ${facts.value?.total > 0 && [tools(), table()]}
      </div>`;

    const game = (one) => html`
      <tr key=${one.name}>
        <td><a href=${place(`games/${word(one.name)}`)} translate="no">${one.name}</a></td>
        <td translate="no">${one.title}</td>
        <td class="eq-right">${count(one.sizes?.num_players)}</td>
        <td class="eq-right">${count(one.sizes?.num_infosets)}</td>
        <td class="eq-right">
          ${isOwner && html`
            <button class="eq-button eq-small" type="button" onClick=${() => (going.value = one)}
              aria-label=${t("games.delete.name", { name: one.name })}>${t("games.delete")}</button>`}
        </td>
      </tr>`;

    const uploaded = () => html`
      <div class="eq-stack">
        <h2>${t("library.games")}</h2>
        ${done.value && html`<p class="eq-good" role="status">${done.value}</p>`}
        <div class="eq-scroll" role="region" tabindex="0" aria-label=${t("library.games")}>
          <table class="eq-table lb-games">
            <thead><tr>
              <th scope="col">${t("games.game")}</th>
              <th scope="col">${t("games.description")}</th>
              <th scope="col" class="eq-right">${t("games.players")}</th>
              <th scope="col" class="eq-right">${t("games.infosets")}</th>
              <th scope="col"><span class="eq-hidden">${t("games.delete")}</span></th>
            </tr></thead>
            <tbody>${games.value.map(game)}</tbody>
          </table>
        </div>
      </div>`;

    const page = () => html`
      <div class="lb-page">
        <aside class="lb-side">
          ${running(jobs.value)}
          ${facts.value && folders(facts.value, asked.folder, (name) => (asked.folder = name))}
          <p><a href=${place("examples")}>${t("example")}</a></p>
          ${isOwner && html`<${Uploads} files=${files.value} isOver=${isOver.value} onTake=${take} />`}
        </aside>
        <div class="eq-stack lb-main">
          ${problem.value && html`<${Notice} error=${problem.value} />`}
          ${server.value && started()}
          ${solutions()}
          ${games.value?.length > 0 && uploaded()}
        </div>
      </div>
      <p class="eq-row eq-muted eq-small">
        ${server.value && html`<span translate="no">${t("frame.brand")} ${server.value.version}</span>`}
        <a href=${place("reports")}>${t("library.to.reports")}</a>
        <a href=${place("api/docs")}>${t("library.door.to.api")}</a>
      </p>
      ${isOver.value && dropNote(t("library.upload.drop"))}
      ${open.value && html`
        <${EntryDialog} key=${open.value.name} entry=${open.value} folders=${facts.value.folders} onChanged=${load}
          onClosed=${() => (open.value = null)} />`}
      ${going.value && html`
        <${Question} question=${t("library.ask.delete-game", { name: going.value.name })}
          action=${t("library.delete")} onAnswer=${answer} />`}`;

    return () => html`
      ${interruption.value && html`<${Notice} error=${interruption.value} />`}
      ${wasDrawn.value && page()}`;
  },
};

show(Library, "library", t("section.library"));
