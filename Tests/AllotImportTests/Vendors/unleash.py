"""Random payloads of Unleash, decided by the engine of `UnleashClient`."""

import datetime
import json

import vendors
from UnleashClient._context import BASE_CONTEXT_FIELDS
from yggdrasil_engine.engine import UnleashEngine

FIELDS = ["country", "plan", "email", "age", "app_version", "company", "missing", "environment", "appName"]
GROUPS = ["", "g", "checkout", "ü", "a b", "x" * 100, "Feature.1"]
PATTERNS = ["@example\\.com", "^u[0-4]", "^(DE|US)$", "^[A-Z]{2}$", "pro|team", "\\d", "^\\w+$", "", "e$"]
ADDRESSES = ["127.0.0.1", "10.1.2.3", "10.0.0.1", "::1", "2001:db8::5", "192.168.7.9", "::ffff:10.0.0.1", "bad", "10.0.0.01"]
NETWORKS = ["10.0.0.0/8", "10.0.0.5/08", "127.0.0.1", "2001:DB8::/+32", "::1", "10.0.0.0/33", "192.168.7.9/255", "bad", "0.0.0.0/0"]


def instant(random):
    now = datetime.datetime.now(datetime.timezone.utc)
    return (now + datetime.timedelta(hours=random.choice([-5000, -50, -5, 5, 50]))).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def constraint(random):
    field = random.choice(FIELDS + ["userId", "sessionId"])
    operator = random.choice(["IN", "NOT_IN", "IN", "NOT_IN", "STR_CONTAINS", "STR_STARTS_WITH", "STR_ENDS_WITH", "REGEX",
                              "NUM_EQ", "NUM_GT", "NUM_GTE", "NUM_LT", "NUM_LTE", "DATE_AFTER", "DATE_BEFORE", "IN_CIDR",
                              "SEMVER_EQ", "SEMVER_GT", "SEMVER_GTE", "SEMVER_LT", "SEMVER_LTE"])
    result = {"contextName": field, "operator": operator}
    if operator in ("IN", "NOT_IN"):
        pool = vendors.COUNTRIES + vendors.PLANS + vendors.WORDS + [str(n) for n in vendors.NUMBERS] + ["production"]
        result["values"] = [random.choice(pool) for _ in range(random.choice([0, 1, 2, 3, 10]))]
    elif operator.startswith("STR"):
        result["values"] = [random.choice(["a", "DE", "pro", "e", "@", "@example.com", "ÅX", "SS", "", "5", "x"])
                            for _ in range(random.choice([1, 1, 2, 3]))]
        if random.random() < 0.02:
            result["values"] = []
    elif operator == "IN_CIDR":
        result["contextName"] = random.choice([field, "remoteAddress", "remoteAddress"])
        result["values"] = random.sample(NETWORKS, random.choice([0, 1, 1, 2, 3]))
    elif operator == "REGEX":
        result["value"] = random.choice(PATTERNS)
    elif operator.startswith("NUM"):
        result["contextName"] = random.choice([field, "age", "age"])
        result["value"] = random.choice(["18", "5", "2.5", "-1", "1", "0", "+2", "1e2", "5.", " 5 ", ".5"])
    elif operator.startswith("DATE"):
        result["contextName"] = "currentTime"
        result["value"] = instant(random)
    else:
        result["contextName"] = random.choice([field, "app_version", "app_version"])
        result["value"] = random.choice(["1.2.3", "2.0.0", "2.0.0-rc.1", "1.10.0", "1.2.3+build.5"])
    if random.random() < 0.01:
        result["value"] = "abc"
    if random.random() < 0.02:
        # Other members, and missing ones, as other kinds of constraints have them.
        result["values"] = result.get("values", [])
        result.pop("value", None) if operator in ("REGEX", "NUM_GT", "SEMVER_EQ") else result.setdefault("value", "5")
    if random.random() < 0.2:
        result["inverted"] = True
    if random.random() < 0.2:
        result["caseInsensitive"] = True
    return result


def variants(random, prefix):
    result = []
    for index in range(random.randrange(1, 5)):
        variant = {"name": "%s%d" % (prefix, index), "weight": random.choice([0, 1, 33, 50, 100, 333, 1000])}
        if random.random() < 0.5:
            variant["payload"] = random.choice([{"type": "string", "value": "val ü"}, {"type": "number", "value": "1.25"},
                                                {"type": "json", "value": '{"a": [1, {"b": null}]}'},
                                                {"type": "csv", "value": "a,b"}])
        result.append(variant)
    if not any(variant["weight"] for variant in result):
        result[0]["weight"] = 1
    return result


def strategy(random):
    kind = random.randrange(13)
    if kind == 12:
        return random.choice([{"name": "gradualRolloutRandom", "parameters": {"percentage": random.choice(["0", "100"])}},
                              {"name": "flexibleRollout", "parameters": {"rollout": "100", "stickiness": "random"}},
                              {"name": "default"}])
    if kind < 7:
        parameters = {"rollout": str(random.choice([0, 1, 10, 50, 50, 90, 100])),
                      "stickiness": random.choice(["default", "default", "userId", "sessionId", "company", "environment"])}
        if random.random() < 0.8:
            parameters["groupId"] = random.choice(GROUPS)
        if random.random() < 0.03:
            parameters["rollout"] = random.choice(["abc", "101", "50.5", "+50", "", "050"])
        result = {"name": "flexibleRollout", "parameters": parameters}
    elif kind == 7:
        result = {"name": "userWithId", "parameters": {"userIds": random.choice(["1, 2,user-5", "7", "", "a, b"])}}
    elif kind == 8:
        result = {"name": "gradualRollout" + random.choice(["UserId", "SessionId"]),
                  "parameters": {"percentage": str(random.randrange(101)), "groupId": random.choice(GROUPS)}}
    elif kind == 9:
        result = {"name": "remoteAddress", "parameters": {"IPs": random.choice(
            ["127.0.0.1", "10.0.0.0/8", "10.0.0.1, 2001:db8::/32", "::1", "bad", "10.0.0.5/8,bad"])}}
    else:
        result = {"name": "default", "parameters": {}}
    if random.random() < 0.4:
        result["constraints"] = [constraint(random) for _ in range(random.choice([1, 1, 2]))]
    if random.random() < 0.15:
        result["segments"] = random.sample([1, 2, 3], random.choice([1, 2]))
        if random.random() < 0.05:
            result["segments"].append(99)
    if random.random() < 0.2:
        result["variants"] = [dict(variant, stickiness="default") for variant in variants(random, "s")]
    return result


def payload(random):
    features = []
    for index in range(12):
        feature = {"name": random.choice(["Feature.%d", "checkout %d", "f%d"]) % index, "type": "release",
                   "enabled": random.random() < 0.95, "project": "default",
                   "strategies": [strategy(random) for _ in range(random.choice([0, 1, 1, 1, 2, 3]))]}
        if random.random() < 0.4:
            feature["variants"] = variants(random, "v")
            stickiness = random.choice(["default", "default", "userId", "company"])
            for variant in feature["variants"]:
                variant["stickiness"] = stickiness
            if random.random() < 0.4:
                feature["variants"][0]["overrides"] = [{"contextName": random.choice(["userId", "country"]),
                                                        "values": ["DE", "user-5", "7"]}]
        if random.random() < 0.2:
            feature.update(description="Feature %d" % index, stale=True, impressionData=False)
        for parent in random.sample(features, min(len(features), random.choice([0, 0, 0, 0, 0, 0, 0, 1, 1, 2]))):
            dependency = {"feature": parent["name"] if random.random() < 0.95 else "absent"}
            if random.random() < 0.2:
                dependency["enabled"] = random.choice([True, False, False])
            elif random.random() < 0.4 and stickiness_of(parent) == "default":
                dependency["variants"] = ["v0", "s1", "disabled"][:random.randrange(1, 4)]
            feature.setdefault("dependencies", []).append(dependency)
        features.append(feature)
    segments = [{"id": index, "name": "Segment %d" % index,
                 "constraints": [constraint(random) for _ in range(index - 1)]} for index in (1, 2, 3)]
    return {"version": 2, "features": features, "segments": segments}


def stickiness_of(feature):
    found = feature.get("variants", [])
    return found[0].get("stickiness", "default") if found else "default"


def users(random, document):
    people = []
    for _ in range(50):
        person = vendors.attributes(random, unit="userId")
        if random.random() < 0.4:
            person["sessionId"] = vendors.unit_id(random)
            if random.random() < 0.4:
                del person["userId"]
        elif random.random() < 0.1:
            del person["userId"]
        if random.random() < 0.8:
            person["environment"] = random.choice(["production", "development"])
        if random.random() < 0.5:
            person["appName"] = random.choice(["shop", "DE"])
        if random.random() < 0.5:
            person["remoteAddress"] = random.choice(ADDRESSES)
        # A context holds text only, and no empty ID.
        people.append({name: value if isinstance(value, str) else json.dumps(value)
                       for name, value in person.items() if value is not None and not isinstance(value, (list, dict))
                       and (value or name not in ("company", "environment"))})
    return people


def is_random(document, feature, person):
    """Whether a rollout or variants of the feature are hashed by the first ID, and the person has none."""
    if "userId" in person or "sessionId" in person:
        return False
    hashing = [one for one in feature["strategies"] if one["name"] == "flexibleRollout" or one.get("variants")]
    found = [one["parameters"].get("stickiness", "default") for one in hashing]
    if feature.get("variants"):
        found.append(stickiness_of(feature))
    parents = [one["feature"] for one in feature.get("dependencies") or []]
    return "default" in found or any(
        is_random(document, one, person) for one in document["features"] if one["name"] in parents)


def value(payload):
    """JSON and numbers as such, and all else as text."""
    try:
        return json.loads(payload["value"]) if payload["type"] in ("json", "number") else payload["value"]
    except ValueError:
        return payload["value"]


def settings(engine, feature, person):
    name = feature["name"]
    context = {field: value for field, value in person.items() if field in BASE_CONTEXT_FIELDS}
    context["properties"] = {field: value for field, value in person.items() if field not in BASE_CONTEXT_FIELDS}
    context["currentTime"] = datetime.datetime.now(datetime.timezone.utc).isoformat()
    result = {name: engine.is_enabled(name, context).is_enabled}
    stickiness = stickiness_of(feature)
    if stickiness != "default" and stickiness not in person:
        return result  # Its variant is random.
    if any(one.get("variants") and one["parameters"].get("stickiness", "default") not in ("default", *person)
           for one in feature["strategies"]):
        return result
    variant = engine.get_variant(name, context).variant
    payload = variant.payload if variant.enabled else None
    result[name + ".variant"] = variant.name if variant.enabled else None
    result[name + ".payload"] = payload and value(payload)
    return result


def decide(document, people):
    engine = UnleashEngine()
    engine.take_state(json.dumps(document))
    result = []
    for person in people:
        values = {}
        for feature in document["features"]:
            if not is_random(document, feature, person):
                values.update(settings(engine, feature, person))
        result.append(values)
    return result


vendors.main(payload, users, decide)
