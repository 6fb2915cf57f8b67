"""`equilibrist postflop convert`: a spot in the form of another solver, or of ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import file_name
from equilibrist.cli.postflop.spot_options import takes_spot
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, show_exactly, suggest
from equilibrist.options.option import FILES
from equilibrist.poker.postflop.spot.fields import SPOT_OPTIONS

if TYPE_CHECKING:
    from equilibrist.poker.postflop.spot.spot import Spot

HELP = """Write a spot as a file of another solver, or the set-up of another solver as a spot file.

SPOT is a spot file (TOML), a tree configuration or a script of PioSOLVER, console input of
TexasSolver, a set-up of WASM Postflop or Desktop Postflop in JSON, or a played hand; all commands
that take a spot file take these, whatever they are called. Options override what it says, and add
what it lacks, as the ranges of a hand.

--to is pio (a tree configuration), pio-script (all lines of the tree, which says any betting),
texassolver, wasm (JSON) or toml. Without OUT the text is printed. What the other form cannot say is
refused, and what SPOT says beyond a spot is named.

\b
Examples:
  equilibrist postflop convert pio_tree.txt spot.toml --to toml
  equilibrist postflop convert spot.toml input.txt --to texassolver
  equilibrist postflop convert configs.json#SRP spot.toml --to toml \\
      --board QsJh2h --oop "22+,A2s+" --ip "TT+,AQs+"
  equilibrist postflop convert session.txt#3 spot.toml --to toml --oop "22+,A2s+" --ip "TT+,AQs+"
  equilibrist postflop convert spot.toml --to pio
"""


@takes_spot
def convert(
    spot: Spot,
    out: Annotated[
        Path | None, options.argument("[OUT]", "The file to write.", parser=file_name)
    ] = None,
    to: Annotated[
        str | None,
        options.optional("--to", "FORM", "pio, pio-script, texassolver, wasm or toml.", FILES),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Write the spot in the other form."""
    from equilibrist.errors import ConfigError
    from equilibrist.poker.postflop.setups.files import FORMS, setup_text, write_setup

    form = "toml" if to is None and out is not None and out.suffix.lower() == ".toml" else to
    if form is None:
        raise ConfigError(
            "the form is missing",
            option="--to",
            expected=", ".join(FORMS),
            remedy=f"give --to {' or --to '.join(FORMS)}",
        )
    if out is None:
        show_exactly(setup_text(spot, form).removesuffix("\n"))
        return
    write_setup(spot, out, form)
    note(f"spot written to {out}")
    if not quiet:
        suggest(
            next_command("postflop estimate", out, without=("out", "to", "file", *SPOT_OPTIONS))
        )
