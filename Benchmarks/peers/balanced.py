"""How often the tests of `allot srm` are below p = 0.05 by chance, with windows that are balanced in pairs and without.

The numbers are those of the article "Proving a randomisation". The sequential test is that of Lindon and Malek (2022)
with a Dirichlet prior of 100 units in equal shares.

    python3 Benchmarks/peers/balanced.py        # takes some minutes
"""

import numpy
from scipy.special import gammaln

EXPERIMENTS = 300


def variants(random, units, pairs, seen, balanced):
    """The variants of the unit-windows that are seen, window after window, in random order within each."""
    for _ in range(pairs):
        first = random.integers(0, 2, units)
        for second in (False, True):
            window = first
            if second:
                window = 1 - first if balanced else random.integers(0, 2, units)
            order = random.permutation(units)
            yield window[order[random.random(units) < seen]]


def tests(random, *experiment):
    """The largest logarithm of the evidence at any row, and the normal score of all."""
    found = numpy.concatenate(list(variants(random, *experiment)))
    rows = numpy.arange(1, len(found) + 1)
    ones = numpy.cumsum(found)
    evidence = gammaln(50 + ones) + gammaln(50 + rows - ones) - gammaln(100 + rows) + rows * numpy.log(2)
    evidence -= 2 * gammaln(50) - gammaln(100)
    return evidence.max(), abs(2 * ones[-1] - rows[-1]) / numpy.sqrt(rows[-1])


random = numpy.random.default_rng(5)
for units, pairs in ((20, 60), (200, 3), (1000, 1)):
    for seen in (1, 0.6):
        for balanced in (False, True):
            runs = numpy.array([tests(random, units, pairs, seen, balanced) for _ in range(EXPERIMENTS)])
            sequential, ratio = (runs[:, 0] > numpy.log(20)).mean(), (runs[:, 1] > 1.96).mean()
            print(f"{units} units, {2 * pairs} windows, {seen:.0%} seen, balanced {balanced}:", ratio, sequential)
