"""Parts of pages in plain JavaScript: values go in, events come out."""
