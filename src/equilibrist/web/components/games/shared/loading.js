// A component that shows the document at its `address` in the API, as `name`.
import { api } from "./api.js";

// `loaded`, if the component has it, is called with each document. A late answer to an earlier
// address is dropped, so that what is shown is what was asked for last.
export const loads = (name) => ({
  data: () => ({ [name]: null, error: "" }),
  watch: { address: "load" },
  mounted() {
    this.load();
  },
  methods: {
    async load() {
      const { address } = this;
      let [document, error] = [null, ""];
      try {
        document = await api(address);
      } catch (refusal) {
        error = refusal.sentence ?? String(refusal);
      }
      if (address !== this.address) return;
      Object.assign(this, { [name]: document, error });
      if (document) this.loaded?.(document);
    },
  },
});
