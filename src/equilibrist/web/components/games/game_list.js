// The games: searched at once, with their sizes once those are counted.
import { about, api, ApiError, count, query, said, say, word } from "equilibrist-games";

export default {
  template: `
  <div class="eq-stack">
    <div class="eq-row">
      <label class="eq-row">Search <input class="eq-field" type="search" v-model="text" @input="keep"></label>
      <span class="eq-muted" role="status">{{ shown.length }} of {{ games.length }} games</span>
      <span class="eq-grow"></span>
      <template v-if="owner"><button class="eq-button" @click="$refs.file.click()">Upload an .efg</button>
        <input ref="file" hidden type="file" accept=".efg" aria-label="A game as .efg" @change="upload"></template>
    </div>
    <p v-if="error" class="eq-error" role="alert">{{ error }}</p>
    <p v-if="done" class="eq-good" role="status">{{ done }}</p>
    <div class="eq-scroll" role="region" tabindex="0" aria-label="Games">
      <table class="eq-table eqg-games">
        <thead><tr><th>Game</th><th>Description</th><th class="eq-right">Players</th><th class="eq-right">Histories</th><th class="eq-right">Infosets</th><th v-if="owner"><span class="eq-hidden">Delete</span></th></tr></thead>
        <tbody><tr v-for="game in shown" :key="game.name">
          <td><a :href="'/games/' + word(game.name)">{{ game.name }}</a></td>
          <td>{{ game.summary || 'uploaded' }}</td>
          <td class="eq-right">{{ game.sizes ? game.sizes.num_players : '' }}</td>
          <td class="eq-right">{{ histories(game) }}</td>
          <td class="eq-right">{{ game.sizes ? count(game.sizes.num_infosets) : '' }}</td>
          <td v-if="owner"><button v-if="uploaded(game)" class="eq-button eq-small" @click="remove(game)" :aria-label="'Delete ' + game.name">Delete</button></td>
        </tr></tbody>
      </table>
    </div>
    <p v-if="games.length && !shown.length">No matching games.</p>
  </div>`,
  props: { owner: Boolean },
  data: () => ({ games: [], text: said().one("search"), error: "", done: "" }),
  computed: {
    shown() {
      const wanted = this.text.trim().toLowerCase();
      if (!wanted) return this.games;
      const texts = (game) => [game.name, game.summary ?? "", ...(game.aliases ?? [])].join(" ").toLowerCase();
      return this.games.filter((game) => texts(game).includes(wanted));
    },
  },
  async mounted() {
    await this.load();
  },
  methods: {
    async load() {
      try {
        const plain = await api("games");
        if (!this.games.length) this.games = plain;
        this.games = await api("games?sizes=true");
      } catch (error) {
        this.error = error.sentence ?? String(error);
      }
    },
    histories(game) {
      if (!game.sizes) return "";
      return game.sizes.estimate_num_nodes ? about(game.sizes.estimate_num_nodes) : count(game.sizes.num_nodes);
    },
    keep() {
      say({ search: this.text });
    },
    async upload(event) {
      const [file] = event.target.files;
      event.target.value = "";
      if (!file) return;
      Object.assign(this, { error: "", done: "" });
      try {
        if (!/\.efg$/i.test(file.name)) throw new ApiError({ error: `${file.name} is not an .efg file`, remedy: "choose a file of Gambit's extensive form" }, 422);
        const name = file.name.replace(/\.efg$/i, "").replace(/[^A-Za-z0-9+_-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "") || "game";
        const found = await api(`uploads/${word(name)}.efg`, { method: "PUT", raw: file });
        this.done = `${file.name} is here as ${found.name}, with ${count(found.sizes?.num_nodes)} histories`;
        await this.load();
      } catch (error) {
        this.error = `${file.name}: ${error.sentence ?? error}`;
      }
    },
    async remove(game) {
      Object.assign(this, { error: "", done: "" });
      try {
        await api(`games/${game.name}`, { method: "DELETE" });
        this.done = `${game.name} is deleted`;
        await this.load();
      } catch (error) {
        this.error = error.sentence ?? String(error);
      }
    },
    uploaded: (game) => game.name.startsWith("library:"),
    count,
    word,
    query,
  },
};
