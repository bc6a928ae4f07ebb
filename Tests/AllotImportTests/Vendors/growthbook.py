"""Random payloads of GrowthBook, decided by `growthbook`."""

import logging

import vendors
from growthbook import GrowthBook

logging.disable(logging.CRITICAL)

ATTRIBUTES = ["country", "plan", "email", "age", "beta", "app_version", "tags", "company", "id", "missing", "deep.value",
              "items", "deep.value.a"]
VALUES = [[True, False], ["red", "green", "blue"], [1, 2, 3.5], [{"a": 1}, {"a": 1, "b": {"c": [1]}}, {}],
          [None, "x", "y"], ["", "ü", "日本"]]
# Versions that GrowthBook, which compares text, and Allot put in the same order: of three numbers.
VERSIONS = ["0.0.0", "1.0.0", "1.0.0-alpha.1", "1.0.0-rc+5", "1.2.3", "v1.2.3", "1.10.0", "2.0.0", "2.0.0-beta.1", "10.0.0",
            "12345.0.0"]
# Literals only.
SHORT_VERSIONS = ["1", "1.2", "2.0"]
PATTERNS = ["@example\\.com$", "^u[0-4]", "^(DE|US)$", "pro|team", "e$", "^[A-Z]{2}$", "(", "\\d+", "straße"]


def literal(random, attribute):
    if attribute == "age":
        return random.choice(vendors.NUMBERS)
    if attribute == "beta":
        return random.choice([True, False])
    if attribute == "app_version":
        return random.choice(VERSIONS)
    pool = {"country": vendors.COUNTRIES, "plan": vendors.PLANS, "company": ["company-1", "company-2"],
            "tags": ["a", "b", "vip", 1, True]}
    if random.random() < 0.7 and attribute in pool:
        return random.choice(pool[attribute])
    return random.choice(vendors.WORDS + vendors.NUMBERS + [True, False, None])


def operators(random, attribute, depth=0):
    if random.random() < 0.1:
        return malformed(random)
    kind = random.randrange(18)
    some = [literal(random, attribute) for _ in range(random.choice([0, 1, 2, 3, 3]))]
    text = [value for value in some if isinstance(value, str)] or ["DE"]
    if kind < 3:
        return {random.choice(["$in", "$nin"]): some}
    if kind == 3:
        return {random.choice(["$ini", "$nini"]): some}
    if kind < 6:
        return {random.choice(["$lt", "$lte", "$gt", "$gte"]): literal(random, attribute)}
    if attribute == "app_version":
        name = random.choice(["$veq", "$vne", "$vlt", "$vlte", "$vgt", "$vgte"])
        return {name: random.choice(VERSIONS + SHORT_VERSIONS)}
    if kind < 8:
        return {random.choice(["$regex", "$regexi", "$notRegex", "$notRegexi"]): random.choice(PATTERNS)}
    if kind == 8:
        return {"$exists": random.choice([True, False])}
    if kind == 9:
        return {"$type": random.choice(["string", "number", "boolean", "array", "object", "null", "text"])}
    if kind == 10:
        return {"$size": random.choice([0, 1, 2, {"$gt": 1}, {"$lte": 2, "$ne": 0}])}
    if kind == 11:
        return {random.choice(["$all", "$alli"]): text if random.random() < 0.7 else some}
    if kind == 12 and depth < 2:
        return {"$elemMatch": operators(random, attribute, depth + 1)}
    if kind == 13 and depth < 2:
        return {"$not": operators(random, attribute, depth + 1)}
    if kind == 14:
        return {random.choice(["$inGroup", "$notInGroup"]): random.choice(["texts", "mixed", "typed", "absent", "empty", "adults"])}
    if kind == 15:
        return {"$elemMatch": random.choice([{"name": "a"}, {"name": {"$in": ["a", "b"]}, "n": {"$gt": 1}},
                                             {"$or": [{"name": "b"}, {"n": 2}]}, {"$not": {"name": "a"}}, {"n": None},
                                             {"$nor": [{"n": {"$lt": 2}}]}, {"deep.x": 1}, {}])}
    if kind == 16:
        first = operators(random, attribute, depth + 1)
        second = operators(random, attribute, depth + 1) if depth < 2 else {}
        return {**first, **second} if isinstance(first, dict) and isinstance(second, dict) else first
    return {random.choice(["$eq", "$ne"]): literal(random, attribute)}


def malformed(random):
    """Operators with values that they do not expect, and values that are no operators."""
    return random.choice([
        {}, {"$in": "DE"}, {"$nin": 5}, {"$ini": None}, {"$all": "a"}, {"$all": []}, {"$in": [[1], {"a": 1}]},
        {"$eq": [1]}, {"$ne": {"a": 1}}, {"$gt": True}, {"$lte": None}, {"$veq": None}, {"$vne": True},
        {"$regex": 5}, {"$notRegex": None}, {"$size": "1"}, {"$size": None}, {"$exists": 0}, {"$exists": "x"},
        {"$type": None}, {"$or": [{"a": 1}]}, {"$not": "DE"}, {"$not": {"$not": {"$exists": True}}},
        {"$eq": None}, {"$ne": None}, {"$nin": []}, {"$in": [None, True]}, {"a": 1}, {"a": {"$gt": 1}}, [1, 2], []])


def condition(random, depth=0):
    kind = random.randrange(10)
    if kind == 0 and depth < 2:
        return {random.choice(["$or", "$and", "$nor"]): [
            condition(random, depth + 1) for _ in range(random.choice([0, 1, 2, 2, 3]))]}
    if kind == 1 and depth < 2:
        return {"$not": condition(random, depth + 1)}
    if kind == 2:
        return {"$savedGroup": random.choice([
            {"id": "typed"}, {"id": "typed", "attributeKey": "country"}, {"id": "adults"}, {"id": "absent"}, {"id": "nested"},
            {"id": "texts"}, {"id": "mixed", "attributeKey": "tags"}, {"id": "unnamed"}])}
    result = {}
    for _ in range(random.choice([1, 1, 2])):
        attribute = random.choice(ATTRIBUTES)
        result[attribute] = literal(random, attribute) if random.random() < 0.4 else operators(random, attribute)
    return result


def fractions(random, count):
    borders = sorted(random.choice([random.random(), round(random.random(), 2)]) for _ in range(count + 1))
    if random.random() < 0.5:
        borders[0], borders[-1] = 0, 1
    return [[start, end] for start, end in zip(borders, borders[1:])]


def rule(random, values, parents):
    result = {}
    if random.random() < 0.55:
        result["condition"] = condition(random)
    if parents and random.random() < 0.25:
        parent, parent_values = random.choice(parents)
        value = random.choice(parent_values)
        test = random.choice([{"value": value}, {"value": {"$exists": True}}, {"value": {"$ne": value}},
                              {"value": {"$in": [v for v in parent_values if not isinstance(v, dict)]}}])
        if isinstance(value, dict):
            test = {"value": {"$exists": True}}
        others = [{"id": parent}, {"condition": test}, {"id": "no such feature", "condition": {"value": None}},
                  {"id": "no such feature", "condition": {"value": {"$exists": True}}},
                  {"id": parent, "condition": {"$not": test}}, {"id": parent, "condition": {}},
                  {"id": parent, "condition": {"$or": [test, {"value": {"$type": "string"}}]}},
                  {"id": parent, "condition": {"value.a": {"$gte": 1}}},
                  {"id": parent, "condition": {"value": {"$inGroup": "mixed"}}}]
        result["parentConditions"] = [{"id": parent, "condition": test}]
        if random.random() < 0.4:
            result["parentConditions"].insert(random.randrange(2), random.choice(others))
        for parent in result["parentConditions"]:
            if random.random() < 0.4:
                parent["gate"] = True
    if random.random() < 0.3:
        result["hashAttribute"] = random.choice(["company"] + ["id"] * 11)
    if random.random() < 0.7:
        result["hashVersion"] = random.choice([0, None, 3, 99] if random.random() < 0.1 else [1, 2])
    if random.random() < 0.4:
        result["seed"] = random.choice(["s1", "a-longer-seed", "ü", "", "same"])
    if random.random() < 0.25:
        result["filters"] = [
            {"seed": random.choice(["ns1", "ns2"]), "ranges": fractions(random, random.choice([1, 1, 2]))[::2],
             "attribute": "id", "hashVersion": random.choice([1, 2])} for _ in range(random.choice([0, 1, 1, 1, 2]))]
        for filter in result["filters"]:
            for name in ["attribute", "hashVersion"]:
                if random.random() < 0.2:
                    del filter[name]
            if random.random() < 0.1:
                filter["ranges"] += [[0.2, 0.3], [0.6, 0.1]]
    if random.random() < 0.45:
        result["force"] = random.choice([value for value in values if value is not None])
        kind = random.randrange(4)
        if kind == 0:
            result["coverage"] = random.choice([0, 1, 0.5, 0.1234, round(random.random(), 4), random.random(), -0.5, 1.5])
        elif kind == 1:
            result["range"] = random.choice([fractions(random, 1)[0], fractions(random, 1)[0], [0.7, 0.2], [-1, 2]])
        if random.random() < 0.15:
            # Without this it is refused: SDKs differ.
            result["fallbackAttribute"], result["disableStickyBucketing"] = "company", True
        if random.random() < 0.1:
            result["disableStickyBucketing"] = random.choice([True, False])
        if random.random() < 0.1:
            result["variations"], result["key"] = values * 2, "ignored"
        decorate(random, result)
        return result
    if random.random() < 0.05:
        decorate(random, result)
        return result
    count = random.choice([0, 1] if random.random() < 0.1 else [2, 2, 2, 3, 4])
    result["variations"] = [random.choice(values) for _ in range(count)]
    if random.random() < 0.95:
        result["key"] = random.choice(["exp-%d", "Exp %d", "ü%d"]) % random.randrange(20)
    if random.random() < 0.2:
        result["disableStickyBucketing"] = True
        result["fallbackAttribute"] = "company"
        result["minBucketVersion"] = 3
    if random.random() < 0.1:
        result["bucketVersion"], result["minBucketVersion"] = 2, 0
    if random.random() < 0.3:
        result["namespace"] = ["ns%d" % random.randrange(3)] + fractions(random, 1)[0]
    kind = random.randrange(4)
    if kind == 0:
        result["ranges"] = fractions(random, max(1, count + random.choice([-1, 0, 0, 0, 0, 1])))
        if random.random() < 0.2:
            result["ranges"] = [[0, 0.6], [0.3, 1], [0.2, 0.4], [0.9, 0.5]][:count]
    elif kind == 1:
        weights = [random.random() + 0.05 for _ in range(count)]
        result["weights"] = [weight / sum(weights) for weight in weights]
    elif kind == 2:
        result["weights"] = random.choice([
            [0.5] * count, [1 / max(count, 1)] * count, [0.1] * count, [1.2, -0.2], [0.3334, 0.3333, 0.3333], [], [1, 0],
            [0.495, 0.5], [0.51, 0.5]])
    if random.random() < 0.6:
        result["coverage"] = random.choice([1, 0.5, 0.9, random.random(), 0, -1, 2, None])
    if random.random() < 0.3:
        result["meta"] = [{"key": "v%d" % index, "name": "Variation %d" % index} for index in range(count)]
        if result["meta"] and random.random() < 0.3:
            random.choice(result["meta"])["passthrough"] = True
        if random.random() < 0.2:
            result["meta"] = result["meta"][:-1]
    decorate(random, result)
    return result


def decorate(random, result):
    """Members that change nothing."""
    if random.random() < 0.3:
        result["id"] = "fr_%d" % random.randrange(1000)
    if random.random() < 0.2:
        result["name"], result["phase"] = random.choice(["A name", "# 'x': \n \u2028"]), str(random.randrange(3))
    if random.random() < 0.1:
        result["metadata"] = {"projects": ["p"]}
    if random.random() < 0.05:
        result["tracks"] = []


def payload(random):
    features, parents = {}, []
    for number in range(12):
        key = random.choice(["flag-%d", "Flag %d", "flag.%d", "ü%d"]) % number
        values = random.choice(VALUES)
        features[key] = {
            "defaultValue": random.choice(values),
            "rules": [rule(random, values, parents) for _ in range(random.choice([0, 1, 1, 2, 3, 4]))],
        }
        if random.random() < 0.1:
            features[key]["metadata"] = {"tags": ["a"]}
        if random.random() < 0.05:
            del features[key][random.choice(["defaultValue", "rules"])]
        parents.append((key, values))
    return {
        "status": 200,
        "features": features,
        "savedGroups": {
            "texts": ["DE", "pro", "company-1"],
            "mixed": ["US", 5, 18, True, None, "1"],
            "typed": {"type": "list", "attributeKey": "plan", "values": ["pro", "team", 1]},
            "empty": [],
            "unnamed": {"type": "list", "values": ["DE"]},
            "nested": {"type": "condition", "condition": {"$or": [
                {"$savedGroup": {"id": "adults"}}, {"$nor": [{"$savedGroup": {"id": "typed"}}], "beta": True}]}},
            "adults": {"type": "condition", "condition": {"age": {"$gte": 18}, "$not": {"country": "FR"}}},
        },
    }


def users(random, payload):
    result = []
    for _ in range(50):
        person = vendors.attributes(random, unit="id", hostility=0.15)
        if random.random() < 0.1:
            person["id"] = random.randrange(1, 10**9)
        if random.random() < 0.3:
            person["deep"] = {"value": vendors.hostile(random)}
        person["app_version"] = random.choice(VERSIONS + [None])
        if random.random() < 0.3:
            person["items"] = [
                random.choice([{"name": "a"}, {"name": "b", "n": 2}, {"n": 0}, {}, None, "a", 1, {"deep": {"x": 1}}, []])
                for _ in range(random.randrange(4))]
        if not isinstance(person.get("company"), (str, type(None))):
            del person["company"]  # numbers such as 2.5 and 0 are not unit IDs in Allot
        result.append(vendors.without_unit(random, person, "id"))
    return result


def decide(payload, people):
    results = []
    for person in people:
        engine = GrowthBook(attributes=person, features=payload["features"], savedGroups=payload["savedGroups"])
        results.append({key: engine.eval_feature(key).value for key in payload["features"]})
    return results


if __name__ == "__main__":
    vendors.main(payload, users, decide)
