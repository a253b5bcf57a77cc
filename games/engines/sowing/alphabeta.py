"""Alpha-beta over the core: principal variations, transpositions, captures first, lines looked at until they are calm.

One function that keeps its own stack, so that it can be left after any number of nodes and goes on where it was.

Repetition is a matter of the line: a board that stood earlier on the searched line, or twice before in the game, counts as
the division of the stones that are left. Its value lies outside the values that are called decided, so that no claim rests
on it.
"""

from __future__ import annotations

from typing import Final

from games.engines.sowing.compiled import Bytes, Ints, compiled
from games.engines.sowing.core import AGAIN, OVER, legal, ply, scatter
from games.engines.sowing.ranks import rank
from games.engines.sowing.weights import FULLY, ZERO
from games.rules.evaluation import WON

DEEPEST: Final = 90
"""Plies of a line at most, those beyond the horizon included."""

FRAME: Final = 64
"""Words of a frame: one for each ply."""

ENTRY: Final = 4
"""Words of an entry in the table of transpositions: both sides with a store each, what is known, nothing."""

BEYOND: Final = 10 * WON
SETTLED: Final = WON - 2_000
"""A value from here on is decided: by the end on the board, or by endgame tables."""

TABLED: Final = WON - 1_500
REPEATED: Final = 15_000
COMPLETE: Final = 120
"""The depth of what is known without any estimate."""

PAUSED: Final = 0
DONE: Final = 1

# Words of the control block.
NODES: Final = 0
UNTIL: Final = 1
AT: Final = 2
MODE: Final = 3
VALUE: Final = 4
ESTIMATES: Final = 5
ROOT: Final = 6
TABLED_UP_TO: Final = 7
STONES: Final = 8
CALM: Final = 9
REDUCE: Final = 10
EXTEND: Final = 11
GENERATION: Final = 12
CONTROLS: Final = 16

ENTER, PICK, BACK, DOWN = range(4)

# Words of a frame.
KEPT, LOST, ALPHA, BETA, DEPTH, BEST, CHOICE, LOW, BEFORE, SINCE, SLOT, COUNT, INDEX, STAGE, SAME = range(15)
CHILD: Final = 16
CHILDREN: Final = 7
"""Words of a child: own, other, kept, lost, what comes then, the pit, its rank in the order."""

FULL, SCOUT, REDUCED = 0, 1, 2
AT_MOST, AT_LEAST, EXACT = 0, 1, 2


@compiled
def ended(margin: int, at: int) -> int:
    """The value of an end for who has this many stones more."""
    if margin > 0:
        return WON - at
    return at - WON if margin < 0 else 0


@compiled
def tabled(margin: int, kept: int, lost: int, at: int) -> int:
    """The value of a position whose outcome is known by this margin. Stones in the store are better than those to come."""
    if margin > 0:
        return TABLED + 10 * margin + (kept - lost) // 4 - at
    if margin < 0:
        return 10 * margin - TABLED + (kept - lost) // 4 + at
    return 0


@compiled
def estimate(net: Ints, own: int, other: int, kept: int, lost: int) -> int:
    """What a position seems to be worth; a stone in the store is 100. `net` is laid out in `weights`."""
    a, b, c, d, value = 0, 0, 0, 0, 100 * (kept - lost)
    for side in range(2):
        at = 0 if side == 0 else 192 * 5
        pits = own if side == 0 else other
        for _ in range(6):
            row = at + 5 * min(pits & 255, 31)
            a += net[row]
            b += net[row + 1]
            c += net[row + 2]
            d += net[row + 3]
            value += net[row + 4]
            pits >>= 8
            at += 32 * 5
        row = (384 + 32 * side + min(kept if side == 0 else lost, 31)) * 5
        a += net[row]
        b += net[row + 1]
        c += net[row + 2]
        d += net[row + 3]
        value += net[row + 4]
    last = 448 * 5
    more = 0
    for lane in range(4):
        shift = 16 * lane
        more += min(max((a >> shift & 0xFFFF) - ZERO, 0), FULLY) * net[last + lane]
        more += min(max((b >> shift & 0xFFFF) - ZERO, 0), FULLY) * net[last + 4 + lane]
        more += min(max((c >> shift & 0xFFFF) - ZERO, 0), FULLY) * net[last + 8 + lane]
        more += min(max((d >> shift & 0xFFFF) - ZERO, 0), FULLY) * net[last + 12 + lane]
    return value + (more >> 6)


@compiled
def choice_of(known: Ints, own: int, other: int, kept: int, lost: int) -> int:
    """The pit that seemed best in a position; 7 where the table does not know it."""
    slot = (scatter(own, other, kept) & len(known) // (2 * ENTRY) - 1) * 2 * ENTRY
    for _ in range(2):
        if known[slot] == own | kept << 48 and known[slot + 1] == other | lost << 48:
            return int(known[slot + 2] & 7)
        slot += ENTRY
    return 7


@compiled
def begin(
    control: Ints,
    frames: Ints,
    line: Ints,
    own: int,
    other: int,
    kept: int,
    lost: int,
    depth: int,
    alpha: int,
    beta: int,
    since: int,
) -> None:
    """Sets a search up. The position stands at control[ROOT] of the line; boards since the last capture begin at `since`."""
    at = control[ROOT]
    line[2 * at], line[2 * at + 1] = own, other
    frames[KEPT], frames[LOST], frames[ALPHA], frames[BETA], frames[DEPTH], frames[SINCE] = kept, lost, alpha, beta, depth, since
    control[AT], control[MODE] = 0, ENTER


@compiled
def search(
    variant: int,
    control: Ints,
    frames: Ints,
    line: Ints,
    known: Ints,
    killers: Ints,
    weights: Ints,
    tables: Bytes,
    ply_before: int,
) -> int:
    """Goes on with a search until it is DONE, with its value in control[VALUE], or PAUSED after control[UNTIL] nodes.

    `ply_before`: so many plies the position is away from the one that the values are told for.
    """
    at, mode, value = control[AT], control[MODE], control[VALUE]
    nodes, estimates = control[NODES], control[ESTIMATES]
    root, tabled_up_to, stones = control[ROOT], control[TABLED_UP_TO], control[STONES]
    slots = len(known) // (2 * ENTRY) - 1
    while True:
        f = at * FRAME
        if mode == ENTER:
            if nodes >= control[UNTIL]:
                control[AT], control[MODE], control[NODES], control[ESTIMATES] = at, mode, nodes, estimates
                return PAUSED
            nodes += 1
            own, other = line[2 * (root + at)], line[2 * (root + at) + 1]
            kept, lost, depth = frames[f + KEPT], frames[f + LOST], frames[f + DEPTH]
            alpha, beta, since = frames[f + ALPHA], frames[f + BETA], frames[f + SINCE]
            mode = BACK
            if root + at - since >= 4:
                times = 0
                before = root + at - 2
                while before >= since:
                    if line[2 * before] == own and line[2 * before + 1] == other:
                        times += 2 if before >= root else 1
                    before -= 2
                if times >= 2:
                    estimates += 1
                    value = 100 * (kept - lost)
                    value += REPEATED if kept > lost else -REPEATED if kept < lost else 0
                    at -= 1
                    continue
            left = stones - kept - lost
            if left <= tabled_up_to:
                # Uncompiled these are bytes of numpy, which wrap around.
                margin = kept - lost + int(tables[rank(own, other, left)])
                value = tabled(margin, kept, lost, at + ply_before)
                at -= 1
                continue
            choice = 7
            slot = 0
            best = -BEYOND
            if depth > 0:
                first = own | kept << 48
                second = other | lost << 48
                slot = (scatter(own, other, kept) & slots) * 2 * ENTRY
                if known[slot] != first or known[slot + 1] != second:
                    slot += ENTRY
                if known[slot] == first and known[slot + 1] == second:
                    data = known[slot + 2]
                    choice = data & 7
                    value = (data >> 16) - 1_000_000
                    kind = data >> 3 & 3
                    deep = data >> 8 & 255
                    if abs(value) >= SETTLED:
                        value -= at + ply_before if value > 0 else -at - ply_before
                        # What is decided stays so at any depth.
                        won = value > 0 and kind != AT_MOST and value >= beta
                        if won or (value < 0 and kind != AT_LEAST and value <= alpha):
                            deep = COMPLETE
                    if deep >= depth and (
                        kind == EXACT or (kind == AT_LEAST and value >= beta) or (kind == AT_MOST and value <= alpha)
                    ):
                        if deep < COMPLETE:
                            estimates += 1
                        at -= 1
                        continue
                slot -= slot & ENTRY
            else:
                best = estimate(weights, own, other, kept, lost)
                estimates += 1
                if best >= beta or depth <= -control[CALM]:
                    value = best
                    at -= 1
                    continue
                if best > alpha:
                    frames[f + ALPHA] = best
            if at >= DEEPEST - 2:
                estimates += 1
                value = estimate(weights, own, other, kept, lost)
                at -= 1
                continue
            # The moves, the best first.
            frames[f + LOW], frames[f + BEFORE], frames[f + SLOT] = alpha, estimates, slot
            mask = legal(variant, own, other)
            count = 0
            for pit in range(6):
                if mask >> pit & 1:
                    o, p, ours, theirs, what = ply(variant, own, other, kept, lost, pit)
                    gain = (ours if what != 0 else theirs) - kept
                    if depth <= 0 and what != OVER and gain < 2 and what != AGAIN:
                        continue
                    order = 16 * gain + killers[2048 + (pit << 6) + (own >> 8 * pit & 255)] // 64
                    if what == OVER:
                        order = 4_000 if ours > theirs else -4_000
                    elif pit == choice:
                        order = 8_000
                    elif what == AGAIN:
                        order += 60
                    elif killers[2 * at] == pit:
                        order += 24
                    elif killers[2 * at + 1] == pit:
                        order += 16
                    place = f + CHILD + CHILDREN * count
                    while place > f + CHILD and frames[place - 1] < order:
                        for word in range(CHILDREN):
                            frames[place + word] = frames[place + word - CHILDREN]
                        place -= CHILDREN
                    frames[place], frames[place + 1], frames[place + 2], frames[place + 3] = o, p, ours, theirs
                    frames[place + 4], frames[place + 5], frames[place + 6] = what, pit, order
                    count += 1
            frames[f + BEST], frames[f + CHOICE], frames[f + COUNT], frames[f + INDEX] = best, 7, count, -1
            mode = PICK

        elif mode == BACK:
            # A child's value has come back to the node above it.
            if at < 0:
                control[AT], control[MODE], control[VALUE] = at, mode, value
                control[NODES], control[ESTIMATES] = nodes, estimates
                return DONE
            if not frames[f + SAME]:
                value = -value
            mode = PICK
            index, stage = frames[f + INDEX], frames[f + STAGE]
            alpha, beta = frames[f + ALPHA], frames[f + BETA]
            if stage != FULL and value > alpha and (stage == REDUCED or value < beta):
                # Better than it was thought to be: again, deeper or with the whole window.
                frames[f + STAGE] = SCOUT if stage == REDUCED else FULL
                mode = ENTER
            elif value > frames[f + BEST]:
                frames[f + BEST] = value
                frames[f + CHOICE] = frames[f + CHILD + CHILDREN * index + 5]
                frames[f + ALPHA] = max(alpha, value)
            if mode == ENTER:
                mode = DOWN

        if mode == PICK:
            index, count = frames[f + INDEX] + 1, frames[f + COUNT]
            best, alpha, beta, depth = frames[f + BEST], frames[f + ALPHA], frames[f + BETA], frames[f + DEPTH]
            # Ends need no frame of their own.
            while index < count and best < beta and frames[f + CHILD + CHILDREN * index + 4] == OVER:
                c = f + CHILD + CHILDREN * index
                value = ended(frames[c + 2] - frames[c + 3], at + ply_before + 1)
                if value > best:
                    best = value
                    alpha = max(alpha, best)
                    frames[f + BEST], frames[f + CHOICE], frames[f + ALPHA] = best, frames[c + 5], alpha
                index += 1
            frames[f + INDEX] = index
            if index < count and best < beta:
                frames[f + STAGE] = FULL
                if index > 0 and depth > 0 and beta - alpha > 1:
                    frames[f + STAGE] = SCOUT
                if index >= control[REDUCE] and depth >= 3:
                    c = f + CHILD + CHILDREN * index
                    if frames[c + 4] == 0 and frames[c + 3] - frames[f + KEPT] == 0:
                        frames[f + STAGE] = REDUCED
                mode = DOWN
            else:
                # All moves are seen, or enough.
                value = best
                kept, lost, low = frames[f + KEPT], frames[f + LOST], frames[f + LOW]
                if depth > 0:
                    pit = frames[f + CHOICE]
                    own, other = line[2 * (root + at)], line[2 * (root + at) + 1]
                    kind = AT_LEAST if best >= beta else EXACT if best > low else AT_MOST
                    if kind == AT_LEAST:
                        if killers[2 * at] != pit:
                            killers[2 * at + 1] = killers[2 * at]
                            killers[2 * at] = pit
                        h = 2048 + (pit << 6) + (own >> 8 * pit & 255)
                        killers[h] += (1024 - killers[h]) * min(depth, 8) // 64
                        # The move that cut is among them: the weights were found so, and looking at less is what counts.
                        for worse in range(index):
                            pit = frames[f + CHILD + CHILDREN * worse + 5]
                            h = 2048 + (pit << 6) + (own >> 8 * pit & 255)
                            killers[h] -= killers[h] * min(depth, 8) // 64
                    slot = frames[f + SLOT]
                    first = own | kept << 48
                    second = other | lost << 48
                    deep = depth if estimates > frames[f + BEFORE] else COMPLETE
                    # Of two entries the first keeps what is deep, the second what is new.
                    another = known[slot] != first or known[slot + 1] != second
                    if another and (known[slot + 2] >> 8 & 255) > deep and known[slot + 3] == control[GENERATION]:
                        slot += ENTRY
                    away = at + ply_before
                    stored = value
                    if value >= SETTLED:
                        stored += away
                    elif value <= -SETTLED:
                        stored -= away
                    known[slot], known[slot + 1] = first, second
                    known[slot + 2] = frames[f + CHOICE] | kind << 3 | deep << 8 | stored + 1_000_000 << 16
                    known[slot + 3] = control[GENERATION]
                at -= 1
                mode = BACK

        if mode == DOWN:
            # Goes down to the child that INDEX names, as STAGE says.
            index, stage = frames[f + INDEX], frames[f + STAGE]
            c = f + CHILD + CHILDREN * index
            same = frames[c + 4] == AGAIN
            alpha, beta = frames[f + ALPHA], frames[f + BETA]
            if stage != FULL:
                beta = alpha + 1
            depth = frames[f + DEPTH] - 1
            if stage == REDUCED:
                depth -= 1
            since = frames[f + SINCE]
            if same:
                depth += control[EXTEND]
            elif frames[c + 3] != frames[f + KEPT]:
                since = root + at + 1
            frames[f + SAME] = 1 if same else 0
            at += 1
            below = at * FRAME
            line[2 * (root + at)], line[2 * (root + at) + 1] = frames[c], frames[c + 1]
            frames[below + KEPT], frames[below + LOST], frames[below + SINCE] = frames[c + 2], frames[c + 3], since
            frames[below + DEPTH] = depth
            if same:
                frames[below + ALPHA], frames[below + BETA] = alpha, beta
            else:
                frames[below + ALPHA], frames[below + BETA] = -beta, -alpha
            mode = ENTER
