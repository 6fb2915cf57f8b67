"""Sites of files: pages and documents that any web server shows, without Equilibrist behind it.

`packs` says in which file a document lies, `questions` what pages ask, and `writing` writes a site.
"""
