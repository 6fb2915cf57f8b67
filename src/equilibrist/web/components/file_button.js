// A button that reads a small text file in the browser; its text goes to Python.
export default {
  template: `
    <span class="fb">
      <button type="button" class="eq-button" @click="$refs.file.click()">{{ label }}</button>
      <input ref="file" type="file" class="eq-hidden" tabindex="-1" :accept="accept"
             :aria-label="label" @change="read">
    </span>`,
  props: {
    label: { type: String, required: true },
    accept: { type: String, default: "" },
    most: { type: Number, default: 500000 },
  },
  methods: {
    async read(event) {
      const file = event.target.files[0];
      event.target.value = "";
      if (!file) return;
      const text = file.size > this.most ? null : await file.text();
      this.$emit("read", { name: file.name, size: file.size, text });
    },
  },
};
