"""Game records: trees of moves with comments, read from and written to blksgf files.

blksgf is the SGF of Blokus that Pentobi uses. docs/records.md says what is read and written.

Examples
--------
>>> from blokus_fast import records
>>> record = records.parse("(;GM[Blokus Duo]PB[Ann];B[e10]C[small](;W[j5])(;W[j5,j6]))")
>>> record.names, record.root.next.comment, len(record.root.next.variations)
(('Ann', 'player 2'), 'small', 2)
>>> print(record)
(;GM[Blokus Duo]CA[UTF-8]PB[Ann];B[e10]C[small](;W[j5])(;W[j5,j6]))
"""

from __future__ import annotations

from blokus_fast.records.node import Node
from blokus_fast.records.properties import Headers, Properties
from blokus_fast.records.reading import RecordReader, parse, read, read_all
from blokus_fast.records.setups import SetUp
from blokus_fast.records.sgf import Problem
from blokus_fast.records.tree import Record
from blokus_fast.records.writing import write

__all__ = [
    "Headers",
    "Node",
    "Problem",
    "Properties",
    "Record",
    "RecordReader",
    "SetUp",
    "parse",
    "read",
    "read_all",
    "write",
]
