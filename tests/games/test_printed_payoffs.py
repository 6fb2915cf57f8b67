"""Payoffs as programs, tutorials and pages print them: each is read as the game that it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import GameSpecError
from equilibrist.games.payoffs import PayoffGame

DILEMMA: list[Any] = [[[3, 0], [5, 1]], [[3, 5], [0, 1]]]
PENNIES: list[Any] = [[1, -1], [-1, 1]]
COUNTED: list[Any] = [[0, 1], [2, 3]]
ROCK: list[Any] = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
SEXES: list[Any] = [[[2, 0], [0, 1]], [[1, 0], [0, 2]]]
THREE: list[Any] = np.arange(1, 25).reshape(2, 2, 2, 3).transpose(3, 0, 1, 2).tolist()
FORMS: dict[str, tuple[str, list[Any]]] = {
    "numpy_print.txt": ("[[0. 1.]\n [2. 3.]]\n", [COUNTED]),
    "numpy_int.txt": ("[[ 1 -1]\n [-1  1]]\n", [PENNIES]),
    "numpy_sci.txt": ("[[ 1.e+00 -1.e+00]\n [-1.e+00  1.e+00]]\n", [PENNIES]),
    "numpy_repr.txt": ("array([[0., 1.],\n       [2., 3.]])\n", [COUNTED]),
    "numpy_dtype.txt": ("array([[0, 1],\n       [2, 3]], dtype=int8)\n", [COUNTED]),
    "numpy_dtype2.txt": ("A = np.array([[0, 1],\n       [2, 3]], dtype=np.float64)\n", [COUNTED]),
    "numpy_named.txt": ("A = [[0. 1.]\n [2. 3.]]\n", [COUNTED]),
    "numpy_two.txt": ("A =\n[[3 0]\n [5 1]]\nB =\n[[3 5]\n [0 1]]\n", DILEMMA),
    "numpy_3d.txt": ("[[[3 0]\n  [5 1]]\n\n [[3 5]\n  [0 1]]]\n", DILEMMA),
    "numpy_colon.txt": ("Payoffs of the row player:\n[[ 1 -1]\n [-1  1]]\n", [PENNIES]),
    "asarray.py": ("import numpy as np\nA = np.asarray([[0,1],[2,3]])\n", [COUNTED]),
    "matlab.txt": ("[1 2; 3 4]", [[[1, 2], [3, 4]]]),
    "matlab.m": ("A = [1 -1; -1 1];\n", [PENNIES]),
    "matlab2.m": ("% prisoner's dilemma\nA = [3 0; 5 1];\nB = [3 5; 0 1];\n", DILEMMA),
    "matlab_c.m": ("A = [3, 0; 5, 1]\nB = A'\n", DILEMMA),
    "matlab_minus.m": ("A = [1 -1\n -1 1];\nB = -A;\n", [PENNIES, [[-1, 1], [1, -1]]]),
    "matlab_lines.m": ("A = [ 0 -1  1\n      1  0 -1\n     -1  1  0 ];\n", [ROCK]),
    "matlab_cont.m": ("A = [ 0, -1, 1; ...\n 1, 0, -1; ...\n -1, 1, 0 ];\n", [ROCK]),
    "octave_print.txt": ("A =\n\n   1  -1\n  -1   1\n\n", [PENNIES]),
    "octave_two.txt": ("A =\n\n   3   0\n   5   1\n\nB =\n\n   3   5\n   0   1\n\n", DILEMMA),
    "matlab_print.txt": (
        (">> A = [1 -1; -1 1]\n\nA =\n\n     1    -1\n    -1     1\n\n"),
        [PENNIES],
    ),
    "mathematica.txt": ("{{1,2},{3,4}}", [[[1, 2], [3, 4]]]),
    "mathematica2.m": ("a = {{3, 0}, {5, 1}};\nb = {{3, 5}, {0, 1}};\n", DILEMMA),
    "mathematica_f.txt": ("{{1/2, -1}, {2, 5/4}}", [[[0.5, -1], [2, 1.25]]]),
    "julia.jl": ("A = [1 -1; -1 1]", [PENNIES]),
    "julia_print.txt": ("2×2 Matrix{Int64}:\n  1  -1\n -1   1\n", [PENNIES]),
    "r_print.txt": ("     [,1] [,2]\n[1,]    1   -1\n[2,]   -1    1\n", [PENNIES]),
    "r_named.txt": ("   L  R\nU  1 -1\nD -1  1\n", [PENNIES]),
    "pandas.txt": ("     C    D\nC  3.0  0.0\nD  5.0  1.0\n", [DILEMMA[0]]),
    "pandas_pairs.txt": ("        C       D\nC  (3, 3)  (0, 5)\nD  (5, 0)  (1, 1)\n", DILEMMA),
    "sympy.txt": ("Matrix([[1, -1], [-1, 1]])", [PENNIES]),
    "sympy2.txt": ("Matrix([\n[ 1, -1],\n[-1,  1]])\n", [PENNIES]),
    "sage.txt": ("[ 1 -1]\n[-1  1]\n", [PENNIES]),
    "nashpy_print.txt": (
        (
            "Bi matrix game with payoff matrices:\n"
            "\n"
            "Row player:\n"
            "[[3 0]\n"
            " [5 1]]\n"
            "\n"
            "Column player:\n"
            "[[3 5]\n"
            " [0 1]]\n"
        ),
        DILEMMA,
    ),
    "nashpy_zero.txt": (
        (
            "Zero sum game with payoff matrices:\n"
            "\n"
            "Row player:\n"
            "[[ 1 -1]\n"
            " [-1  1]]\n"
            "\n"
            "Column player:\n"
            "[[-1  1]\n"
            " [ 1 -1]]\n"
        ),
        [PENNIES, [[-1, 1], [1, -1]]],
    ),
    "nashpy.py": (
        (
            "import nashpy as nash\n"
            "import numpy as np\n"
            "A = np.array([[3, 0], [5, 1]])\n"
            "B = np.array([[3, 5], [0, 1]])\n"
            "prisoners = nash.Game(A, B)\n"
            "prisoners\n"
        ),
        DILEMMA,
    ),
    "nashpy_T.py": (
        (
            "import nashpy as nash\n"
            "import numpy as np\n"
            "A = np.array([[3, 0], [5, 1]])\n"
            "B = A.T\n"
            "game = nash.Game(A, B)\n"
        ),
        DILEMMA,
    ),
    "nashpy_T2.py": (
        (
            "import numpy as np\n"
            "A = np.array([[3, 0], [5, 1]])\n"
            "game = nash.Game(A, A.transpose())\n"
        ),
        DILEMMA,
    ),
    "nashpy_zs.py": (
        ("import numpy as np\nA = np.array([[1, -1], [-1, 1]])\nmp = nash.Game(A)\nprint(mp)\n"),
        [PENNIES],
    ),
    "nashpy_minus.py": (
        ("import numpy as np\nA = np.array([[1, -1], [-1, 1]])\nB = -A\n"),
        [PENNIES, [[-1, 1], [1, -1]]],
    ),
    "nashpy_eq.py": (
        (
            "import nashpy as nash\n"
            "import numpy as np\n"
            "A = np.array([[3, 0], [5, 1]])\n"
            "game = nash.Game(A, A.T)\n"
            "equilibria = game.support_enumeration()\n"
            "for eq in equilibria:\n"
            "    print(eq)\n"
        ),
        DILEMMA,
    ),
    "quantecon.py": (
        (
            "import quantecon.game_theory as gt\n"
            "pd = [[(3, 3), (0, 5)],\n"
            "      [(5, 0), (1, 1)]]\n"
            "g = gt.NormalFormGame(pd)\n"
        ),
        DILEMMA,
    ),
    "quantecon2.py": (
        (
            "from quantecon.game_theory import Player, NormalFormGame\n"
            "A = [[3, 0], [5, 1]]\n"
            "B = [[3, 0], [5, 1]]\n"
            "p0 = Player(A)\n"
            "p1 = Player(B)\n"
            "g = NormalFormGame((p0, p1))\n"
        ),
        DILEMMA,
    ),
    "quantecon_print.txt": (
        (
            "2-player NormalFormGame with payoff profile array:\n"
            "[[[3, 3],  [0, 5]],\n"
            " [[5, 0],  [1, 1]]]\n"
        ),
        DILEMMA,
    ),
    "quantecon_player.txt": (
        ("Player in a 2-player normal form game with payoff array:\n[[0, 1],\n [2, 3]]\n"),
        [COUNTED],
    ),
    "tuples.txt": ("[[(3,3),(0,5)],[(5,0),(1,1)]]", DILEMMA),
    "tuples_np.txt": ("payoffs = np.array([[(3,3),(0,5)],[(5,0),(1,1)]])", DILEMMA),
    "tuples3.txt": (
        "[[(0,0),(-1,1),(1,-1)],[(1,-1),(0,0),(-1,1)],[(-1,1),(1,-1),(0,0)]]",
        [ROCK, [[0, 1, -1], [-1, 0, 1], [1, -1, 0]]],
    ),
    "json_pairs3.json": (
        "[[[0,0],[-1,1],[1,-1]],[[1,-1],[0,0],[-1,1]],[[-1,1],[1,-1],[0,0]]]",
        [ROCK, [[0, 1, -1], [-1, 0, 1], [1, -1, 0]]],
    ),
    "gambit_arrays.py": (
        (
            "import numpy as np\n"
            "import pygambit as gbt\n"
            "A = np.array([[3, 0], [5, 1]])\n"
            "B = np.array([[3, 5], [0, 1]])\n"
            "g = gbt.Game.from_arrays(A, B)\n"
        ),
        DILEMMA,
    ),
    "gambit_arrays2.py": (
        ("import pygambit as gbt\ng = gbt.Game.from_arrays([[3, 0], [5, 1]], [[3, 5], [0, 1]])\n"),
        DILEMMA,
    ),
    "axelrod_print.txt": (
        (
            "Axelrod game with matrices: (array([[3, 0],\n"
            "       [5, 1]]), array([[3, 5],\n"
            "       [0, 1]]))\n"
        ),
        DILEMMA,
    ),
    "slash.csv": (",C,D\nC,3/3,0/5\nD,5/0,1/1\n", DILEMMA),
    "slash_bos.txt": ("\tO\tF\nO\t2/1\t0/0\nF\t0/0\t1/2\n", SEXES),
    "slash_md.md": (
        ("| | C | D |\n|---|---|---|\n| C | 3 / 3 | 0 / 5 |\n| D | 5 / 0 | 1 / 1 |\n"),
        DILEMMA,
    ),
    "slash_dec.csv": (",C,D\nC,3.0/3.0,0/5\nD,5/0,1/1\n", DILEMMA),
    "frac_all.csv": (
        ("1/2,-1/3\n-2/3,5/4\n"),
        [[[0.5, -0.3333333333333333], [-0.6666666666666666, 1.25]]],
    ),
    "latex.tex": (
        (
            "\\begin{tabular}{c|cc}\n"
            " & C & D \\\\\n"
            "\\hline\n"
            "C & 3,3 & 0,5 \\\\\n"
            "D & 5,0 & 1,1 \\\\\n"
            "\\end{tabular}\n"
        ),
        DILEMMA,
    ),
    "latex_pm.tex": ("\\begin{pmatrix} 1 & -1 \\\\ -1 & 1 \\end{pmatrix}\n", [PENNIES]),
    "latex_pm2.tex": (
        (
            "$$A = \\begin{bmatrix}\n"
            " 0 & -1 & 1\\\\\n"
            " 1 & 0 & -1\\\\\n"
            " -1 & 1 & 0\n"
            "\\end{bmatrix}$$\n"
        ),
        [ROCK],
    ),
    "latex_array.tex": (
        (
            "\\[\n"
            "\\begin{array}{|c|c|c|}\n"
            "\\hline\n"
            " & L & R \\\\ \\hline\n"
            "U & $1$ & $-1$ \\\\ \\hline\n"
            "D & $-1$ & $1$ \\\\ \\hline\n"
            "\\end{array}\n"
            "\\]\n"
        ),
        [PENNIES],
    ),
    "wiki.txt": (
        (
            '{| class="wikitable"\n'
            "|-\n"
            "! !! C !! D\n"
            "|-\n"
            "! C\n"
            "| 3, 3 || 0, 5\n"
            "|-\n"
            "! D\n"
            "| 5, 0 || 1, 1\n"
            "|}\n"
        ),
        DILEMMA,
    ),
    "grid.txt": (
        (
            "+---+-------+-------+\n"
            "|   |   C   |   D   |\n"
            "+---+-------+-------+\n"
            "| C | (3,3) | (0,5) |\n"
            "| D | (5,0) | (1,1) |\n"
            "+---+-------+-------+\n"
        ),
        DILEMMA,
    ),
    "box.txt": (
        (
            "┌───┬─────┬─────┐\n"
            "│   │  C  │  D  │\n"
            "├───┼─────┼─────┤\n"
            "│ C │ 3,3 │ 0,5 │\n"
            "├───┼─────┼─────┤\n"
            "│ D │ 5,0 │ 1,1 │\n"
            "└───┴─────┴─────┘\n"
        ),
        DILEMMA,
    ),
    "excel_de.txt": ("\tC\tD\r\nC\t0,5\t-1\r\nD\t2\t1,25\r\n", [[[0.5, -1], [2, 1.25]]]),
    "semi_pairs.csv": (";C;D\nC;(3, 3);(0, 5)\nD;(5, 0);(1, 1)\n", DILEMMA),
    "semi_pairs_dec.csv": (
        (";C;D\nC;(3,5; 3);(0; 5)\nD;(5; 0);(1; 1)\n"),
        [[[3.5, 0], [5, 1]], DILEMMA[1]],
    ),
    "pairs_space.txt": ("C D\nC 3,3 0,5\nD 5,0 1,1\n", DILEMMA),
    "pairs_or.md": (
        (
            "|  | Cooperate | Defect |\n"
            "| :-: | :-: | :-: |\n"
            "| **Cooperate** | 3 \\| 3 | 0 \\| 5 |\n"
            "| **Defect** | 5 \\| 0 | 1 \\| 1 |\n"
        ),
        DILEMMA,
    ),
    "three_cells.csv": (
        (
            "z1,L,R\n"
            'U,"(1,2,3)","(7,8,9)"\n'
            'D,"(13,14,15)","(19,20,21)"\n'
            "\n"
            "z2,L,R\n"
            'U,"(4,5,6)","(10,11,12)"\n'
            'D,"(16,17,18)","(22,23,24)"\n'
        ),
        THREE,
    ),
    "three_cells.md": (
        (
            "Player 3 plays z1\n"
            "\n"
            "| | L | R |\n"
            "|--|--|--|\n"
            "| U | 1,2,3 | 7,8,9 |\n"
            "| D | 13,14,15 | 19,20,21 |\n"
            "\n"
            "Player 3 plays z2\n"
            "\n"
            "| | L | R |\n"
            "|--|--|--|\n"
            "| U | 4,5,6 | 10,11,12 |\n"
            "| D | 16,17,18 | 22,23,24 |\n"
        ),
        THREE,
    ),
    "three_tuple.py": (
        (
            "g = "
            "[[[(1,2,3),(4,5,6)],[(7,8,9),(10,11,12)]],[[(13,14,15),(16,17,18)],[(19,20,21),("
            "22,23,24)]]]"
        ),
        THREE,
    ),
    "three_dict.py": (
        (
            "g = {(0,0,0): (1,2,3), (0,0,1): (4,5,6), (0,1,0): (7,8,9), (0,1,1): (10,11,12), "
            "(1,0,0): (13,14,15), (1,0,1): (16,17,18), (1,1,0): (19,20,21), (1,1,1): (22,23,24)}"
        ),
        THREE,
    ),
    "three_long.csv": (
        (
            "player1,player2,player3,payoff1,payoff2,payoff3\n"
            "0,0,0,1,2,3\n"
            "0,0,1,4,5,6\n"
            "0,1,0,7,8,9\n"
            "0,1,1,10,11,12\n"
            "1,0,0,13,14,15\n"
            "1,0,1,16,17,18\n"
            "1,1,0,19,20,21\n"
            "1,1,1,22,23,24"
        ),
        THREE,
    ),
    "dictlist.py": (
        "payoffs = {'C': {'C': (3,3), 'D': (0,5)}, 'D': {'C': (5,0), 'D': (1,1)}}",
        DILEMMA,
    ),
    "dictstr.json": ('{"C,C": [3,3], "C,D": [0,5], "D,C": [5,0], "D,D": [1,1]}', DILEMMA),
    "dictstr2.json": ('{"CC": [3,3], "CD": [0,5], "DC": [5,0], "DD": [1,1]}', DILEMMA),
    "axl_dict.py": (
        ("pd = {('C', 'C'): (3, 3), ('C', 'D'): (0, 5), ('D', 'C'): (5, 0), ('D', 'D'): (1, 1)}"),
        DILEMMA,
    ),
    "enum_dict.py": (
        "payoffs = {(C, C): (3, 3), (C, D): (0, 5), (D, C): (5, 0), (D, D): (1, 1)}",
        DILEMMA,
    ),
    "enum_dict2.py": (
        (
            "scores = {(Action.C, Action.C): (3, 3), (Action.C, Action.D): (0, 5), "
            "(Action.D, Action.C): (5, 0), (Action.D, Action.D): (1, 1)}"
        ),
        DILEMMA,
    ),
    "openspiel.py": (
        ("import pyspiel\ngame = pyspiel.create_matrix_game([[3, 0], [5, 1]], [[3, 5], [0, 1]])\n"),
        DILEMMA,
    ),
    "openspiel2.py": (
        (
            "import pyspiel\n"
            'game = pyspiel.create_matrix_game("pd", "Prisoners Dilemma", ["C", "D"], ["C", '
            '"D"], [[3, 0], [5, 1]], [[3, 5], [0, 1]])\n'
        ),
        DILEMMA,
    ),
    "commas.nfg": ('NFG 1 R "pd" { "Row" "Col" } { 2 2 }\n\n3, 3, 5, 0, 0, 5, 1, 1,\n', DILEMMA),
    "quote.nfg": ('NFG 1 R "the \\"pd\\"" { "R" "C" } { 2 2 }\n3 3 5 0 0 5 1 1', DILEMMA),
    "wikipedia_pd.txt": (
        (
            "Prisoner A \\ Prisoner B\tstays silent\ttestifies\n"
            "stays silent\t−2, −2\t−10, 0\n"
            "testifies\t0, −10\t−5, −5\n"
        ),
        [[[-2, -10], [0, -5]], [[-2, 0], [-10, -5]]],
    ),
    "wikipedia_chicken2.txt": (
        ("\tSwerve\tStraight\nSwerve\t0, 0\t−1, +1\nStraight\t+1, −1\t−1000, −1000\n"),
        [[[0, -1], [1, -1000]], [[0, 1], [-1, -1000]]],
    ),
    "wiki_names.md": (
        (
            "|            | Player 2: L | Player 2: R |\n"
            "|------------|------|------|\n"
            "| Player 1: U | 2, 1 | 0, 0 |\n"
            "| Player 1: D | 0, 0 | 1, 2 |\n"
        ),
        SEXES,
    ),
    "quotes_single.csv": ("'','L','R'\n'U',1,-1\n'D',-1,1\n", [PENNIES]),
    "named_blocks.csv": ("Player 1\n3,0\n5,1\nPlayer 2\n3,5\n0,1\n", DILEMMA),
    "colon_blocks.txt": ("Row player:\n3 0\n5 1\n\nColumn player:\n3 5\n0 1\n", DILEMMA),
    "json_payoff_matrix.json": (
        '{"payoff_matrix": [[1,-1],[-1,1]], "name": "pennies"}',
        [PENNIES],
    ),
    "json_AB.json": (
        (
            '{"A": [[3,0],[5,1]], "B": [[3,5],[0,1]], "row_labels": ["C","D"], "col_labels": '
            '["C","D"]}'
        ),
        DILEMMA,
    ),
    "py_consts.py": (
        (
            "R, S, T, P = 3, 0, 5, 1\n"
            "payoffs = {('C','C'): (R, R), ('C','D'): (S, T), ('D','C'): (T, S), ('D','D'): "
            "(P, P)}\n"
        ),
        DILEMMA,
    ),
    "py_labels.py": ("rows = ['U', 'D']\ncols = ['L', 'R']\nA = [[1, -1], [-1, 1]]\n", [PENNIES]),
    "nested_dict_zero.py": (
        (
            "payoff = {'rock': {'rock': 0, 'paper': -1, 'scissors': 1}, 'paper': {'rock': 1, "
            "'paper': 0, 'scissors': -1}, 'scissors': {'rock': -1, 'paper': 1, 'scissors': 0}}"
        ),
        [ROCK],
    ),
    "mat_comment.m": ("A = [ 1 -1   % heads\n     -1  1 ]; % tails\n", [PENNIES]),
    "mathematica_nl.nb.txt": ("{{0, -1, 1},\n {1, 0, -1},\n {-1, 1, 0}}\n", [ROCK]),
    "mathematica_pairs.txt": ("{{(3,3),(0,5)},{(5,0),(1,1)}}", DILEMMA),
    "mathematica_33.txt": (
        "{{{0,0},{-1,1},{1,-1}},{{1,-1},{0,0},{-1,1}},{{-1,1},{1,-1},{0,0}}}",
        [ROCK, (-np.asarray(ROCK)).tolist()],
    ),
    "html.html": (
        (
            "<table border=1><tr><th></th><th>C</th><th>D</th></tr>\n"
            "<tr><th>C</th><td>3,3</td><td>0,5</td></tr>\n"
            "<tr><th>D</th><td>5,0</td><td>1,1</td></tr></table>"
        ),
        DILEMMA,
    ),
    "latex_player.tex": (
        (
            "\\begin{tabular}{cc|c|c|}\n"
            " & \\multicolumn{1}{c}{} & \\multicolumn{2}{c}{Player $Y$}\\\\\n"
            " & \\multicolumn{1}{c}{} & \\multicolumn{1}{c}{$A$}  & \\multicolumn{1}{c}{$B$} "
            "\\\\\\cline{3-4}\n"
            "\\multirow{2}*{Player $X$}  & $A$ & $(3,3)$ & $(0,5)$ \\\\\\cline{3-4}\n"
            " & $B$ & $(5,0)$ & $(1,1)$ \\\\\\cline{3-4}\n"
            "\\end{tabular}\n"
        ),
        DILEMMA,
    ),
    "sgame.tex": (
        (
            "\\begin{game}{2}{2}[Player 1][Player 2]\n"
            " & $L$ & $R$\\\\\n"
            "$U$ & $3,3$ & $0,5$\\\\\n"
            "$D$ & $5,0$ & $1,1$\n"
            "\\end{game}\n"
        ),
        DILEMMA,
    ),
    "dollars.csv": ('"",C,D\nC,$3,-$1\nD,$5,$ 1.5\n', [[[3, -1], [5, 1.5]]]),
    "euros.csv": (";C;D\nC;3 €;-1 €\nD;5 €;1 €\n", [[[3, -1], [5, 1]]]),
    "kicks.csv": (",L,R\nL,58%,95%\nR,93%,70%\n", [[[0.58, 0.95], [0.93, 0.7]]]),
    "np_repr_pair.txt": (
        ("(array([[3, 0],\n       [5, 1]]), array([[3, 5],\n       [0, 1]]))"),
        DILEMMA,
    ),
    "ipython.txt": ("Out[3]:\narray([[0, 1],\n       [2, 3]])", [COUNTED]),
    "ipython3.txt": (">>> print(A)\n[[0 1]\n [2 3]]", [COUNTED]),
    "tensor.txt": ("tensor([[0., 1.],\n        [2., 3.]])", [COUNTED]),
    "octave_diag.txt": ("A =\n\nDiagonal Matrix\n\n   1   0\n   0   1\n\n", [[[1, 0], [0, 1]]]),
    "wolfram_out.txt": ("Out[1]= {{1, -1}, {-1, 1}}", [PENNIES]),
    "maple.txt": ("A := Matrix([[1, -1], [-1, 1]]);", [PENNIES]),
    "gte.txt": ("2 2\n\n3 0\n5 1\n\n3 5\n0 1\n", DILEMMA),
    "octave_rows.txt": ("A =\n\n   3   0\n\nB =\n\n   3   5\n\n", [[[3, 0]], [[3, 5]]]),
    "rows_apart.txt": ("U 1 -1\n\nD -1 1\n", [PENNIES]),
    "three_apart.txt": ("0 -1 1\n\n1 0 -1\n\n-1 1 0\n", [ROCK]),
}
FAULTS: dict[str, tuple[str, str]] = {
    "sizes.txt": ("2 2\n3 0\n5 1\n\n3 5\n0 1\n", "line 5, column 1"),
    "ragged.txt": ("[[1 2]\n [3]]", "line 2, column 2"),
    "ragged.m": ("A = [1 2; 3]", "line 1, column 11"),
    "ragged.json": ("[[1, 2], [3, 4], [5]]", "payoffs[2]"),
    "numpy_cut.txt": ("[[0 1 2 ... 7 8 9]\n [0 1 2 ... 7 8 9]]\n", "line 1, column 9"),
    "numpy_cut2.txt": ("[[0 1]\n [0 1]\n ...\n [0 1]\n [2 3]]\n", "line 3, column 2"),
    "mathematica3.txt": ("{{{3, 3}, {0, 5}}, {{5, 0}, {1, 1}}}", "line 1, column 1"),
    "close.m": ("A = [1 2; 3 4\n", "line 1, column 5"),
    "wrong.txt": ("{{1, 2}, {3, 4]}\n", "line 1, column 15"),
    "word.txt": ("[[1 x]\n [2 3]]\n", "line 1, column 5"),
    "together.m": ("[1-1; 2 3]", "line 1, column 3"),
    "two_or_one.txt": ("3 0 1\n\n3 5 2\n", "line 3, column 1"),
    "two_or_one.csv": ("3,-1/2\n\n\n2,5\n", "line 4, column 1"),
}


@pytest.mark.parametrize("name", FORMS)
def test_what_is_printed_is_the_game_that_it_shows(name: str, tmp_path: Path) -> None:
    text, tables = FORMS[name]
    (tmp_path / name).write_text(text, "utf-8")
    game = eq.load_game(str(tmp_path / name))
    assert isinstance(game, PayoffGame)
    wanted = tables if len(tables) > 1 else [tables[0], (-np.asarray(tables[0])).tolist()]
    np.testing.assert_allclose(game.tables(), wanted, rtol=1e-15)


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_matrices_have_their_place(name: str, tmp_path: Path) -> None:
    text, place = FAULTS[name]
    (tmp_path / name).write_text(text)
    with pytest.raises(GameSpecError) as caught:
        eq.load_game(str(tmp_path / name))
    assert str(caught.value.place).endswith(place)
    assert caught.value.remedy


def test_a_row_that_is_turned_is_no_matrix(tmp_path: Path) -> None:
    (tmp_path / "a.m").write_text("A = [3, 0, 1]\nB = A'\n")
    with pytest.raises(GameSpecError):
        eq.load_game(str(tmp_path / "a.m"))


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("three_cells.csv", [["U", "D"], ["L", "R"], ["z1", "z2"]]),
        ("three_cells.md", [["U", "D"], ["L", "R"], ["Player 3 plays z1", "Player 3 plays z2"]]),
        ("openspiel2.py", [["C", "D"], ["C", "D"]]),
        ("latex.tex", [["C", "D"], ["C", "D"]]),
        ("wiki.txt", [["C", "D"], ["C", "D"]]),
        ("enum_dict2.py", [["C", "D"], ["C", "D"]]),
        ("r_print.txt", [["1", "2"], ["1", "2"]]),
    ],
)
def test_labels(name: str, labels: list[list[str]], tmp_path: Path) -> None:
    (tmp_path / name).write_text(FORMS[name][0])
    game = eq.load_game(str(tmp_path / name))
    assert isinstance(game, PayoffGame)
    assert [[*names] for names in game.action_labels()] == labels
