// Ranges by name with small pictures of them; those of a library lie in folders, and are dragged there.
const SIDE = 13;
const TOP = "";

// From the colour of cells to that of weights, as in the editor.
function picture(canvas, weights) {
  const style = getComputedStyle(document.documentElement);
  const empty = style.getPropertyValue("--eq-cell").trim();
  const pen = canvas.getContext("2d");
  pen.globalAlpha = 1;
  pen.fillStyle = empty;
  pen.fillRect(0, 0, SIDE, SIDE);
  pen.fillStyle = "#facc15";
  [...weights].forEach((digit, k) => {
    pen.globalAlpha = parseInt(digit, 36) / 35;
    pen.fillRect(k % SIDE, Math.floor(k / SIDE), 1, 1);
  });
}

const Thumbnail = {
  props: { weights: { type: String, required: true } },
  template: `<canvas ref="canvas" width="13" height="13" aria-hidden="true"></canvas>`,
  methods: {
    draw() {
      picture(this.$refs.canvas, this.weights);
    },
  },
  watch: {
    weights: { handler: "draw", flush: "post" },
  },
  mounted() {
    this.draw();
    window.addEventListener("palette", this.draw);
  },
  beforeUnmount() {
    window.removeEventListener("palette", this.draw);
  },
};

export default {
  components: { Thumbnail },
  template: `
    <ul class="rl" :class="{ 'rl-tiles': tiles }" :aria-label="label">
      <li v-if="folders.length && may" :class="{ 'rl-over': over === '' }" @dragover="hover($event, '')" @dragleave="over = null" @drop.prevent="drop('')">
        <span class="rl-folder">no folder</span></li>
      <li v-for="row in rows" :key="row.key" :style="{ paddingLeft: 4 + 18 * row.depth + 'px' }" :class="{ 'rl-over': over !== null && row.isFolder && over === row.name }"
          :draggable="may && !tiles ? 'true' : null" @dragstart="start($event, row)" @dragend="dragged = over = null"
          @dragover="hover($event, row.isFolder ? row.name : parentOf(row.name))" @dragleave="over = null" @drop.prevent="drop(row.isFolder ? row.name : parentOf(row.name))">
        <span v-if="row.isFolder" class="rl-folder">{{ row.leaf }}/</span>
        <button v-else type="button" class="eq-button rl-use" :title="row.title" :aria-label="row.said" @click="$emit('use', { name: row.name })"><thumbnail :weights="row.weights" /><span>{{ row.leaf }}<small v-if="row.note">{{ row.note }}</small></span></button>
        <template v-if="may">
          <button type="button" class="eq-button" :aria-label="'Rename ' + row.what" @click="$emit('rename', { name: row.path })">Rename</button>
          <button type="button" class="eq-button" :aria-label="'Delete ' + row.what" @click="$emit('remove', { name: row.path })">Delete</button>
        </template>
      </li>
    </ul>`,
  props: {
    items: { type: Array, required: true }, // {name, note, title, weights}: 169 digits to base 36
    label: { type: String, required: true },
    tiles: { type: Boolean, default: false },
    may: { type: Boolean, default: false }, // rename, delete, drag
  },
  emits: ["use", "rename", "remove", "move"],
  data() {
    return { dragged: null, path: null, over: null };
  },
  computed: {
    folders() {
      if (this.tiles) return [];
      const found = new Set();
      for (const { name } of this.items) {
        for (let at = name.indexOf("/"); at >= 0; at = name.indexOf("/", at + 1)) found.add(name.slice(0, at));
      }
      return [...found];
    },
    rows() {
      const ranges = this.items.map(({ name, note, title, weights }) => {
        const parts = this.tiles ? [name] : name.split("/");
        const said = note ? `${name} ${note}` : name;
        return { key: `range ${name}`, name, path: name, leaf: parts.at(-1), note, depth: parts.length - 1, title, weights, what: name, said, isFolder: false };
      });
      const folders = this.folders.map((name) => {
        const parts = name.split("/");
        return { key: `folder ${name}`, name, path: `${name}/`, leaf: parts.at(-1), depth: parts.length - 1, what: `the folder ${name}`, isFolder: true };
      });
      if (this.tiles) return ranges;
      // A folder stands before what is in it.
      const place = (row) => (row.isFolder ? `${row.name}/` : row.name).replaceAll("/", "\u0001");
      return [...folders, ...ranges].sort((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0));
    },
  },
  methods: {
    parentOf(name) {
      return name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : TOP;
    },
    // Into another folder, and not into itself.
    fits(folder) {
      const name = this.dragged;
      return name !== null && folder !== this.parentOf(name) && folder !== name && !folder.startsWith(`${name}/`);
    },
    start(event, { name, path }) {
      this.dragged = name;
      this.path = path;
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", name);
    },
    hover(event, folder) {
      if (!this.fits(folder)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "move";
      this.over = folder;
    },
    drop(folder) {
      const name = this.dragged;
      if (this.fits(folder)) {
        const leaf = name.slice(name.lastIndexOf("/") + 1);
        this.$emit("move", { name: this.path, to: folder ? `${folder}/${leaf}` : leaf });
      }
      this.dragged = this.over = null;
    },
  },
};
