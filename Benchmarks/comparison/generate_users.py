#!/usr/bin/env python3
"""Writes a CSV of users for benchmarks: user_id,country,platform,app_version.

The same rows and seed give the same bytes on every machine and with every version of NumPy: all choices come from
a counter hashed with SplitMix64, not from a library's random generator. 5,000,000 rows are 259 MB.

    pip install numpy
    python3 generate_users.py /tmp/users.csv
    python3 generate_users.py --rows 1000 --seed 7 -
"""

import argparse
import hashlib
import sys

import numpy as np

HEADER = b"user_id,country,platform,app_version\n"

COUNTRIES = {
    "US": 24, "DE": 16, "GB": 11, "FR": 10, "ES": 7, "IT": 7, "NL": 6, "BR": 5, "SE": 4, "PL": 4, "NO": 3, "JP": 3,
}
PLATFORMS = {"ios": 35, "android": 40, "web": 25}
VERSIONS = {
    "1.8.0": 2, "1.9.3": 3, "1.12.0": 2, "2.0.0": 4, "2.1.0": 5, "2.1.4": 5, "2.2.0": 6, "2.2.9": 4, "2.3.0": 8,
    "2.3.1": 7, "2.4.0": 9, "2.6.2": 10, "2.9.0": 7, "2.10.0": 5, "2.10.1": 7, "2.11.3": 5, "3.0.0": 8, "3.1.2": 3,
}

# Random numbers per row: two halves of the UUID and one choice each of country, platform and version.
DRAWS = 5
CHUNK = 250_000


def split_mix(numbers: np.ndarray) -> np.ndarray:
    """Returns SplitMix64's output for each 64-bit state. Source: Steele, Lea and Flood, OOPSLA 2014."""
    mixed = numbers.copy()
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def draws(seed: int, first: int, count: int) -> np.ndarray:
    """Returns DRAWS rows of `count` 64-bit numbers for the users from `first` on."""
    counters = np.arange(first * DRAWS + 1, (first + count) * DRAWS + 1, dtype=np.uint64)
    start = split_mix(np.array([seed], dtype=np.uint64))
    return split_mix(start + counters * np.uint64(0x9E3779B97F4A7C15)).reshape(count, DRAWS).T


def uuids(high: np.ndarray, low: np.ndarray) -> np.ndarray:
    """Returns the text of random (version 4) UUIDs as a matrix of 36 bytes per row."""
    high = (high & np.uint64(0xFFFFFFFFFFFF0FFF)) | np.uint64(0x4000)
    low = (low & np.uint64(0x3FFFFFFFFFFFFFFF)) | np.uint64(0x8000000000000000)
    octets = np.stack([high, low], axis=1).astype(">u8").view(np.uint8).reshape(-1, 16)
    digits = np.frombuffer(b"0123456789abcdef", dtype=np.uint8)
    pairs = np.empty((len(octets), 32), dtype=np.uint8)
    pairs[:, 0::2] = digits[octets >> 4]
    pairs[:, 1::2] = digits[octets & 15]
    text = np.full((len(octets), 36), ord("-"), dtype=np.uint8)
    start = 0
    for position, length in ((0, 8), (9, 4), (14, 4), (19, 4), (24, 12)):
        text[:, position : position + length] = pairs[:, start : start + length]
        start += length
    return text


def choices(weights: dict[str, int], numbers: np.ndarray, ending: str) -> np.ndarray:
    """Returns weighted choices, each followed by `ending`, as a matrix padded with zero bytes."""
    words = [(word + ending).encode() for word in weights]
    width = max(map(len, words))
    table = np.frombuffer(b"".join(word.ljust(width, b"\0") for word in words), dtype=np.uint8).reshape(-1, width)
    bounds = np.cumsum(list(weights.values()), dtype=np.uint64)
    return table[np.searchsorted(bounds, (numbers >> np.uint64(11)) % bounds[-1], side="right")]


def rows(seed: int, first: int, count: int) -> bytes:
    """Returns the CSV lines of the users from `first` on."""
    high, low, country, platform, version = draws(seed, first, count)
    matrix = np.concatenate(
        [
            uuids(high, low),
            np.full((count, 1), ord(","), dtype=np.uint8),
            choices(COUNTRIES, country, ","),
            choices(PLATFORMS, platform, ","),
            choices(VERSIONS, version, "\n"),
        ],
        axis=1,
    )
    return matrix[matrix != 0].tobytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", help="the CSV file to write; - is standard output")
    parser.add_argument("--rows", type=int, default=5_000_000, help="default: 5000000")
    parser.add_argument("--seed", type=int, default=20261121, help="default: 20261121")
    arguments = parser.parse_args()
    if arguments.rows < 0 or arguments.seed < 0:
        parser.error("--rows and --seed are 0 or more")

    digest = hashlib.sha256(HEADER)
    size = len(HEADER)
    with sys.stdout.buffer if arguments.output == "-" else open(arguments.output, "wb") as output:
        output.write(HEADER)
        for first in range(0, arguments.rows, CHUNK):
            chunk = rows(arguments.seed, first, min(CHUNK, arguments.rows - first))
            digest.update(chunk)
            size += len(chunk)
            output.write(chunk)
    print(f"{arguments.rows} rows, {size} bytes, SHA-256 {digest.hexdigest()}", file=sys.stderr)


if __name__ == "__main__":
    main()
