"""Elements of pages with JavaScript of their own: what must answer at once under the mouse."""
