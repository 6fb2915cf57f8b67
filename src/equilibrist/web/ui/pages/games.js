// The games: searched at once, with their sizes once those are counted; games are uploaded here.
import { place, said, say, word } from "../core/address.js";
import { computed, html, onMounted, ref, shallowRef } from "../core/html.js";
import { about, count } from "../core/numbers.js";
import { get, isOwner, Refusal, send } from "../core/source.js";
import { t } from "../core/texts.js";
import { dropNote, takeDrops } from "../parts/dropping.js";
import { ready, show } from "../parts/frame.js";
import { Notice } from "../parts/notice.js";
import { gameAbout } from "../poker/game_help.js";
import { gameName } from "../poker/games.js";

const KNOWN = /\.(efg|nfg|csv|tsv|npy|npz)$/i;

const isUploaded = ({ name }) => name.startsWith("library:");

// `none` is what stands where there are no sizes.
function histories({ sizes }, none) {
  if (!sizes) return none;
  return sizes.estimate_num_nodes ? about(sizes.estimate_num_nodes) : count(sizes.num_nodes);
}

function fits(game, wanted) {
  const { name, title = "", summary = "", aliases = [] } = game;
  return [name, gameName(name), gameAbout(name), title, summary, ...aliases].join(" ").toLowerCase().includes(wanted);
}

const Games = {
  setup() {
    const games = shallowRef([]);
    const search = ref(said().one("search"));
    const error = shallowRef(null);
    const refused = ref(""); // the file
    const done = ref("");
    const chooser = ref(null);
    const isCounting = ref(true); // the sizes, which come after the names
    const none = () => (isCounting.value ? "…" : "");
    const shown = computed(() => games.value.filter((game) => fits(game, search.value.trim().toLowerCase())));

    // Do something; what is refused is said.
    async function attempt(act, file = "") {
      [error.value, done.value, refused.value] = [null, "", file];
      try {
        await act();
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
    }

    async function load() {
      if (!games.value.length) games.value = await get("games");
      ready();
      games.value = await get("games", { sizes: true });
      isCounting.value = false;
    }

    function choose(event) {
      const files = [...event.target.files];
      event.target.value = "";
      take(files);
    }
    const upload = (file) => attempt(async () => {
      const name = KNOWN.test(file.name) ? file.name : `${file.name}.efg`; // it is read as a game
      const found = await send("PUT", `uploads/${word(name)}`, file);
      done.value = t("games.uploaded", { file: file.name, name: found.name, n: found.sizes?.num_nodes ?? 0 });
      await load();
    }, file.name);
    // One after the other; the first that is refused is said, and ends it.
    async function take(files) {
      for (const file of files) {
        await upload(file);
        if (error.value) return;
      }
    }
    const isOver = isOwner ? takeDrops(take) : ref(false);

    const remove = (game) => attempt(async () => {
      await send("DELETE", `games/${game.name}`);
      done.value = t("games.deleted", { name: game.name });
      await load();
    });

    function keep(event) {
      search.value = event.target.value;
      say({ search: search.value });
    }

    onMounted(async () => {
      await attempt(load);
      isCounting.value = false;
      ready();
    });

    const uploading = () => html`
      <a href=${place("payoffs")}>${t("games.payoffs")}</a>
      <button class="eq-button" type="button" onClick=${() => chooser.value.click()}>${t("games.upload")}</button>
      <input ref=${chooser} hidden type="file" accept=".efg,.nfg,.csv,.tsv,.npy,.npz"
        aria-label=${t("games.file")} onChange=${choose} />`;

    function description(game) {
      const about = gameAbout(game.name);
      if (about) return html`<div class="eqg-about">${about}</div>`;
      return game.title ? html`<span translate="no">${game.title}</span>` : t("games.own");
    }

    // The title, and below it what is typed for the game.
    function link({ name }) {
      const title = gameName(name);
      const isTitled = title !== name;
      return html`
        <a href=${place(`games/${word(name)}`)} translate=${isTitled ? null : "no"}>${title}</a>
        ${isTitled && html`<div class="eq-small eq-muted eq-mono" translate="no">${name}</div>`}`;
    }

    const row = (game) => html`
      <tr key=${game.name}>
        <td>${link(game)}</td>
        <td>${description(game)}</td>
        <td class="eq-right">${count(game.sizes?.num_players) || none()}</td>
        <td class="eq-right">${histories(game, none())}</td>
        <td class="eq-right">${count(game.sizes?.num_infosets) || none()}</td>
        ${isOwner && html`
          <td>
            ${isUploaded(game) && html`
              <button class="eq-button eq-small" type="button" onClick=${() => remove(game)}
                aria-label=${t("games.delete.name", { name: game.name })}>${t("games.delete")}</button>`}
          </td>`}
      </tr>`;

    return () => html`
      <div class="eq-stack">
        ${isOver.value && dropNote(t("games.drop"))}
        <p>${t("games.about")}</p>
        <div class="eq-row">
          <label class="eq-row">${t("games.search")}
            <input class="eq-field" type="search" value=${search.value} onInput=${keep} />
          </label>
          <span class="eq-muted" role="status">
            ${t("games.shown", { shown: shown.value.length, n: games.value.length })}
          </span>
          <span class="eq-grow"></span>
          ${isOwner && uploading()}
        </div>
        ${error.value && html`<${Notice} error=${error.value} of=${refused.value} />`}
        ${done.value && html`<p class="eq-good" role="status">${done.value}</p>`}
        <div class="eq-scroll" role="region" tabindex="0" aria-label=${t("section.games")}>
          <table class="eq-table eqg-games">
            <thead><tr>
              <th scope="col" class="eqg-name">${t("games.game")}</th>
              <th scope="col">${t("games.description")}</th>
              <th scope="col" class="eq-right eqg-size">${t("games.players")}</th>
              <th scope="col" class="eq-right eqg-histories">${t("games.histories")}</th>
              <th scope="col" class="eq-right eqg-size">${t("games.infosets")}</th>
              ${isOwner && html`
                <th scope="col" class="eqg-size"><span class="eq-hidden">${t("games.delete")}</span></th>`}
            </tr></thead>
            <tbody>${shown.value.map(row)}</tbody>
          </table>
        </div>
        ${games.value.length > 0 && !shown.value.length && html`<p>${t("games.none")}</p>`}
      </div>`;
  },
};

show(Games, "games", t("section.games"));
