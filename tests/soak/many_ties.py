"""Tables in which very many sets of features have the least errors, and in which the search needs long to see it.

The rows are the words of a code in which any four parity columns are independent (a two-error-correcting BCH code of length
2^m - 1): three of them say nothing about the label, and no bound sees that soon. Of the `num_singles` other columns each saves
one error, so that with depth 4 every choice of three of them is optimal, beside the column that nearly tells the label.
"""

import random

POLYNOMIALS = {5: 0b100101, 6: 0b1000011, 7: 0b10000011}


def parity_columns(m):
    """Pairs (a, a^3) over the field of 2^m elements, as numbers of 2m bits."""
    def times(a, b):
        product = 0
        while b:
            if b & 1:
                product ^= a
            a <<= 1
            if a >> m:
                a ^= POLYNOMIALS[m]
            b >>= 1
        return product

    element, columns = 1, []
    for _ in range(2 ** m - 1):
        columns.append(element << m | times(element, times(element, element)))
        element = times(element, 2)
    return columns


def many_ties(m, num_singles, num_parities):
    """The table as text, a matrix with weights."""
    columns = parity_columns(m)
    hidden, shown = columns[-1], columns[:num_parities]
    lines = ["# beadwork matrix 1", "# class 0 n", "# class 1 p", "# weights"]

    def add(label, weight, first, parities, single=None):
        singles = [int(i == single) for i in range(num_singles)]
        lines.append(" ".join(map(str, [label, weight, *parities, *singles, first])))

    for word in range(2 ** (2 * m)):
        def parity(column):
            return bin(column & word).count("1") & 1
        noise, parities = parity(hidden), [parity(column) for column in shown]
        for first in (0, 1):
            add(first ^ noise, 1 if noise else 2, first, parities)
    add(0, 5000, 0, [0] * num_parities)
    for single in range(num_singles):
        add(1, 1, 0, [0] * num_parities, single)
    return "\n".join(lines) + "\n"


def late_ties(seed, num_rows, num_noisy, width, num_groups, flip=0.3):
    """A table in which no set of `width` columns but a few makes no error, as text.

    The label is the majority of each of `num_groups` groups of `width` columns, which are easily found; the other columns are
    copies of the label with noise, good enough that bounds say little about them. Once a group is found no errors can be
    fewer, and what is left is to see whether an earlier set is as good.
    """
    rng = random.Random(seed)
    labels = [rng.randint(0, 1) for _ in range(num_rows)]
    columns = [[label ^ (rng.random() < flip) for label in labels] for _ in range(num_noisy)]
    words = [[w for w in range(2 ** width) if (2 * bin(w).count("1") > width) == label] for label in (0, 1)]
    for _ in range(num_groups):
        drawn = [rng.choice(words[label]) for label in labels]
        columns += [[word >> i & 1 for word in drawn] for i in range(width)]
    rng.shuffle(columns)
    rows = [" ".join(str(int(v)) for v in row) for row in zip(labels, *columns)]
    return "\n".join(["# beadwork matrix 1", "# class 0 n", "# class 1 p", *rows]) + "\n"
