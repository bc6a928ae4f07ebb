#!/usr/bin/env python3
"""Writes the golden values of other systems' hashes, with the systems' own packages where these give the number.

    .build-peers/bin/python Benchmarks/peers/schemes.py > Experiments/vectors/schemes.json

No network is used. Where a package gives a decision or a fraction only, the number is computed with the published
formula, and the package has to agree with it.
"""
import hashlib
import json
import sys
from importlib.metadata import version

from eppo_shards import eppo_shards

SALTS = ["exp-1", "checkout-allocation-split", "flag.5f3a9c", "1886780721", "Zoë 🦊", "s" * 70]
UNITS = [
    "1", "007", "a", "user-42", "maria.garcia17@example.com", "0f8fad5b-d9cb-469f-a165-70867728950e", "a.b:c_d",
    "trailing ", "x" * 55, "y" * 64, "z" * 300, "Zo\u00eb-7", "Zoe\u0308-7", "用户42", "🦊12", "👩🏽‍💻/5",
]


def text(salt, separator, unit):
    return f"{salt}{separator}{unit}".encode()


def start_of_sha1(salt, unit):
    return int(hashlib.sha1(text(salt, ".", unit)).hexdigest()[:15], 16)


def growthbook(hash_version, count):
    from growthbook.core import gbhash

    return lambda salt, unit: round(gbhash(salt, unit, hash_version) * count)


def optimizely(salt, unit):
    from optimizely.bucketer import Bucketer

    return Bucketer()._generate_bucket_value(f"{unit}{salt}")


def unleash(seed, count):
    from UnleashClient.utils import normalized_hash

    return lambda salt, unit: normalized_hash(unit, salt, count, seed) - 1


def launchdarkly(salt, unit):
    from ldclient import Context
    from ldclient.impl.evaluator_common import _bucket_context

    number = start_of_sha1(salt, unit)
    key, _, rest = salt.partition(".")
    fraction = _bucket_context(None, Context.create(unit), None, key, rest, None) if rest else number / 2**60
    assert fraction == number / 2**60
    return number


def statsig(count):
    return lambda salt, unit: int.from_bytes(hashlib.sha256(text(salt, ".", unit)).digest()[:8], "big") % count


def flagd_daemon(count):
    import mmh3

    return lambda salt, unit: mmh3.hash(text(salt, "", unit), signed=False) * count >> 32


def flagd(count):
    from openfeature.contrib.tools.flagd.core.targeting.custom_ops import fractional

    import cbor2
    import mmh3

    def number(salt, unit):
        number = mmh3.hash(cbor2.dumps([salt, unit], canonical=True), signed=False) * count >> 32
        data = {"targetingKey": unit, "$flagd": {"flagKey": salt}}
        for border in {number, number + 1}:
            answer = fractional(data, ["in", border], ["out", count - border]) if 0 < border < count else None
            assert answer is None or (answer == "in") == (number < border)
        return number

    return number


def flagd_text(count):
    from openfeature.contrib.tools.flagd.core.targeting.custom_ops import fractional

    import cbor2
    import mmh3

    def number(salt, unit):
        number = mmh3.hash(cbor2.dumps(salt + unit, canonical=True), signed=False) * count >> 32
        for border in {number, number + 1}:
            answer = fractional({}, salt + unit, ["in", border], ["out", count - border]) if 0 < border < count else None
            assert answer is None or (answer == "in") == (number < border)
        return number

    return number


def firebase(salt, unit):
    from firebase_admin.remote_config import _ConditionEvaluator

    hashed = _ConditionEvaluator.hash_seeded_randomization_id(None, f"{salt}.{unit}")
    return hashed % 100_000_000


def package(name, function):
    return f"{name} {version(name)} (PyPI), {function}"


def formula(text):
    return f"published formula: {text}"


SCHEMES = [
    ("growthbook/1", 1000, growthbook(1, 1000), package("growthbook", "gbhash")),
    ("growthbook/2", 10_000, growthbook(2, 10_000), package("growthbook", "gbhash")),
    ("optimizely/1", 10_000, optimizely, package("optimizely-sdk", "Bucketer._generate_bucket_value")),
    ("eppo/1", 10_000, eppo_shards(SALTS, 10_000), package("eppo-server-sdk", "shardValue of evaluation details")),
    ("eppo/1", 1_234_567, eppo_shards(SALTS, 1_234_567), package("eppo-server-sdk", "shardValue of evaluation details")),
    ("unleash/1", 100, unleash(0, 100), package("UnleashClient", "normalized_hash")),
    ("unleash-variants/1", 1000, unleash(86_028_157, 1000), package("UnleashClient", "normalized_hash")),
    ("unleash-variants/1", 7, unleash(86_028_157, 7), package("UnleashClient", "normalized_hash")),
    ("launchdarkly/1", 2**60, launchdarkly, package("launchdarkly-server-sdk", "_bucket_context agrees")),
    ("statsig/1", 10_000, statsig(10_000), formula("first 8 bytes of SHA-256 modulo 10000")),
    ("statsig/1", 1000, statsig(1000), formula("first 8 bytes of SHA-256 modulo 1000")),
    ("flagd/0", 100, flagd_daemon(100), formula("MurmurHash3 of salt and unit ID, times 100, of 2^32")),
    ("flagd/0", 2_147_483_647, flagd_daemon(2_147_483_647),
     formula("MurmurHash3 of salt and unit ID, times 2147483647, of 2^32")),
    ("flagd/1", 100, flagd(100), package("openfeature-flagd-core", "fractional agrees")),
    ("flagd/1", 2_147_483_647, flagd(2_147_483_647), package("openfeature-flagd-core", "fractional agrees")),
    ("flagd-text/1", 100, flagd_text(100), package("openfeature-flagd-core", "fractional agrees")),
    ("planout/1", 2**60, start_of_sha1, formula("first 15 hexadecimal digits of SHA-1")),
    ("firebase/1", 10**8, firebase, package("firebase-admin", "hash_seeded_randomization_id")),
]


def main():
    print('{"origin": "Benchmarks/peers/schemes.py", "schemes": [')
    for index, (scheme, resolution, number, source) in enumerate(SCHEMES):
        cases = [[salt, unit, number(salt, unit)] for salt in SALTS for unit in UNITS]
        head = {"scheme": scheme, "resolution": resolution, "source": source}
        rows = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
        print(json.dumps(head)[:-1] + ', "cases": [\n' + rows + "\n]}" + ("," if index + 1 < len(SCHEMES) else ""))
        print(scheme, "done", file=sys.stderr)
    print("]}")


main()
