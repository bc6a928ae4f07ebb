#!/usr/bin/env python3
"""Asks the systems' own packages for the buckets of some unit IDs under some salts and writes them as JSON.

    python3 -m venv .build-peers && .build-peers/bin/pip install -r Benchmarks/peers/requirements.txt
    sudo apt-get install ruby-flipper ruby-rollout
    .build-peers/bin/python Benchmarks/peers/vectors.py > Benchmarks/Tests/PeerBucketingTests/Vectors/packages.json

No network is used. Each answer comes from the package's own code; where that gives a decision only, raising a
percentage finds the bucket.
"""
import collections.abc
import json
import math
import pathlib
import subprocess
import sys
from importlib.metadata import version

from eppo_shards import eppo_shards

SALTS = ["exp-1", "exp-9", "checkout-button", "2026-11-21", "1886780721"]
UNITS = [
    "1", "2", "007", "100000", "1e3", "a", "user-42", "maria.garcia17@example.com", "0f8fad5b-d9cb-469f-a165-70867728950e",
    "7c9e6679-7425-40de-944b-e07fc1f90ae7", "d290f1ee6c544b01", "a.b:c_d", "trailing ", "x" * 55, "y" * 64, "z" * 200,
]
OTHER_SCRIPTS = ["Zo\u00eb-7", "Zoe\u0308-7", "пользователь3", "用户42", "ユーザー１", "🦊12", "👩🏽‍💻/5"]
EVERY_UNIT = UNITS + OTHER_SCRIPTS


def first(count, accepts):
    """The first of the given number of buckets whose percentage lets the unit in."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if accepts(middle) else (middle + 1, high)
    return low


def growthbook(hash_version):
    from growthbook.core import gbhash

    count = 1000 if hash_version == 1 else 10000
    return lambda salt, unit: round(gbhash(salt, unit, hash_version) * count)


def planout():
    # PlanOut is of 2015 and looks for it where Python 3.10 no longer has it.
    collections.MutableMapping = collections.abc.MutableMapping
    from planout.assignment import Assignment
    from planout.ops.random import RandomFloat

    def bucket(salt, unit):
        params = Assignment(salt)
        params.variant = RandomFloat(min=0, max=1, unit=unit)
        return min(math.floor(params.variant * 1_000_000), 999_999)

    return bucket


def optimizely():
    from optimizely.bucketer import Bucketer

    return lambda salt, unit: Bucketer()._generate_bucket_value(f"{unit}{salt}")


def unleash(kind):
    from yggdrasil_engine.engine import UnleashEngine

    engines = {}

    def rollout(salt):
        return [
            {"name": f"{percent}", "type": "release", "enabled": True, "project": "p", "variants": [], "strategies": [
                {"name": "flexibleRollout", "constraints": [],
                 "parameters": {"rollout": f"{percent}", "stickiness": "userId", "groupId": salt}}]}
            for percent in range(1, 101)
        ]

    def variants(salt):
        return [{
            "name": salt, "type": "release", "enabled": True, "project": "p",
            "strategies": [{"name": "default", "constraints": [], "parameters": {}}],
            "variants": [
                {"name": f"{index}", "weight": 1, "stickiness": "userId", "overrides": []} for index in range(1000)
            ],
        }]

    def engine(salt):
        if salt not in engines:
            engines[salt] = UnleashEngine()
            features = rollout(salt) if kind == "rollout" else variants(salt)
            engines[salt].take_state(json.dumps({"version": 2, "features": features}))
        return engines[salt]

    def bucket(salt, unit):
        context = {"userId": unit}
        if kind == "rollout":
            return first(100, lambda index: engine(salt).check_enabled(f"{index + 1}", context).is_enabled)
        return int(engine(salt).check_variant(salt, context).variant.name)

    return bucket


def unleash_hash(normalizer, seed):
    from UnleashClient.utils import normalized_hash

    return lambda salt, unit: normalized_hash(unit, salt, normalizer, seed) - 1


def launchdarkly():
    from ldclient import Context
    from ldclient.impl.evaluator_common import _bucket_context

    # "flag key.salt.context key"; an experiment's seed takes the place of key and salt.
    return lambda salt, unit: min(
        math.floor(_bucket_context(None, Context.create(unit), None, salt, "c0ffee", None) * 100_000), 99_999)


def statsig(kind):
    from statsig.evaluator import _Evaluator
    from statsig.statsig_user import StatsigUser
    from statsig.utils import sha256_hash

    passes = _Evaluator._Evaluator__eval_pass_percentage
    evaluator = object.__new__(_Evaluator)

    def rollout(salt, unit):
        user = StatsigUser(unit)
        return first(10_000, lambda index: passes(
            evaluator, user, {"passPercentage": (index + 0.5) / 100, "salt": "rule"}, {"salt": salt}))

    # The evaluator reads the bucket inline: "salt.unit", modulo 1000.
    return rollout if kind == "rollout" else lambda salt, unit: sha256_hash(f"{salt}.{unit}") % 1000


def flagd():
    from openfeature.contrib.tools.flagd.core.targeting.custom_ops import fractional

    def bucket(salt, unit):
        data = {"targetingKey": unit, "$flagd": {"flagKey": salt}}
        return first(1_000_000, lambda index: fractional(data, ["in", index + 1], ["out", 999_999 - index]) == "in")

    return bucket


def ruby(pairs):
    script = pathlib.Path(__file__).with_name("ruby_gems.rb")
    answer = subprocess.run(["ruby", script], input=json.dumps(pairs), capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)


def system(name, package, function, units=EVERY_UNIT, bucket=None, buckets=None):
    pairs = [(salt, unit) for salt in SALTS for unit in units]
    buckets = buckets or [bucket(salt, unit) for salt, unit in pairs]
    cases = [{"salt": salt, "unit": unit, "bucket": number} for (salt, unit), number in zip(pairs, buckets)]
    print(name, "done", file=sys.stderr)
    return {"system": name, "package": package, "function": function, "cases": cases}


def python_package(name):
    return f"{name} {version(name)} (PyPI)"


def main():
    gems = ruby([(salt, unit) for salt in SALTS for unit in EVERY_UNIT])
    gem = lambda name: subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", f"ruby-{name}"], capture_output=True, text=True, check=True).stdout
    systems = [
        system("GrowthBook v1", python_package("growthbook"), "growthbook.core.gbhash", bucket=growthbook(1)),
        system("GrowthBook v2", python_package("growthbook"), "growthbook.core.gbhash", bucket=growthbook(2)),
        system("Flipper", f"ruby-flipper {gem('flipper')} (Debian)", "Flipper::Gates::PercentageOfActors#open?",
               buckets=gems["flipper"]),
        system("rollout (gem)", f"ruby-rollout {gem('rollout')} (Debian)",
               "Rollout::Feature#active? with randomize_percentage", buckets=gems["rollout"]),
        system("PlanOut", python_package("PlanOut"), "planout.ops.random.RandomFloat", units=UNITS, bucket=planout()),
        system("Optimizely", python_package("optimizely-sdk"), "optimizely.bucketer.Bucketer._generate_bucket_value",
               bucket=optimizely()),
        system("Unleash rollout", python_package("yggdrasil-engine"), "UnleashEngine.check_enabled, flexibleRollout",
               bucket=unleash("rollout")),
        system("Unleash rollout", python_package("UnleashClient"), "UnleashClient.utils.normalized_hash",
               bucket=unleash_hash(100, 0)),
        system("Unleash variants", python_package("yggdrasil-engine"), "UnleashEngine.check_variant",
               bucket=unleash("variants")),
        system("LaunchDarkly", python_package("launchdarkly-server-sdk"),
               "ldclient.impl.evaluator_common._bucket_context with the salt \"c0ffee\"", bucket=launchdarkly()),
        system("Statsig pass percentage", python_package("statsig"),
               "statsig.evaluator._Evaluator.__eval_pass_percentage with the rule's salt \"rule\"",
               bucket=statsig("rollout")),
        system("Statsig user bucket", python_package("statsig"), "statsig.utils.sha256_hash % 1000",
               bucket=statsig("bucket")),
        system("Eppo", python_package("eppo-server-sdk"), "EppoClient.get_string_assignment_details, shardValue",
               bucket=eppo_shards(SALTS, 10_000)),
        system("flagd", python_package("openfeature-flagd-core"),
               "openfeature.contrib.tools.flagd.core.targeting.custom_ops.fractional", bucket=flagd()),
    ]
    origin = "Buckets computed by the named packages themselves; Benchmarks/peers/vectors.py asks them."
    print('{"origin": ' + json.dumps(origin) + ', "systems": [')
    for index, entry in enumerate(systems):
        head = ", ".join(f"{json.dumps(key)}: {json.dumps(entry[key])}" for key in ("system", "package", "function"))
        cases = ",\n".join(json.dumps(case, ensure_ascii=False) for case in entry["cases"])
        print("{" + head + ', "cases": [\n' + cases + "\n]}" + ("," if index + 1 < len(systems) else ""))
    print("]}")


main()
