"""Writes the sample files of this folder; run it only to change them.

Everything here was made for the tests: games played by chance, and odd ways to write them.
"""

from __future__ import annotations

import random
from pathlib import Path

import blokus_fast as bf

HERE = Path(__file__).parent

OLD_FORM = """\
(;GM[Blokus Two-Player]CA[UTF-8]
;BLUE[a16][a17][a18][a19][a20]
;YELLOW[s17][t17][t18][t19][t20]
;RED[T1][t2][t3][t4][t5]
;GREEN[d2][a1][b1][c1][d1]
)
"""

SPACED = """\
(
  ; GM [Blokus Duo]  CA [UTF-8]  PB [Ann]
    ZZ [kept]
    [too]
  (
    ; B [F9,e10,f10,g10,f11]  C [A bracket \\] and a backslash \\\\]
    ; W [i4,h5,i5,j5,i6]
  )
  ( ; B [e8,d9,e9,f9,e10] )
)
"""

SET_UP = """\
(;GM[Blokus Duo]CA[UTF-8]
AB[e8,e9,f9,d10,e10][g6,f7,g7,h7,g8]
AW[i4,h5,i5,j5,i6][j7,j8,j9,k9,j10]
PL[B]
;B[c11];AE[i4,h5,i5,j5,i6][j7,j8,j9,k9,j10]AW[j5]PL[W])
"""


def main() -> None:
    """Write all files."""
    (HERE / "old_form.blksgf").write_text(OLD_FORM, encoding="utf-8")
    (HERE / "spaced.blksgf").write_text(SPACED, encoding="utf-8", newline="\r\n")
    (HERE / "set_up.blksgf").write_text(SET_UP, encoding="utf-8")
    latin = "(;GM[Blokus]CA[ISO-8859-1]P1[Ren\xe9e];1[a20]C[na\xefve])\n"
    (HERE / "latin1.blksgf").write_bytes(latin.encode("latin-1"))
    records = []
    for name in bf.VARIANTS:
        rng = random.Random(name)
        game = bf.Game(name)
        while not game.is_over:
            game.play(int(rng.choice(game.board.legal_ids())))
        records.append(bf.Record.from_game(game))
        records[-1].headers["GN"] = f"a game of {name}"
    bf.records.write(records, HERE / "games.blksgf")


if __name__ == "__main__":
    main()
