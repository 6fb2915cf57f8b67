"""The methods of re-solving: one row each, composed of the same few pieces.

A method says what p's plan inside the subgames is chosen for, what holds o's best-response values
u_j there, and what o's alternatives to entering with hand j, alt_j, are.

Neil Burch, Michael Johanson and Michael Bowling, "Solving imperfect information games using
decomposition", AAAI 2014 (resolve); Matej Moravcik, Martin Schmid, Karel Ha, Milan Hladik and
Stephen Gaukrodger, "Refining subgames in large imperfect information games", AAAI 2016 (margins);
Noam Brown and Tuomas Sandholm, "Safe and nested subgame solving for imperfect-information games",
NIPS 2017 (normalised margins, reach, estimates); Brian Hu Zhang and Tuomas Sandholm, "Subgame
solving without common knowledge", NeurIPS 2021 (knowledge of some order), and "General search
techniques without common knowledge for imperfect-information games", 2025 (Obscuro); Samuel Sokota,
Eugene Vinitsky, Hengyuan Hu, J. Zico Kolter and Gabriele Farina, "Superhuman AI for Stratego using
self-play reinforcement learning and test-time search", 2025 (one step).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.parsing.arguments import bad_argument, finite_number, whole_number
from equilibrist.parsing.call_text import Reader, check_names, format_spec, unreadable

Goal = Literal["range", "excess", "margin", "step"]
"""What is optimised: o's value against the trunk's own range of o, the sum of what o's values
exceed the alternatives by, or the least that they stay below them; or, at each infoset of p's by
itself, what p earns if both go on as the trunk does, less what leaving it and the magnet costs."""
Alternatives = Literal["best-response", "trunk"]
Gifts = Literal["none", "split", "whole", "certain"]
Scale = Literal["normalised", "raw"]
Deals = Literal["weight", "mixed"]
_CHOICES: Final = {
    "alternatives": get_args(Alternatives),
    "gifts": get_args(Gifts),
    "scale": get_args(Scale),
    "deals": get_args(Deals),
    "frozen": (True, False),
}


@dataclass(frozen=True)
class SearchMethod:
    """A method of re-solving.

    Attributes:
        name: Its name.
        summary: What it does, in a line.
        formula: Its programme.
        goal: What is optimised.
        capped: Whether u_j <= alt_j is demanded of every hand.
        alternatives: Where alt_j comes from: o's best response to the trunk, or o's play in the
            trunk, which is only an estimate of what o can get.
        gifts: Whether o's gifts on the way are added to alt_j: each root its share, or all of them;
            or the share of those that are certain, which count a better action only for what it
            earns however p plays below the roots.
        scale: Whether margins are per unit of w_j (Brown and Sandholm) or not (Moravcik).
        mass: In a gadget game with caps: how large the part is that the opponent may leave, beside
            that of the trunk's range. What values exceed caps by adds up to the gain against the
            range divided by it, at most: with 1 some do in Leduc, with 10 none. Linear programmes
            keep caps whatever it is; guessed ones rise to what can be kept.
        deals: Which of o's hands excesses count with: each by its weight w_j; or by the mean of an
            equal share and that of r_o(j), divided by w_j (Obscuro).
        order: Of which order p's knowledge is that each of its hands is solved with by itself; None
            for common knowledge, with which all hands are solved at once.
        frozen: With an order: whether p's hands outside of knowledge of order 2 * order - 1 go on
            as the trunk does where they are met; with order 1 all other hands do. If not, they are
            solved, too. Of hands that are solved with another one nobody plays the solution.
        purify: How many actions are kept at an infoset: the most likely ones; 0 for all.
        alpha: With a step: what a unit of relative entropy to the magnet, uniform play, costs.
        beta: With a step: what a unit of relative entropy to the trunk costs.
    """

    name: str
    summary: str
    formula: str
    goal: Goal
    capped: bool = False
    alternatives: Alternatives = "best-response"
    gifts: Gifts = "none"
    scale: Scale = "normalised"
    mass: float = 10.0
    deals: Deals = "weight"
    order: int | None = None
    frozen: bool = True
    purify: int = 0
    alpha: float = 0.01
    beta: float = 10.0

    @property
    def is_safe(self) -> bool:
        """Whether theory says that no seat becomes more exploitable."""
        proven = self.alternatives == "best-response" and self.gifts != "whole"
        return self.uses_alternatives and proven and self.order is None and not self.purify

    @property
    def uses_alternatives(self) -> bool:
        """Whether it matters what the opponent may count on."""
        return self.goal in ("excess", "margin") or self.capped

    @property
    def has_gadget(self) -> bool:
        """Whether it is a programme over whole subgames, and so has a gadget game."""
        return self.goal != "step"

    @property
    def fits_spots(self) -> bool:
        """Whether it can stand at the root of a hold'em spot, which is solved with all hands."""
        return self.has_gadget and self.order is None and not self.purify and self.deals == "weight"

    @property
    def parameters(self) -> tuple[str, ...]:
        """What may be given in brackets after the name."""
        if not self.has_gadget:
            return ("alpha", "beta", "purify")
        by_goal = {"range": (), "margin": ("scale",), "excess": ("deals",)}
        names = by_goal[self.goal] + (("mass",) if self.capped else ())
        if self.uses_alternatives:
            names = ("alternatives", "gifts", *names)
        return (*names, "order", "frozen", "purify")

    @property
    def spec(self) -> str:
        """The shortest text that `get_search_method` takes for it."""
        usual = METHODS[self.name]
        changed = {
            name: getattr(self, name)
            for name in usual.parameters
            if getattr(self, name) != getattr(usual, name)
        }
        return format_spec(self.name, changed)


METHODS: Final[dict[str, SearchMethod]] = {
    method.name: method
    for method in (
        SearchMethod(
            name="unsafe",
            summary="the best play if the opponent comes as the trunk does; no guarantee",
            formula="min sum_j r_o(j) u_j",
            goal="range",
        ),
        SearchMethod(
            name="resolve",
            summary="CFR-D: the opponent may take the alternative instead of entering",
            formula="min sum_j max(u_j, alt_j)",
            goal="excess",
        ),
        SearchMethod(
            name="max-margin",
            summary="what the opponent has least to lose by entering is made as large as can be",
            formula="max m: u_j <= alt_j - m w_j (normalised) or u_j <= alt_j - m (raw)",
            goal="margin",
        ),
        SearchMethod(
            name="reach",
            summary="max-margin, with the opponent's gifts on the way added to the alternatives",
            formula="max m: u_j <= alt_j + gift_j - m w_j",
            goal="margin",
            gifts="split",
        ),
        SearchMethod(
            name="reach-certain",
            summary="reach, with gifts that o made however the seat plays below the roots",
            formula="max m: u_j <= alt_j + least gift_j - m w_j",
            goal="margin",
            gifts="certain",
        ),
        SearchMethod(
            name="reach-resolve",
            summary="resolve, with the opponent's gifts on the way added to the alternatives",
            formula="min sum_j max(u_j, alt_j + gift_j)",
            goal="excess",
            gifts="split",
        ),
        SearchMethod(
            name="constrained",
            summary="the best play if the opponent comes as the trunk does, of what is safe",
            formula="min sum_j r_o(j) u_j: u_j <= alt_j",
            goal="range",
            capped=True,
        ),
        SearchMethod(
            name="estimate-resolve",
            summary="resolve, with the opponent's values in the trunk's play; no guarantee",
            formula="min sum_j max(u_j, cfv_j)",
            goal="excess",
            alternatives="trunk",
        ),
        SearchMethod(
            name="estimate-max-margin",
            summary="max-margin, with the opponent's values in the trunk's play; no guarantee",
            formula="max m: u_j <= cfv_j - m w_j",
            goal="margin",
            alternatives="trunk",
        ),
        SearchMethod(
            name="knowledge-limited",
            summary="max-margin for each own hand alone, the others' play as in the trunk (1-KLSS)",
            formula="max m: u_j <= alt_j - m w_j, over the play of one hand",
            goal="margin",
            order=1,
        ),
        SearchMethod(
            name="obscuro",
            summary="resolve for each own hand with what it knows the opponent may know, purified",
            formula="min sum_j (r_o(j) / sum r_o + 1 / m) / (2 w_j) max(u_j, alt_j)",
            goal="excess",
            deals="mixed",
            order=1,
            frozen=False,
            purify=1,
        ),
        SearchMethod(
            name="one-step",
            summary="one step of mirror descent from the trunk, in closed form; no guarantee",
            formula="x(a) ~ (exp(q(a)) magnet(a)^alpha trunk(a)^beta)^(1 / (alpha + beta))",
            goal="step",
        ),
    )
}
"""Every method by name. The best completion, which none of them beats, is a joint graft."""

_NAME: Final = re.compile(r"[^()\s]+")


def get_search_method(spec: str | SearchMethod) -> SearchMethod:
    """The method that a text names.

    Args:
        spec: A name, or a name with parameters: `max-margin(scale=raw)`, `resolve(gifts=split)`.

    Returns:
        The method.

    Raises:
        UnknownNameError: There is no such method, or it has no such parameter.
        ConfigError: A parameter has a wrong value.
    """
    if isinstance(spec, SearchMethod):
        return spec
    if not isinstance(spec, str):
        raise bad_argument("method", spec, "the name of a method, such as 'max-margin'")
    reader = Reader(spec, "method", unreadable("method"))
    written = reader.take(_NAME, "expected a name, such as resolve or max-margin(scale=raw)")
    bare = written.lower().replace("_", "").replace("-", "")
    name = next((known for known in METHODS if known.replace("-", "") == bare), written)
    if name not in METHODS:
        raise UnknownNameError("method", written, [*METHODS], option="method")
    method = METHODS[name]
    given, _ = reader.parameters(list(method.parameters))
    check_names(name, given, method.parameters)
    for key, value in given.items():
        if key in ("mass", "alpha", "beta"):
            given[key] = number = finite_number(key, value)
            if number < 0.0 or (number == 0.0 and key == "mass"):
                least = "above 0" if key == "mass" else "of at least 0"
                raise bad_argument(key, value, f"a number {least}", place=name)
        elif key in ("order", "purify"):
            given[key] = whole_number(key, value, 1 if key == "order" else 0)
        elif value not in _CHOICES[key]:
            raise ConfigError(
                option=key,
                given=value,
                expected=" or ".join(str(choice).lower() for choice in _CHOICES[key]),
                place=name,
            )
    chosen = replace(method, **given)  # type: ignore[arg-type]
    if chosen.alpha + chosen.beta <= 0.0:
        raise bad_argument("beta", chosen.beta, "a number above 0 where alpha is 0", place=name)
    return chosen
