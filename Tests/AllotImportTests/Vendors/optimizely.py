"""Random datafiles of Optimizely, decided by `optimizely-sdk`."""

import json
import os
import sys

# This file has the name of the SDK's package.
sys.path = [path for path in sys.path if os.path.abspath(path or ".") != os.path.dirname(os.path.abspath(__file__))]
from optimizely import logger, optimizely  # noqa: E402
from optimizely.decision.optimizely_decide_option import OptimizelyDecideOption  # noqa: E402

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import vendors  # noqa: E402

ATTRIBUTES = ["country", "plan", "email", "age", "beta", "app_version", "company", "missing", "tags"]
TARGETS = ["1.2.3", "2.0", "2", "2.0.0", "1.10.0", "2.0.0-beta.1", "2.0.0-rc.2", "10", "0.0.1", "1.2.3.4", "2. 0", "v2"]
VERSIONS = ["2", "2.0", "2.0.5", "2.1", "01.2.3", "2.0.0-beta.1", "2.0.0-beta.2", "2.0.0-alpha", "2.0.0+b5", "v1.2.3", "",
            "1.2.3-rc", "2.0.0 ", "1.2.3.4", "2.", "10.0", "1.9.9", "1.10", "2.0.0-rc.1", "2.0.0-", "0", "00002.0"]


class Ids:
    def __init__(self):
        self.last = 100000

    def __call__(self):
        self.last += 7
        return str(self.last)


def leaf(random):
    name = random.choice(ATTRIBUTES)
    match = random.choice(["exact", "exact", "exists", "substring", "gt", "ge", "lt", "le", "semver_eq", "semver_gt",
                           "semver_ge", "semver_lt", "semver_le", None])
    result = {"name": name, "type": random.choice(["custom_attribute"] * 9 + ["other"])}
    if match:
        result["match"] = match
    if match in ("exact", None):
        result["value"] = random.choice(vendors.COUNTRIES + vendors.PLANS + vendors.NUMBERS + [True, False, "", None])
    elif match == "substring":
        result["value"] = random.choice(["a", "@example", "", "E", 5])
    elif match and match.startswith("semver"):
        result["name"] = random.choice([name, "app_version", "app_version", "app_version"])
        result["value"] = random.choice(TARGETS)
    elif match != "exists":
        result["name"] = random.choice([name, "age", "age"])
        result["value"] = random.choice(vendors.NUMBERS + ["5", True])
    return result


def tree(random, leaf, depth=0):
    if depth == 3 or random.random() < 0.4:
        return leaf()
    # Without an operator it is "or". At the first place of a list that is a list the SDK falls over, outside decisions.
    kind = random.choice(["and", "or", "not"] + ([""] if depth else []))
    parts = [tree(random, leaf, depth + 1) for _ in range(1 if kind == "not" else random.randrange(1, 4))]
    return ([kind] if kind else [] if isinstance(parts[0], (dict, str)) else ["or"]) + parts


def audiences(random, ids):
    result = []
    for _ in range(6):
        conditions = tree(random, lambda: leaf(random))
        result.append({"id": ids(), "name": "Audience", "conditions": json.dumps(conditions)})
    typed = [{"id": random.choice(result)["id"], "name": "Typed", "conditions": tree(random, lambda: leaf(random))}]
    return result, typed


def allocation(random, entities, whole=False):
    result, end = [], 0
    for entity in entities:
        end = min(10000, end + random.choice([0, 1, 500, 2500, 5000, 10000]))
        if random.random() < 0.1:
            result.append({"entityId": "", "endOfRange": end})
            end = min(10000, end + 1000)
        result.append({"entityId": entity, "endOfRange": end})
    if whole and result:
        result[-1]["endOfRange"] = 10000
    return result


def experiment(random, ids, key, people, variables=(), status=None):
    variations = []
    for index in range(random.randrange(1, 4)):
        variation = {"id": ids(), "key": "variation_%d" % index}
        if variables is not None:
            variation["featureEnabled"] = random.random() < 0.7
            variation["variables"] = [{"id": one["id"], "value": random.choice(one["values"])} for one in variables
                                      if random.random() < 0.7]
        variations.append(variation)
    result = {
        "id": ids(), "layerId": ids(), "key": key, "status": status or random.choice(["Running"] * 5 + ["Paused"]),
        "variations": variations, "forcedVariations": {},
        "trafficAllocation": allocation(random, [one["id"] for one in variations], random.random() < 0.5),
        "audienceIds": [],
    }
    if random.random() < 0.5:
        result["audienceIds"] = random.sample(people, random.choice([1, 1, 2]))
    if random.random() < 0.3:
        result["audienceConditions"] = tree(random, lambda: random.choice(people + ["unknown"] if random.random() < 0.1
                                                                         else people))
        if isinstance(result["audienceConditions"], str):
            result["audienceConditions"] = [result["audienceConditions"]]
    if random.random() < 0.2:
        result["forcedVariations"] = {"user-7": "variation_0", "ü": "variation_1", "7": "nothing"}
    return result


VARIABLES = {"boolean": ["true", "false"], "integer": ["1", "-7", "12345678901"], "double": ["1.5", "2", "-0.25"],
             "string": ["", "ü", "true"], "json": ['{"a": {"b": 1}}', "[1, null]", "{}"]}


def payload(random):
    ids = Ids()
    groups_of_people, typed = audiences(random, ids)
    people = [one["id"] for one in groups_of_people]
    features, rollouts, experiments, groups, holdouts, local = [], [], [], [], [], []
    loose = []
    for index in range(8):
        variables = []
        for name in random.sample(list(VARIABLES), random.randrange(0, 4)):
            variables.append({"id": ids(), "key": name + "_v", "type": "string" if name == "json" else name,
                              "defaultValue": VARIABLES[name][0], "values": VARIABLES[name]})
            if name == "json":
                variables[-1]["subType"] = "json"
        rules = [experiment(random, ids, "rule_%d_%d" % (index, number), people, variables, "Running")
                 for number in range(random.randrange(0, 4))]
        tests = [experiment(random, ids, "test_%d_%d" % (index, number), people, variables)
                 for number in range(random.choice([0, 1, 1, 2]))]
        for test in tests:
            if random.random() < 0.2:
                test["type"] = random.choice(["td", "ab"] + (["fr"] if rules else []))
            if random.random() < 0.3:
                loose.append(test)
            else:
                experiments.append(test)
        if random.random() < 0.1 and tests + rules:
            holdout = experiment(random, ids, "local_%d" % index, people, [], "Running")
            holdout["includedRules"] = [random.choice(tests + rules)["id"]]
            for variation in holdout["variations"]:
                variation["featureEnabled"] = False
            local.append(holdout)
        rollout = {"id": ids(), "experiments": rules}
        rollouts.append(rollout)
        features.append({"id": ids(), "key": random.choice(["feature_%d", "Feature %d"]) % index,
                         "experimentIds": [one["id"] for one in tests],
                         "rolloutId": rollout["id"] if random.random() < 0.9 else "",
                         "variables": [{key: value for key, value in one.items() if key != "values"}
                                       for one in variables]})
    for index in range(3):
        one = experiment(random, ids, "plain_%d" % index, people, None)
        (loose if random.random() < 0.3 else experiments).append(one)
    if loose:
        groups.append({"id": ids(), "policy": random.choice(["random", "random", "overlapping"]), "experiments": loose,
                       "trafficAllocation": allocation(random, [one["id"] for one in loose])})
    for index in range(random.choice([0, 1, 1, 2])):
        holdout = experiment(random, ids, "holdout_%d" % index, people, [],
                             random.choice(["Running"] * 3 + ["Draft", "Concluded", "Archived"]))
        for name in ["includedFlags", "excludedFlags"]:
            if random.random() < 0.3:
                holdout[name] = [one["id"] for one in random.sample(features, random.randrange(3))]
        holdout["trafficAllocation"] = allocation(random, [one["id"] for one in holdout["variations"]][:1])
        for variation in holdout["variations"]:
            variation["featureEnabled"] = False
        if random.random() < 0.5:
            holdout["excludeTargetedDeliveries"] = True
        holdouts.append(holdout)
    return {"version": "4", "rollouts": rollouts, "typedAudiences": typed, "anonymizeIP": True, "projectId": "1",
            "variables": [], "featureFlags": features, "experiments": experiments, "audiences": groups_of_people,
            "groups": groups, "attributes": [{"id": ids(), "key": name} for name in ATTRIBUTES], "botFiltering": False,
            "accountId": "2", "events": [], "revision": "3", "holdouts": holdouts, "localHoldouts": local}


def users(random, document):
    people = []
    for _ in range(50):
        person = vendors.attributes(random)
        if random.random() < 0.5:
            person["app_version"] = random.choice(VERSIONS)
        if random.random() < 0.05:
            person["user_id"] = random.choice(["user-7", "ü", "7"])
        people.append(person)
    return people


class Silent:
    @staticmethod
    def dispatch_event(event):
        pass


def decide(document, people):
    client = optimizely.Optimizely(datafile=json.dumps(document), event_dispatcher=Silent, logger=logger.NoOpLogger())
    if not client.is_valid:
        sys.exit("the SDK refuses the datafile")
    attached = {one for feature in document["featureFlags"] for one in feature["experimentIds"]}
    plain = document["experiments"] + [one for group in document["groups"] for one in group["experiments"]]
    plain = [one["key"] for one in plain if one["id"] not in attached]
    result = []
    for person in people:
        attributes = {name: value for name, value in person.items() if name != "user_id"}
        values = {}
        try:
            context = client.create_user_context(person["user_id"], attributes)
            for key, decision in context.decide_all([OptimizelyDecideOption.DISABLE_DECISION_EVENT]).items():
                values[key] = decision.enabled
                for name, value in decision.variables.items():
                    values["%s.%s" % (key, name)] = value
            for key in plain:
                values[key] = client.get_variation(key, person["user_id"], attributes)
        except ValueError:  # It reads a pre-release as a number.
            values = None
        result.append(values)
    return result


vendors.main(payload, users, decide)
