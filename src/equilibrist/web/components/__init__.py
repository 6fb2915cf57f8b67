"""Parts of pages, each a class and its plain JavaScript: values go in, events come out."""
