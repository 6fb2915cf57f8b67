"""Hold'em for 2 to 10 seats: the rules of `poker.holdem` over integers.

`poker.holdem.compiled.compiled_rules` writes the parameters; by hand only those of limit hold'em
are worth the trouble. Seats are in the order of posting. Amounts are whole units. A size is 0 for
none, -1 for all-in, a share of the pot in millionths, or a multiple of the bet in millionths,
negative. A cap is one more than the raises that are allowed, 0 for no cap.

State: who moves, the street, seats still in (one bit each), seats that must act, the largest raise
of the street, its bets and raises, how often cards were dealt, the moves of the hand (two numbers,
base `max_actions` + 1, and how many), then by seat the chips of the hand, those of the street and
the strength at the showdown, and the cards: two for each seat, and the board.
"""

import numpy as np

SIZES_EACH = 4
"""The most sizes of bets, and of raises, on a street."""
PARAMETERS = {
    "seats": 2, "limit": 2, "raise_cap": 4, "reopens": 0, "last_street": 3, "hole_cards": 2,
    "lowest_rank": 0, "suits": 4, "per_chip": 1,
    "flop": 3, "turn": 1, "river": 1,
    "bet_0": 100, "bet_1": 100, "bet_2": 200, "bet_3": 200,
    "cap_0": 0, "cap_1": 0, "cap_2": 0, "cap_3": 0,
    **{f"stack_{seat}": 10000 * (seat < 2) for seat in range(10)},
    **{f"blind_{seat}": (50, 100, 0)[min(seat, 2)] for seat in range(10)},
    **{f"ante_{seat}": 0 for seat in range(10)},
    **{f"size_{k}": 0 for k in range(8 * SIZES_EACH)},
}  # fmt: skip
SEATS, LIMIT, RAISE_CAP, REOPENS, LAST_STREET, HOLE_CARDS = 0, 1, 2, 3, 4, 5
LOWEST_RANK, SUITS, PER_CHIP, BOARD, BET, CAP = 6, 7, 8, 8, 12, 16
STACK, BLIND, ANTE, SIZES = 20, 30, 40, 50
NO_LIMIT, POT_LIMIT, FIXED_LIMIT = 0, 1, 2
MOVER, STREET, LIVE, PENDING, LAST_RAISE, WAGERS, DEALT, MOVES, COUNT = 0, 1, 2, 3, 4, 5, 6, 7, 9
STAKES, BETS, STRENGTH, CARDS = 10, 20, 30, 40
BOARD_CARDS = CARDS + 20
CHANCE, END = -1, -2
ALL_IN, MILLION = -1, 1_000_000
FIRST_BITS, SECOND_BITS = 62, 22
"""What the two numbers of the moves may take in a key, beside 42 bits of cards."""


def state_size(g):
    return BOARD_CARDS + 5


def num_players(g):
    return g[SEATS]


def max_actions(g):
    if g[LIMIT] == FIXED_LIMIT:
        return 3
    most = 0
    for row in range(8):
        found = 0
        for k in range(SIZES_EACH):
            found += g[SIZES + row * SIZES_EACH + k] != 0
        most = max(most, found)
    return 2 + most


def max_moves(g):
    return g[SEATS] + num_streets(g) - 1 + most_actions(g)


def num_streets(g):
    streets = 1
    while streets < 4 and g[BOARD + streets] > 0:
        streets += 1
    return streets


def blinds_are_bets(g):
    for p in range(g[SEATS]):
        if g[BLIND + p] > 0:
            return 1
    return 0


def opens_with_bet(g, street):
    return 1 if street > 0 or blinds_are_bets(g) == 0 else 0


def most_actions(g):
    """The most actions of a hand: every bet or raise lets all others act again."""
    total = 0
    for street in range(g[LAST_STREET] + 1):
        most = 0
        for p in range(g[SEATS]):
            most = max(most, g[STACK + p])
        wagers = most // max(1, g[BET + street]) + 1
        cap = g[RAISE_CAP] if g[LIMIT] == FIXED_LIMIT else g[CAP + street]
        if cap > 0:
            # After the cap of a menu every seat may still go all-in once.
            beyond = 0 if g[LIMIT] == FIXED_LIMIT else g[SEATS]
            wagers = min(wagers, cap - 1 + opens_with_bet(g, street) + beyond)
        total += g[SEATS] + wagers * (g[SEATS] - 1)
    return total


def digits(bits, base):
    """How many digits of a base fit into so many bits."""
    found = 0
    room = 1 << bits
    while room >= base:
        room //= base
        found += 1
    return found


def fits(g):
    """Ranges, and whether all moves of a hand and the cards fit into a key of 128 bits."""
    seats = g[SEATS]
    streets = num_streets(g)
    fine = 2 <= seats <= 10 and 0 <= g[LIMIT] <= 2 and 0 <= g[LAST_STREET] < streets
    fine = fine and 1 <= g[HOLE_CARDS] <= 2 and 1 <= g[SUITS] <= 4 and 0 <= g[LOWEST_RANK] <= 12
    if not fine:
        return False
    cards = g[HOLE_CARDS]
    for street in range(1, streets):
        cards += g[BOARD + street]
    if cards > 7 or num_cards(g) < cards + (seats - 1) * g[HOLE_CARDS]:
        return False
    largest = 1
    for p in range(seats):
        if min(g[BLIND + p], g[ANTE + p]) < 0 or g[STACK + p] < max(1, g[BLIND + p] + g[ANTE + p]):
            return False
        largest = max(largest, g[STACK + p])
    for street in range(streets):
        if g[BET + street] < 1:
            return False
    for k in range(SIZES, SIZES + 8 * SIZES_EACH):
        # A size times twice the pot must fit into an integer.
        if abs(g[k]) * 2.0 * largest * (seats + 1) >= 2.0**62:
            return False
    base = max_actions(g) + 1
    return most_actions(g) <= digits(FIRST_BITS, base) + digits(SECOND_BITS, base)


def num_cards(g):
    return (13 - g[LOWEST_RANK]) * g[SUITS]


def card_at(g, k):
    """The k-th card of the deck, 4 * rank + suit."""
    return 4 * (g[LOWEST_RANK] + k // g[SUITS]) + 4 - g[SUITS] + k % g[SUITS]


def first_left(g):
    """The seat to the left of the button: with two seats and blinds the second."""
    return 1 if g[SEATS] == 2 and blinds_are_bets(g) == 1 else 0


def start(g, s):
    s[:] = 0
    s[LIVE] = (1 << g[SEATS]) - 1
    s[PENDING] = s[LIVE]
    opener = first_left(g)
    largest = 0
    for p in range(g[SEATS]):
        s[STAKES + p] = g[BLIND + p] + g[ANTE + p]
        s[BETS + p] = g[BLIND + p]
        if g[BLIND + p] > 0 and g[BLIND + p] >= largest:
            largest = g[BLIND + p]
            opener = (p + 1) % g[SEATS]
    s[MOVER] = CHANCE
    turn(g, s, opener)


def player(g, s):
    if s[DEALT] < g[SEATS]:
        return CHANCE
    return s[MOVER]


def behind(g, s, p):
    return g[STACK + p] - s[STAKES + p]


def highest_bet(g, s):
    chips = 0
    for p in range(g[SEATS]):
        chips = max(chips, s[BETS + p])
    return chips


def covering(g, s):
    """The largest total on the street that another seat can match."""
    most = 0
    for p in range(g[SEATS]):
        if p != s[MOVER] and (s[LIVE] >> p) & 1:
            most = max(most, s[BETS + p] + behind(g, s, p))
    return most


def facing(g, s):
    return highest_bet(g, s) - s[BETS + s[MOVER]]


def may_raise(g, s):
    p = s[MOVER]
    to_call = facing(g, s)
    if behind(g, s, p) <= to_call or covering(g, s) <= highest_bet(g, s):
        return False
    most = g[RAISE_CAP] - 1 + opens_with_bet(g, s[STREET])
    if g[LIMIT] == FIXED_LIMIT and g[RAISE_CAP] > 0 and s[WAGERS] >= most:
        return False
    return to_call >= s[LAST_RAISE] or g[REOPENS] == 1


def least_total(g, s):
    step = max(s[LAST_RAISE], g[BET + s[STREET]])
    return min(highest_bet(g, s) + step, s[BETS + s[MOVER]] + behind(g, s, s[MOVER]))


def pot_size(g, s):
    pot = 0
    for p in range(g[SEATS]):
        pot += s[STAKES + p]
    return pot


def most_total(g, s):
    """The largest total on the street that is legal and that another seat can call."""
    least = least_total(g, s)
    most = s[BETS + s[MOVER]] + behind(g, s, s[MOVER])
    if g[LIMIT] == POT_LIMIT:
        most = min(most, max(least, highest_bet(g, s) + pot_size(g, s) + facing(g, s)))
    return min(most, max(least, covering(g, s)))


def size_total(g, s, size):
    """The total of a size, before limits; -1 where the size does not apply."""
    bet = highest_bet(g, s)
    if size == ALL_IN:
        return most_total(g, s)
    cap = g[CAP + s[STREET]]
    if cap > 0 and s[WAGERS] >= cap - 1 + opens_with_bet(g, s[STREET]):
        return -1
    if size > 0:
        product = bet * MILLION + size * (pot_size(g, s) + facing(g, s))
    elif bet > 0:
        product = bet * -size
    else:
        return -1
    return (2 * product + MILLION) // (2 * MILLION)


def next_total(g, s, above):
    """The smallest total that is offered above another; -1 if there is none."""
    least = least_total(g, s)
    if g[LIMIT] == FIXED_LIMIT:
        return least if least > above else -1
    most = most_total(g, s)
    row = s[STREET] * 2 + (1 if s[WAGERS] > 0 else 0)
    found = -1
    for k in range(SIZES_EACH):
        size = g[SIZES + row * SIZES_EACH + k]
        total = size_total(g, s, size) if size != 0 else -1
        if total >= 0:
            total = min(max(total, least), most)
            if total > above and (found < 0 or total < found):
                found = total
    return found


def num_actions(g, s):
    if s[DEALT] < g[SEATS] or s[MOVER] == CHANCE:
        return ways(cards_left(g, s), deal_size(g, s))
    count = 2 if facing(g, s) > 0 else 1
    if may_raise(g, s):
        total = next_total(g, s, 0)
        while total > 0:
            count += 1
            total = next_total(g, s, total)
    return count


def deal_size(g, s):
    if s[DEALT] < g[SEATS]:
        return g[HOLE_CARDS]
    return g[BOARD + s[DEALT] - g[SEATS] + 1]


def board_size(g, s):
    """How many cards are on the board."""
    cards = 0
    for k in range(s[DEALT] - g[SEATS]):
        cards += g[BOARD + 1 + k]
    return cards


def cards_left(g, s):
    return num_cards(g) - min(s[DEALT], g[SEATS]) * g[HOLE_CARDS] - board_size(g, s)


def ways(n, k):
    """N over k."""
    found = 1
    for i in range(k):
        found = found * (n - i) // (i + 1)
    return found


def dealt_bits(g, s):
    """The cards that are dealt, one bit each."""
    bits = 0
    for p in range(min(s[DEALT], g[SEATS])):
        for k in range(g[HOLE_CARDS]):
            bits |= 1 << s[CARDS + 2 * p + k]
    for k in range(board_size(g, s)):
        bits |= 1 << s[BOARD_CARDS + k]
    return bits


def put_cards(g, s, a):
    """Deal the combination with number a, of those in lexicographic order."""
    taken = dealt_bits(g, s)
    place = CARDS + 2 * s[DEALT] if s[DEALT] < g[SEATS] else BOARD_CARDS + board_size(g, s)
    left = cards_left(g, s)
    wanted = deal_size(g, s)
    c = 0
    while wanted > 0:
        card = card_at(g, c)
        c += 1
        if (taken >> card) & 1:
            continue
        left -= 1
        with_card = ways(left, wanted - 1)
        if a < with_card:
            s[place] = card
            place += 1
            wanted -= 1
        else:
            a -= with_card
    s[DEALT] += 1


def apply(g, s, a):
    if s[DEALT] < g[SEATS]:
        put_cards(g, s, a)
        if s[DEALT] == g[SEATS]:
            end_if_complete(g, s)
        return
    if s[MOVER] == CHANCE:
        open_street(g, s, a)
        return
    note_move(g, s, a)
    p = s[MOVER]
    to_call = facing(g, s)
    if to_call > 0 and a == 0:
        s[LIVE] &= ~(1 << p)
        s[PENDING] &= ~(1 << p)
    elif a == (1 if to_call > 0 else 0):
        pay(s, p, min(to_call, behind(g, s, p)))
        s[PENDING] &= ~(1 << p)
    else:
        wanted = a - (1 if to_call > 0 else 0)
        total = 0
        for _ in range(wanted):
            total = next_total(g, s, total)
        s[LAST_RAISE] = max(s[LAST_RAISE], total - highest_bet(g, s))
        pay(s, p, total - s[BETS + p])
        s[WAGERS] += 1
        s[PENDING] = s[LIVE] & ~(1 << p)
    turn(g, s, p)
    end_if_complete(g, s)


def note_move(g, s, a):
    base = max_actions(g) + 1
    word = MOVES if s[COUNT] < digits(FIRST_BITS, base) else MOVES + 1
    s[word] = s[word] * base + a + 1
    s[COUNT] += 1


def pay(s, p, chips):
    s[STAKES + p] += chips
    s[BETS + p] += chips


def open_street(g, s, a):
    """Deal the next street; with betting to come, its first seat acts."""
    put_cards(g, s, a)
    if s[PENDING] >= 0:
        begin_street(g, s)
    end_if_complete(g, s)


def begin_street(g, s):
    """Begin the next street's betting."""
    s[STREET] += 1
    for p in range(g[SEATS]):
        s[BETS + p] = 0
    s[LAST_RAISE] = 0
    s[WAGERS] = 0
    s[PENDING] = s[LIVE]
    turn(g, s, first_left(g))


def turn(g, s, p):
    """Pass the turn to the next seat from p on, or end the street; PENDING is -1 at a showdown."""
    if s[LIVE] & (s[LIVE] - 1) == 0:
        return_uncalled(g, s)
        s[PENDING] = 0
        s[MOVER] = END
        return
    able = 0
    for q in range(g[SEATS]):
        if (s[LIVE] >> q) & 1 and behind(g, s, q) > 0:
            able |= 1 << q
    s[PENDING] &= able
    alone = able & (able - 1) == 0
    high = highest_bet(g, s)
    if s[PENDING] > 0:
        while not (s[PENDING] >> p) & 1:
            p = (p + 1) % g[SEATS]
        if not (alone and s[BETS + p] >= high):
            s[MOVER] = p
            return
    return_uncalled(g, s)
    s[PENDING] = -1 if alone or s[STREET] == g[LAST_STREET] else 0
    s[MOVER] = CHANCE


def return_uncalled(g, s):
    high = highest_bet(g, s)
    second = 0
    count = 0
    seat = 0
    for p in range(g[SEATS]):
        if s[BETS + p] == high:
            count += 1
            seat = p
        else:
            second = max(second, s[BETS + p])
    if count == 1:
        pay(s, seat, second - high)


def end_if_complete(g, s):
    """Compare the hands once the betting is over and the board is complete."""
    if s[MOVER] == CHANCE and s[PENDING] < 0 and s[DEALT] == g[SEATS] + num_streets(g) - 1:
        s[MOVER] = END
        for p in range(g[SEATS]):
            if (s[LIVE] >> p) & 1:
                s[STRENGTH + p] = strength(g, s, p)


def strength(g, s, p):
    """The value of a hand with the board, the higher the better."""
    cards = g[HOLE_CARDS] + board_size(g, s)
    by_rank = 0  # four bits a rank
    by_suit = 0  # thirteen bits a suit
    for k in range(cards):
        c = s[CARDS + 2 * p + k] if k < g[HOLE_CARDS] else s[BOARD_CARDS + k - g[HOLE_CARDS]]
        by_rank += 1 << 4 * (c >> 2)
        by_suit |= 1 << (13 * (c & 3) + (c >> 2))
    if cards < 5:
        return few_cards_value(by_rank)
    return five_cards_value(by_rank, by_suit)


def few_cards_value(by_rank):
    """One to four cards: no straights and flushes."""
    value = 0
    for count in range(4, 0, -1):
        for rank in range(12, -1, -1):
            if (by_rank >> 4 * rank) & 15 == count:
                value = value * 64 + count * 13 + rank + 1
    for _ in range(4):  # digits that are missing stand for no card
        if value < 64**3:
            value *= 64
    return value


def five_cards_value(by_rank, by_suit):
    """The best five of five to seven cards: category, then ranks in the order of importance."""
    ranks = 0
    for rank in range(13):
        if (by_rank >> 4 * rank) & 15:
            ranks |= 1 << rank
    flush = 0
    for suit in range(4):
        of_suit = (by_suit >> 13 * suit) & 0x1FFF
        if ones(of_suit) >= 5:
            flush = of_suit
    if flush and straight_top(flush) > 0:
        return (8 << 20) + straight_top(flush)
    quads = highest_with(by_rank, 4, -1)
    trips = highest_with(by_rank, 3, -1)
    if quads >= 0:
        return (7 << 20) + quads * 16 + top_ranks(ranks & ~(1 << quads), 1)
    if trips >= 0:
        full = max(highest_with(by_rank, 3, trips), highest_with(by_rank, 2, -1))
        if full >= 0:
            return (6 << 20) + trips * 16 + full
    if flush:
        return (5 << 20) + top_ranks(flush, 5)
    if straight_top(ranks) > 0:
        return (4 << 20) + straight_top(ranks)
    if trips >= 0:
        return (3 << 20) + trips * 256 + top_ranks(ranks & ~(1 << trips), 2)
    pair = highest_with(by_rank, 2, -1)
    if pair < 0:
        return top_ranks(ranks, 5)
    second = highest_with(by_rank, 2, pair)
    if second >= 0:
        kicker = top_ranks(ranks & ~(1 << pair) & ~(1 << second), 1)
        return (2 << 20) + pair * 256 + second * 16 + kicker
    return (1 << 20) + pair * 4096 + top_ranks(ranks & ~(1 << pair), 3)


def ones(bits):
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


def straight_top(ranks):
    """The rank of the highest straight, 3 for the wheel; 0 for none."""
    for top in range(12, 3, -1):
        if (ranks >> (top - 4)) & 31 == 31:
            return top
    return 3 if ranks & 0x100F == 0x100F else 0


def highest_with(by_rank, count, other):
    """The highest rank with so many cards, but for one; -1 if there is none."""
    for rank in range(12, -1, -1):
        if rank != other and (by_rank >> 4 * rank) & 15 == count:
            return rank
    return -1


def top_ranks(ranks, count):
    """The highest ranks as digits of base 16."""
    value = 0
    for rank in range(12, -1, -1):
        if count > 0 and (ranks >> rank) & 1:
            value = value * 16 + rank
            count -= 1
    return value


def payoff(g, s, p):
    """The pots from the smallest stake up; layers that the same winners contest are one pot."""
    if not (s[LIVE] >> p) & 1:
        return -1.0 * s[STAKES + p] / g[PER_CHIP]
    winning = winners_of_all(g, s)
    won = -s[STAKES + p]
    pot = 0
    for q in range(g[SEATS]):
        pot += g[ANTE + q]
    seats = able_at(g, s, 0) & winning
    below = 0
    level = next_level(g, s, 0)
    while level > 0:
        able = able_at(g, s, level) & winning
        if able != seats:
            won += share(g, s, p, seats, pot)
            pot = 0
            seats = able
        for q in range(g[SEATS]):
            if s[STAKES + q] - g[ANTE + q] >= level:
                pot += level - below
        below = level
        level = next_level(g, s, level)
    won += share(g, s, p, seats, pot)
    return 1.0 * won / g[PER_CHIP]


def next_level(g, s, above):
    """The smallest stake above another, antes not counted; 0 if there is none."""
    level = 0
    for q in range(g[SEATS]):
        paid = s[STAKES + q] - g[ANTE + q]
        if paid > above and (level == 0 or paid < level):
            level = paid
    return level


def able_at(g, s, level):
    """The live seats with stakes up there, one bit each."""
    bits = 0
    for q in range(g[SEATS]):
        if (s[LIVE] >> q) & 1 and s[STAKES + q] - g[ANTE + q] >= level:
            bits |= 1 << q
    return bits


def best_of(g, s, seats):
    """Those of some seats that have the best hand, one bit each."""
    best = -1
    bits = 0
    for q in range(g[SEATS]):
        if (seats >> q) & 1 and s[STRENGTH + q] >= best:
            if s[STRENGTH + q] > best:
                bits = 0
            best = s[STRENGTH + q]
            bits |= 1 << q
    return bits


def winners_of_all(g, s):
    """The seats that win any pot."""
    bits = best_of(g, s, able_at(g, s, 0))
    level = next_level(g, s, 0)
    while level > 0:
        bits |= best_of(g, s, able_at(g, s, level))
        level = next_level(g, s, level)
    return bits


def share(g, s, p, seats, pot):
    """What a seat wins of a pot; what is left over goes to the first from the button's left."""
    best = best_of(g, s, seats)
    if pot == 0 or not (best >> p) & 1:
        return 0
    q = first_left(g)
    while not (best >> q) & 1:
        q = (q + 1) % g[SEATS]
    count = ones(best)
    return pot // count + (pot % count if p == q else 0)


def key(g, s, out):
    """The own cards and the board with the later moves; the earlier moves."""
    cards = s[CARDS + 2 * s[MOVER]] * 64
    if g[HOLE_CARDS] == 2:
        cards += s[CARDS + 2 * s[MOVER] + 1]
    pack(g, s, cards, out)


def public_state(g, s, out):
    """As a key, with the number of seats that have cards in place of the own ones."""
    pack(g, s, min(s[DEALT], g[SEATS]), out)
    out[0] |= np.uint64(1) << np.uint64(63)


def pack(g, s, cards, out):
    on_board = board_size(g, s)
    for k in range(5):
        cards = cards * 64 + (s[BOARD_CARDS + k] + 1 if k < on_board else 0)
    out[0] = (np.uint64(cards) << np.uint64(SECOND_BITS)) | np.uint64(s[MOVES + 1])
    out[1] = np.uint64(s[MOVES])


def label(g, s, a):
    if s[DEALT] < g[SEATS] or s[MOVER] == CHANCE:
        after = s.copy()
        place = CARDS + 2 * s[DEALT] if s[DEALT] < g[SEATS] else BOARD_CARDS + board_size(g, s)
        put_cards(g, after, a)
        return cards_text(after[place : place + deal_size(g, s)])
    return action_text(g, s, a)


def action_text(g, s, a):
    """The code of an action in a line: `F`, `X`, `C`, `B50`, `R250`, `A1000`."""
    to_call = facing(g, s)
    if to_call > 0 and a == 0:
        return "F"
    if a == (1 if to_call > 0 else 0):
        return "C" if to_call > 0 else "X"
    total = 0
    for _ in range(a - (1 if to_call > 0 else 0)):
        total = next_total(g, s, total)
    own = s[BETS + s[MOVER]] + behind(g, s, s[MOVER])
    letter = "R" if highest_bet(g, s) else "B"
    if total >= min(own, covering(g, s)):
        letter = "A"
    chips = total / g[PER_CHIP]
    return letter + (str(int(chips)) if chips == int(chips) else str(float(chips)))


def cards_text(cards):
    """Names of cards, the highest first."""
    return "".join("23456789TJQKA"[c >> 2] + "cdhs"[c & 3] for c in sorted(cards)[::-1])


def text(g, s):
    """The infoset as `poker.holdem.game` names it: `AhKh:R250-C|Td9d6h|X`."""
    own = CARDS + 2 * s[MOVER]
    return cards_text(s[own : own + g[HOLE_CARDS]]) + ":" + line_text(g, s)


def line_text(g, s):
    """The line of a state at which a seat acts, from its moves and its board."""
    played, _ = replayed(g, s)
    line = ["-".join(played[0])]
    for street, codes in enumerate(played[1:], start=1):
        first = BOARD_CARDS + sum(g[BOARD + 1 : BOARD + street])
        cards = cards_text(s[first : first + g[BOARD + street]])
        line.append("|".join([cards, *["-".join(codes)] * bool(codes)]))
    return "|".join(line)


def replayed(g, s):
    """The codes of the actions of each street, and the state after them, without cards."""
    shown = np.zeros_like(s)
    start(g, shown)
    shown[DEALT] = g[SEATS]  # the cards do not matter for who may do what
    streets = [[]]
    for a in [*moves_made(g, s), None]:
        while shown[MOVER] == CHANCE:
            begin_street(g, shown)
            shown[DEALT] += 1
            streets.append([])
        if a is not None:
            streets[-1].append(action_text(g, shown, a))
            apply(g, shown, a)
    return streets, shown


def unpack(g, key, s):
    """The state with a key; the others' cards are left out."""
    s[:] = 0
    s[MOVES], s[MOVES + 1] = int(key[1]), int(key[0]) & ((1 << SECOND_BITS) - 1)
    cards = int(key[0]) >> SECOND_BITS
    _, shown = replayed(g, s)
    s[:] = shown
    for k in range(4, -1, -1):
        s[BOARD_CARDS + k] = max(0, cards % 64 - 1)
        cards //= 64
    own = CARDS + 2 * s[MOVER]
    if g[HOLE_CARDS] == 2:
        s[own + 1] = cards % 64
        cards //= 64
    s[own] = cards


def moves_made(g, s):
    """The numbers of the actions so far, from the first."""
    base = max_actions(g) + 1
    made = []
    for word in (MOVES + 1, MOVES):
        rest = int(s[word])
        while rest > 0:
            rest, digit = divmod(rest, base)
            made.append(digit - 1)
    return made[::-1]


def describe(g, s):
    own = CARDS + 2 * s[MOVER]
    facts = [("your cards", cards_text(s[own : own + g[HOLE_CARDS]]))]
    on_board = board_size(g, s)
    if on_board:
        facts.append(("board", cards_text(s[BOARD_CARDS : BOARD_CARDS + on_board])))
    pot, to_call = pot_size(g, s) / g[PER_CHIP], facing(g, s) / g[PER_CHIP]
    return [*facts, ("line", line_text(g, s)), ("pot", f"{pot:g}"), ("to call", f"{to_call:g}")]
