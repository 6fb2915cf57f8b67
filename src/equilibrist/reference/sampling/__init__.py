"""Monte Carlo CFR's samplers in plain Python: one traversal, and what it adds.

Each function runs one traversal for one player and returns an `Addition`: what the traversal adds
to regrets and to strategy sums. The expectation of the regrets over all draws is the full
counterfactual regret, which `draws.every_run` lets one check to the last digit.
"""

from equilibrist.reference.sampling.addition import Addition as Addition
from equilibrist.reference.sampling.addition import Profile as Profile
from equilibrist.reference.sampling.average_strategy import (
    average_strategy_sampling as average_strategy_sampling,
)
from equilibrist.reference.sampling.chance import block_sampling as block_sampling
from equilibrist.reference.sampling.chance import chance_sampling as chance_sampling
from equilibrist.reference.sampling.chance import public_chance_sampling as public_chance_sampling
from equilibrist.reference.sampling.escher import escher_sampling as escher_sampling
from equilibrist.reference.sampling.external import external_sampling as external_sampling
from equilibrist.reference.sampling.outcome import outcome_sampling as outcome_sampling
from equilibrist.reference.sampling.pure import pure_sampling as pure_sampling
from equilibrist.reference.sampling.subsets import probing_sampling as probing_sampling
from equilibrist.reference.sampling.subsets import robust_sampling as robust_sampling
from equilibrist.reference.sampling.textbook import textbook_outcome as textbook_outcome
