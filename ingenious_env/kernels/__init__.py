"""The rules of the game, compiled: one game at a time, in place, on the rows of a `GameState`.

Every kernel sees the same memory under the same short names:

    m      uint8 [B · row bytes], the games
    w      uint64, the same memory as words
    t      int16, the small tables;  b   uint64, the tables of words;  s   the `Spec` of both
    g      where the game's row begins in m; in w that is g >> 3
    legal  uint64, scratch: W words with a bit for each pair on which a tile may be placed now

Colours count from 0 here, as indices; on the board, where 0 is an empty cell, from 1.

Actions, with K playable pairs and R slots on the rack:

    flat      slot · 2K + turned · K + pair          R · 2K keep      R · 2K + 1 swap
    staged    slot, then R + turned · K + pair       R + 2K keep      R + 2K + 1 swap

where the pair's first cell is the one with the lower number, and turned = 1 lays the tile's higher colour on
it, 0 the lower one. A double has one orientation, 0; of equal tiles only the first slot is legal.
"""
