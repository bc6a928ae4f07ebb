#!/usr/bin/env python3
"""Writes Experiments/vectors/windows.json: units of several attributes, and buckets in windows of time.

    python3 Benchmarks/peers/windows.py > Experiments/vectors/windows.json

It shares no code with Allot: the two rules are the functions `joined` and `buckets`.
"""
import hashlib
import json


def joined(parts):
    if len(parts) == 1:
        return parts[0]
    return "|".join(part.replace("\\", "\\\\").replace("|", "\\|") for part in parts)


def buckets(salt, unit_id, seconds, every, balanced):
    window = seconds // every
    hashed = window - window % 2 if balanced else window
    digest = hashlib.sha256(f"{salt}:{unit_id}@{hashed}".encode()).digest()
    first, second = (int.from_bytes(digest[i:i + 5], "big") * 1_000_000 >> 40 for i in (0, 5))
    return window, first, 999_999 - second if balanced and window % 2 else second


LISTS = [
    ["berlin", "U1"], ["berlin|U1", "x"], ["berlin", "U1|x"], ["a\\", "b"], ["a", "\\b"], ["a\\|b", "|"], ["7", "007"],
    ["Zo\u00eb", "Zoe\u0308"], ["a", "b", "c", "d", "e", "f", "g", "h"], ["x" * 60, "y" * 60], ["alone|", ], ["|", "|"],
]
TIMES = [0, 1, 3599, 3600, 7200, 86_399, 86_400, 31_536_000, 3_600_000_000_000]

cases = []
for parts in LISTS:
    for salt in ["surge-price", "s"]:
        for seconds in TIMES:
            for every, balanced in [(3600, False), (3600, True), (60, False), (86_400, True)]:
                unit = joined(parts)
                window, first, second = buckets(salt, unit, seconds, every, balanced)
                cases.append({"salt": salt, "parts": parts, "unit": unit, "seconds": seconds, "every": every,
                              "balanced": balanced, "window": window, "first": first, "second": second})
print('{\n "cases": [\n' + ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in cases[::3]) + "\n ]\n}")
