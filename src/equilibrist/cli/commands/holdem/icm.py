"""`equilibrist icm`: what the stacks of a tournament are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.text.output import Align, note, show, show_facts, show_json, show_table
from equilibrist.options.option import DISPLAY, SAMPLING
from equilibrist.parsing.quantities import read_count

if TYPE_CHECKING:
    from equilibrist.poker.tournaments.values import TournamentValues

HELP = """Say what the stacks of a tournament are worth by the independent chip model (ICM).

STACKS are chips between slashes or commas: 5000/3000/2000, Ann:12.5k/Bob:8k, 20000x8 for eight
stacks of 20,000. --payouts are the prizes from the first place down, in any unit; with a percent
sign they are shares of --pool. A player finishes first with the probability of their share of the
chips, and the further places are given likewise among the others (Malmuth and Harville).

Worth is the expected prize, per chip that divided by the stack. A chip chop gives everybody the
last payout and divides the rest by chips. With --leave the winner of a deal still plays for that
amount: all else is divided.

Values are exact, also of hundreds of players; where that would take long, or with --samples, orders
of finish are sampled, and values have a 95 % confidence interval.

\b
Examples:
  equilibrist icm 5000/3000/2000 --payouts 50/30/20
  equilibrist icm Ann:12.5k/Bob:8k/Cy:4k --payouts 50%/30%/20% --pool 1200 --leave 100
  equilibrist icm 20000x50/35000x20 --payouts 1000/700/500/300x4/200x5 --json
"""
_PLACES: Final = 4
_ORDINALS: Final = ("1st", "2nd", "3rd", "4th")
_MOST_ROWS: Final = 50


def icm(
    stacks: Annotated[
        str, options.argument("STACKS", "The chips of each player, between slashes or commas.")
    ],
    payouts: Annotated[
        str | None,
        options.optional("--payouts", "LIST", "The prizes, the first place first: 50/30/20."),
    ] = None,
    pool: Annotated[
        str | None,
        options.optional("--pool", "AMOUNT", "The prize pool of which payouts are percents."),
    ] = None,
    names: Annotated[
        str | None, options.optional("--names", "LIST", "The players: Ann/Bob/Cy.")
    ] = None,
    leave: Annotated[
        str | None,
        options.optional("--leave", "AMOUNT", "What a deal leaves for the winner to play for."),
    ] = None,
    samples: Annotated[
        str | None,
        options.optional(
            "--samples",
            "N",
            "Sample this many orders of finish.  [default: exact, or 20000 where that takes long]",
            SAMPLING,
        ),
    ] = None,
    seed: Annotated[
        int, options.whole("--seed", "N", "Seed of the sample.", SAMPLING, default=True)
    ] = 0,
    all_players: Annotated[
        bool,
        options.switch("--all", f"Show more than {_MOST_ROWS} players.", DISPLAY),
    ] = False,
    json: options.Json = False,
) -> None:
    """Read, value, print."""
    from equilibrist.poker.tournaments.notation import read_amount, read_amounts
    from equilibrist.poker.tournaments.values import tournament_values

    chips = read_amounts(stacks, "stack")
    values = tournament_values(
        chips.numbers,
        _prizes(payouts, pool),
        names=chips.names if names is None else _called(names),
        leave=0.0 if leave is None else read_amount(leave, "leave"),
        samples=None if samples is None else read_count(samples, "samples"),
        seed=seed,
    )
    if json:
        show_json(values.to_dict())
        return
    if said := values.without_chips:
        note(said)
    _show(values, _MOST_ROWS if not all_players else len(values.names))


def _prizes(payouts: str | None, pool: str | None) -> list[float]:
    """The payouts in the unit of the prize pool; ConfigError."""
    from equilibrist.errors import ConfigError
    from equilibrist.poker.tournaments.notation import read_prizes

    if payouts is None:
        raise ConfigError(
            "the payouts are missing",
            option="payouts",
            expected="the prizes from the first place down",
            remedy="give --payouts 50/30/20",
        )
    return read_prizes(payouts, pool)


def _called(names: str) -> list[str]:
    separator = "/" if "/" in names else ","
    return [name.strip() for name in names.split(separator)]


def _show(values: TournamentValues, most: int) -> None:
    pool, chips = float(values.payouts.sum()), float(values.stacks.sum())
    show_facts(
        [
            ("players", f"{len(values.names):,}, {len(values.payouts):,} paid"),
            ("prize pool", f"{pool:,.10g}"),
            ("chips", f"{chips:,.10g}"),
            ("per chip", f"{pool / chips:.4g}"),
            ("for the winner", f"{values.left:,.10g}" if values.left else ""),
            (
                "sampled",
                "" if values.exact else f"{values.samples:,} orders of finish, seed {values.seed}",
            ),
        ],
        "",
    )
    show()
    columns: list[tuple[str, Align, list[str]]] = [
        ("", "left", list(values.names)),
        ("stack", "right", [f"{stack:,.10g}" for stack in values.stacks]),
        ("chips", "right", [f"{share:.2%}" for share in values.shares]),
        ("worth", "right", [_money(worth, pool) for worth in values.worth]),
    ]
    if values.intervals is not None:
        between = [f"{_money(low, pool)} to {_money(high, pool)}" for low, high in values.intervals]
        columns += [("95 % interval", "left", between)]
    columns += [
        ("of pool", "right", [f"{worth / pool:.2%}" for worth in values.worth]),
        (
            "per chip",
            "right",
            ["-" if chip != chip else f"{chip:.4g}" for chip in values.per_chip],
        ),
        ("chip chop", "right", [_money(worth, pool) for worth in values.by_chips]),
    ]
    if values.places is not None:
        for place in range(min(_PLACES, values.places.shape[1])):
            shares = [f"{share:.2%}" for share in values.places[:, place]]
            columns += [(_ORDINALS[place], "right", shares)]
    rows = [*zip(*(cells[:most] for _, _, cells in columns), strict=True)]
    show_table([name for name, _, _ in columns], rows, [align for _, align, _ in columns])
    if len(values.names) > most:
        show(f"  ... {len(values.names) - most:,} more; --all shows them, --json has everything")


def _money(amount: float, pool: float) -> str:
    """An amount with so many digits that a ten thousandth of a percent of the pool shows."""
    digits = 2 if pool >= 10 else 4
    return f"{amount:,.{digits}f}"
