// A labelled text field whose error stands below it; what is typed goes to Python after a pause.
let numbers = 0;

export default {
  template: `
    <div class="tf" :class="{ bad: error }">
      <label :for="id" :class="{ 'eq-hidden': hideLabel }">{{ label }}<abbr v-if="hint" class="tf-hint"
        :title="hint" aria-hidden="true">?</abbr></label>
      <span class="tf-box">
        <textarea v-if="lines > 1" :id="id" :rows="lines" v-model="text" class="eq-field" spellcheck="false"
          autocomplete="off" :placeholder="placeholder" :disabled="disabled" :aria-invalid="!!error"
          :aria-describedby="described" @input="typed" @change="tell" @focus="$event.target.select()"></textarea>
        <input v-else :id="id" v-model="text" class="eq-field" spellcheck="false" autocomplete="off"
          :placeholder="placeholder" :disabled="disabled" :aria-invalid="!!error" :inputmode="mode"
          :aria-describedby="described" @input="typed" @change="tell" @keydown.enter="entered">
        <span v-if="suffix" class="tf-suffix">{{ suffix }}</span>
      </span>
      <span v-if="hint" :id="id + '-hint'" class="eq-hidden">{{ hint }}</span>
      <span v-if="error" :id="id + '-error'" class="tf-error" role="alert">{{ error }}</span>
    </div>`,
  props: {
    given: { type: Object, required: true }, // {turn, text}
    label: { type: String, required: true },
    hideLabel: { type: Boolean, default: false },
    hint: { type: String, default: "" },
    error: { type: String, default: "" },
    placeholder: { type: String, default: "" },
    suffix: { type: String, default: "" },
    mode: { type: String, default: "text" },
    lines: { type: Number, default: 1 },
    disabled: { type: Boolean, default: false },
  },
  data() {
    return { text: this.given.text };
  },
  computed: {
    described() {
      const ids = [this.hint ? `${this.id}-hint` : "", this.error ? `${this.id}-error` : ""];
      return ids.filter(Boolean).join(" ") || null;
    },
  },
  watch: {
    given(now) {
      if (now.turn === this.turn) return;
      this.turn = now.turn;
      const typing = this.text !== this.told; // what is typed since goes to Python after the pause
      this.told = now.text;
      if (!typing) this.replace(now.text);
    },
  },
  created() {
    this.id = `text-field-${++numbers}`;
    this.turn = this.given.turn;
    this.told = this.text;
    window.addEventListener("beforeunload", this.tell);
  },
  beforeUnmount() {
    clearTimeout(this.timer);
    window.removeEventListener("beforeunload", this.tell);
  },
  methods: {
    /** A text that is selected whole stays so: what is typed next replaces it. */
    replace(text) {
      const field = document.getElementById(this.id);
      const isSelected =
        field !== null &&
        field === document.activeElement &&
        field.selectionStart === 0 &&
        field.selectionEnd === field.value.length;
      this.text = text;
      if (isSelected) this.$nextTick(() => field.select());
    },
    typed() {
      clearTimeout(this.timer);
      this.timer = setTimeout(this.tell, 250);
    },
    tell() {
      clearTimeout(this.timer);
      if (this.text === this.told) return;
      this.told = this.text;
      this.$emit("typed", { turn: this.turn, text: this.text });
    },
    entered() {
      this.tell();
      this.$emit("entered", { text: this.text });
    },
  },
};
