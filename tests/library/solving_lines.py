"""Spots as options of `postflop solve`."""

from __future__ import annotations

TURN = "--board Ts3h2h5c --oop AA,QQ --ip KK,QsJs:0.5 --pot 100 --stack 100 --bets 50%"
RIVER = "--board Ts3h2h5c9s --oop AA,QQ --ip KK --pot 100 --stack 100 --bets a"
