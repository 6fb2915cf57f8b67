"""`equilibrist train`: networks that play a game, trained and measured."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import takes
from equilibrist.cli.inputs.signals import INTERRUPTED, resumable, terminate_like_interrupt
from equilibrist.cli.inputs.start_time import STARTED, note_overrun, stages_text
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, show, show_json, suggest
from equilibrist.cli.text.progress import LiveLine
from equilibrist.options.option import Option, choose
from equilibrist.options.solve_options import SOLVE_OPTIONS

HELP = """Train networks on a game, and measure what they play by exact best responses.

Needs the extra `nets`: pip install "equilibrist[nets]". What was trained is played and measured
without it.

\b
  sd-cfr     a network remembers the regrets of sampled play; all networks, weighted by their
             iteration, are the average strategy (Single Deep CFR)
  deep-cfr   a second network is fitted to the average of the strategies
  dream      as sd-cfr, from single trajectories, with a learned baseline against their variance
  escher-net learned values of histories instead of importance weights
  vr-deep-dcfr+, vr-deep-pdcfr+
             as dream, but the network goes on from its own regrets; the second one expects the
             last regrets to come again
  nfsp       learned best responses, and a network of what they have played
  ppo, mmd, r-nad
             policy gradients on sampled episodes: clipped gains with entropy, mirror descent,
             replicator dynamics that are held near an earlier policy; the last policy is the answer
  mmd-q, ppo-q, r-nad-q
             their steps on learned values of all actions, worked out infoset by infoset

Parameters stand behind the name, as in sd-cfr(walks=346,steps=3000): walks of an iteration, steps
of a fit, rows of a step (batch), hidden layers (depth) and their width, the learning rate, the norm
at which gradients are cut (clip), rows that are kept (buffer), warm=false for a new network each
time, merge=true to fit the means of infosets, which is faster where infosets are few, fallback=
largest or uniform where no regret is positive, learner=table for the table that a perfect fit would
be. Defaults are those of published runs where there are some. The page "Training
networks" lists the parameters of each algorithm.

Players take turns: one iteration is the walks and the fit of one player, of nfsp, ppo, mmd and
r-nad of both. The run stops at --iterations, --time or --target, whichever comes first, by default
after 300 iterations. Ctrl-C stops after the current iteration and saves the partial result, with
exit code 130.

\b
Examples:
  equilibrist train leduc --iterations 300 --seed 1 -o net.safetensors
  equilibrist train leduc --algorithm "sd-cfr(merge=true)" --time 10m --plot curve.svg
  equilibrist train kuhn --algorithm deep-cfr --iterations 60 --checkpoint run.ckpt
  equilibrist train leduc --algorithm vr-deep-pdcfr+ --iterations 200 --target 0.1
  equilibrist train kuhn --iterations 2000 --resume run.ckpt -o net.safetensors
"""

TRAIN_OPTIONS: Final[dict[str, Option]] = {
    "algorithm": replace(
        SOLVE_OPTIONS["algorithm"],
        kind="training",
        help="sd-cfr, dream, nfsp and so on, with parameters if any: sd-cfr(walks=346).",
        default_text="sd-cfr, or that of the run that is resumed",
    ),
    **choose(
        SOLVE_OPTIONS,
        (
            "seed",
            "iterations",
            "target",
            "seconds",
            "out",
            "plot",
            "checkpoint",
            "checkpoint_every",
            "resume",
            "max_histories",
            "memory",
            "max_depth",
        ),
        seed="Seed of all draws: walks, first weights, batches.",
        iterations="Stop after this many, of all players together.  [default: 300]",
        target="Stop at this exploitability (NashConv where there is none), in payoff units.",
        max_histories="Refuse games with more histories than this.",
        memory="Refuse games that need more, for instance 500MB or 2GB.",
        out="Save the solution with its networks here. An earlier solution is replaced, any other "
        "file is not.",
    ),
}
"""The options of `train`, by the names of the arguments in Python."""
TRAIN_OPTIONS["memory"] = replace(TRAIN_OPTIONS["memory"], default_text="half of the machine's")
TRAIN_OPTIONS["seed"] = replace(
    TRAIN_OPTIONS["seed"], default=None, default_text="0, or that of the run that is resumed"
)


@takes(TRAIN_OPTIONS, "settings")
def train(
    game: options.Game,
    settings: dict[str, Any],
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Train as the options say, print the report, save the solution."""
    from equilibrist.cli.text.result_text import show_result
    from equilibrist.cli.text.saving import Saver, warn_if_unwritable
    from equilibrist.learned.training import method_and_seed, run_training
    from equilibrist.progress import Callbacks, timed
    from equilibrist.solving.config import SolveConfig
    from equilibrist.solving.writing import ResultWriter
    from equilibrist.storage.archive import refuse_table_name
    from equilibrist.storage.kinds.file_kinds import SOLUTION

    method, seed = method_and_seed(
        settings.pop("algorithm", None), settings.pop("seed", None), settings.get("resume")
    )
    config = SolveConfig.build(algorithm=method.spec, seed=seed, **settings)
    warn_if_unwritable(config.out)
    if config.out is not None:
        refuse_table_name(config.out, SOLUTION)
    with resumable(config.saves_to):
        with LiveLine(quiet=quiet, interrupted="") as live, terminate_like_interrupt():
            callbacks = Callbacks(None if live.quiet else live.progress, live.stage, live.walked)
            result, failure = run_training(game, method, config, timed(callbacks, STARTED))
        note_overrun(config.seconds, result.iterations)
        saver = Saver(config.out, lambda solution, path: solution.save(path))
        writer = ResultWriter[Any](saver, config.plot)
        result = writer.write(result, failure)
        if json:
            show_json(result.to_dict())
        else:
            show_result(result, saver.name)
            saver.close()
        if config.seconds is not None and not json:
            show(stages_text(result.stages).capitalize())
        if writer.plotted is not None:
            (note if json else show)(f"Convergence drawn to {writer.plotted}")
        writer.raise_failures()
        if not (json or quiet) and saver.name is not None:
            suggest(next_command("play", saver.name, coach=True, without=("seed",)))
        if result.stopped_by == "interrupted":
            raise typer.Exit(INTERRUPTED)
