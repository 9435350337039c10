# legal_moves.pxi: the lazy view behind Board.legal_moves.

@cython.final
cdef class LegalMoves:
    """The legal moves of a board, looked at when asked for; see ``Board.legal_moves``."""

    cdef Board board

    def __iter__(self):
        return iter(self.board.legal_ids().tolist())

    @cython.nonecheck(True)
    def __len__(self):
        return count_actions(self.board.c_rules, self.board.state, -1)

    @cython.nonecheck(True)
    def __bool__(self):
        return self.board.state.phase != BF_OVER

    def __contains__(self, action):
        try:
            return self.board.is_legal(action)
        except TypeError:
            return False

    def ids(self):
        """Return the ids as an ascending int32 array."""
        return self.board.legal_ids()

    def __array__(self, dtype=None, copy=None):
        ids = self.board.legal_ids()
        return ids if dtype is None else ids.astype(dtype)

    def __repr__(self):
        cdef int n = len(self)
        ids = self.board.legal_ids()
        texts = ", ".join([self.board.move_text(i) for i in ids[:4].tolist()])
        return f"<LegalMoves: {n} ({texts}{', …' if n > 4 else ''})>"
