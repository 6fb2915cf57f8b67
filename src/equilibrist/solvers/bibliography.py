"""The papers that algorithms and samplers come from, as BibTeX."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Paper:
    """An entry of the bibliography.

    Attributes:
        key: Its key in BibTeX.
        kind: The type of the entry.
        fields: The fields in order; the title as it is printed, capitals included.
        mark: What stands for it in the `paper` of a catalogue entry; empty for its title.
    """

    key: str
    kind: str
    fields: dict[str, str]
    mark: str = ""

    @property
    def bibtex(self) -> str:
        """The entry in BibTeX, whose title keeps its capitals."""
        lines = [f"@{self.kind}{{{self.key},"]
        for name, value in self.fields.items():
            braced = f"{{{value}}}" if name == "title" else value
            lines.append(f"  {name} = {{{braced}}},")
        return "\n".join([*lines, "}"])

    def is_named_in(self, text: str) -> bool:
        """Whether a catalogue entry means this paper."""
        return (self.mark or self.fields["title"].partition(":")[0]) in text


def papers_of(texts: Iterable[str]) -> list[Paper]:
    """The papers that catalogue entries name.

    Args:
        texts: The `paper` of each entry.

    Returns:
        Each paper once, in the order of `PAPERS`.
    """
    known = list(texts)
    return [paper for paper in PAPERS if any(paper.is_named_in(text) for text in known)]


def bibtex(texts: Iterable[str]) -> str:
    """The papers that catalogue entries name, as a BibTeX file.

    Args:
        texts: The `paper` of each entry.

    Returns:
        The entries, and a comment for each text of which no paper is known.
    """
    known = list(dict.fromkeys(texts))
    entries = [paper.bibtex for paper in papers_of(known)]
    odd = [text for text in known if text and not papers_of([text])]
    return "\n\n".join([*entries, *(f"% {' '.join(text.split())}" for text in odd)])


def _paper(kind: str, key: str, author: str, title: str, mark: str = "", **fields: str) -> Paper:
    return Paper(key, kind, {"author": author, "title": title, **fields}, mark)


def _in_proceedings(
    key: str, author: str, title: str, booktitle: str, year: str, mark: str = "", **fields: str
) -> Paper:
    return _paper(
        "inproceedings", key, author, title, mark, booktitle=booktitle, year=year, **fields
    )


def _preprint(key: str, author: str, title: str, number: str, year: str, mark: str = "") -> Paper:
    fields = {"eprint": number, "archivePrefix": "arXiv", "year": year}
    return _paper("misc", key, author, title, mark, **fields)


_NIPS: Final = "Advances in Neural Information Processing Systems"
_AAAI: Final = "Proceedings of the AAAI Conference on Artificial Intelligence"
_IJCAI: Final = "Proceedings of the International Joint Conference on Artificial Intelligence"
_ICLR: Final = "International Conference on Learning Representations"
_ICML: Final = "Proceedings of the International Conference on Machine Learning"

PAPERS: Final = (
    _in_proceedings(
        "zinkevich2007regret",
        "Zinkevich, Martin and Johanson, Michael and Bowling, Michael and Piccione, Carmelo",
        "Regret Minimization in Games with Incomplete Information",
        _NIPS,
        "2007",
    ),
    _preprint(
        "tammelin2014solving",
        "Tammelin, Oskari",
        "Solving Large Imperfect Information Games Using CFR+",
        "1407.5042",
        "2014",
        mark="1407.5042",
    ),
    _in_proceedings(
        "brown2019solving",
        "Brown, Noam and Sandholm, Tuomas",
        "Solving Imperfect-Information Games via Discounted Regret Minimization",
        _AAAI,
        "2019",
    ),
    _in_proceedings(
        "xu2022autocfr",
        "Xu, Hang and Li, Kai and Fu, Haobo and Fu, Qiang and Xing, Junliang",
        "AutoCFR: Learning to Design Counterfactual Regret Minimization Algorithms",
        _AAAI,
        "2022",
    ),
    _in_proceedings(
        "farina2021faster",
        "Farina, Gabriele and Kroer, Christian and Sandholm, Tuomas",
        "Faster Game Solving via Predictive Blackwell Approachability: Connecting Regret Matching "
        "and Mirror Descent",
        _AAAI,
        "2021",
    ),
    _in_proceedings(
        "xu2024minimizing",
        "Xu, Hang and Li, Kai and Liu, Bingyun and Fu, Haobo and Fu, Qiang and Xing, Junliang and "
        "Cheng, Jian",
        "Minimizing Weighted Counterfactual Regret with Optimistic Online Mirror Descent",
        _IJCAI,
        "2024",
        mark="IJCAI 2024",
    ),
    _in_proceedings(
        "meng2026faster",
        "Meng, Linjian and Yang, Tianpei and Zhang, Youzhi and Ge, Zhenxing and Gao, Yang",
        "Faster Game Solving via Asymmetry of Step Sizes",
        _AAAI,
        "2026",
        eprint="2503.12770",
        archivePrefix="arXiv",
    ),
    _preprint(
        "zhang2024faster",
        "Zhang, Naifeng and McAleer, Stephen and Sandholm, Tuomas",
        "Faster Game Solving via Hyperparameter Schedules",
        "2404.09097",
        "2024",
    ),
    _in_proceedings(
        "xu2024dynamic",
        "Xu, Hang and Li, Kai and Fu, Haobo and Fu, Qiang and Xing, Junliang and Cheng, Jian",
        "Dynamic Discounted Counterfactual Regret Minimization",
        _ICLR,
        "2024",
    ),
    _paper(
        "article",
        "freund1997decision",
        "Freund, Yoav and Schapire, Robert E.",
        "A Decision-Theoretic Generalization of On-Line Learning and an Application to Boosting",
        "A Decision-Theoretic Generalization of On-Line Learning",
        journal="Journal of Computer and System Sciences",
        volume="55",
        number="1",
        year="1997",
    ),
    _paper(
        "book",
        "cesabianchi2006prediction",
        "Cesa-Bianchi, Nicol{\\`o} and Lugosi, G{\\'a}bor",
        "Prediction, Learning, and Games",
        publisher="Cambridge University Press",
        year="2006",
    ),
    _in_proceedings(
        "rakhlin2013optimization",
        "Rakhlin, Alexander and Sridharan, Karthik",
        "Optimization, Learning, and Games with Predictable Sequences",
        _NIPS,
        "2013",
    ),
    _in_proceedings(
        "farina2019optimistic",
        "Farina, Gabriele and Kroer, Christian and Sandholm, Tuomas",
        "Optimistic Regret Minimization for Extensive-Form Games via Dilated Distance-Generating "
        "Functions",
        _NIPS,
        "2019",
    ),
    _in_proceedings(
        "sokota2023unified",
        "Sokota, Samuel and D'Orazio, Ryan and Kolter, J. Zico and Loizou, Nicolas and Lanctot, "
        "Marc and Mitliagkas, Ioannis and Brown, Noam and Kroer, Christian",
        "A Unified Approach to Reinforcement Learning, Quantal Response Equilibria, and "
        "Two-Player Zero-Sum Games",
        _ICLR,
        "2023",
    ),
    _in_proceedings(
        "morrill2021efficient",
        "Morrill, Dustin and D'Orazio, Ryan and Lanctot, Marc and Wright, James R. and Bowling, "
        "Michael and Greenwald, Amy R.",
        "Efficient Deviation Types and Learning for Hindsight Rationality in Extensive-Form Games",
        _ICML,
        "2021",
    ),
    _in_proceedings(
        "heinrich2015fictitious",
        "Heinrich, Johannes and Lanctot, Marc and Silver, David",
        "Fictitious Self-Play in Extensive-Form Games",
        _ICML,
        "2015",
    ),
    _in_proceedings(
        "johanson2012finding",
        "Johanson, Michael and Bard, Nolan and Burch, Neil and Bowling, Michael",
        "Finding Optimal Abstract Strategies in Extensive-Form Games",
        _AAAI,
        "2012",
    ),
    _in_proceedings(
        "neller2011approximating",
        "Neller, Todd W. and Hnath, Steven",
        "Approximating Optimal Dudo Play with Fixed-Strategy Iteration Counterfactual Regret "
        "Minimization",
        "Advances in Computer Games",
        "2011",
    ),
    _paper(
        "article",
        "koller1996efficient",
        "Koller, Daphne and Megiddo, Nimrod and von Stengel, Bernhard",
        "Efficient Computation of Equilibria for Extensive Two-Person Games",
        journal="Games and Economic Behavior",
        volume="14",
        number="2",
        year="1996",
    ),
    _paper(
        "article",
        "hart2000simple",
        "Hart, Sergiu and Mas-Colell, Andreu",
        "A Simple Adaptive Procedure Leading to Correlated Equilibrium",
        journal="Econometrica",
        volume="68",
        number="5",
        year="2000",
    ),
    _in_proceedings(
        "lanctot2009monte",
        "Lanctot, Marc and Waugh, Kevin and Zinkevich, Martin and Bowling, Michael",
        "Monte Carlo Sampling for Regret Minimization in Extensive Games",
        _NIPS,
        "2009",
    ),
    _in_proceedings(
        "johanson2012efficient",
        "Johanson, Michael and Bard, Nolan and Lanctot, Marc and Gibson, Richard and Bowling, "
        "Michael",
        "Efficient Nash Equilibrium Approximation through Monte Carlo Counterfactual Regret "
        "Minimization",
        "Proceedings of the International Conference on Autonomous Agents and Multiagent Systems",
        "2012",
    ),
    _in_proceedings(
        "gibson2012efficient",
        "Gibson, Richard and Burch, Neil and Lanctot, Marc and Szafron, Duane",
        "Efficient Monte Carlo Counterfactual Regret Minimization in Games with Many Player "
        "Actions",
        _NIPS,
        "2012",
    ),
    _in_proceedings(
        "gibson2012generalized",
        "Gibson, Richard and Lanctot, Marc and Burch, Neil and Szafron, Duane and Bowling, Michael",
        "Generalized Sampling and Variance in Counterfactual Regret Minimization",
        _AAAI,
        "2012",
    ),
    _in_proceedings(
        "li2020double",
        "Li, Hui and Hu, Kailiang and Zhang, Shaohua and Qi, Yuan and Song, Le",
        "Double Neural Counterfactual Regret Minimization",
        _ICLR,
        "2020",
    ),
    _paper(
        "phdthesis",
        "gibson2014regret",
        "Gibson, Richard",
        "Regret Minimization in Games and the Development of Champion Multiplayer Computer "
        "Poker-Playing Agents",
        school="University of Alberta",
        year="2014",
    ),
    _in_proceedings(
        "mcaleer2023escher",
        "McAleer, Stephen and Farina, Gabriele and Lanctot, Marc and Sandholm, Tuomas",
        "ESCHER: Eschewing Importance Sampling in Games by Computing a History Value Function to "
        "Estimate Regret",
        _ICLR,
        "2023",
    ),
)
"""The papers of all algorithms and samplers, in the order of the catalogue."""
