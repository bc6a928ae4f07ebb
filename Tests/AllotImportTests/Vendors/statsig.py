"""Statsig: statsig-python-core decides from the specs of /v2/download_config_specs."""

import json
import time

from statsig_python_core import DataStore, DataStoreResponse, Statsig, StatsigOptions, StatsigUser

import vendors

COUNTRIES = ["DE", "FR", "us", "Türkiye", "日本"]
EMAILS = ["a@example.com", "B@EXAMPLE.COM", "c@example.org", "ü@test.de", "straße@x.de", ""]
VERSIONS = ["1.0.0", "1.2.3", "1.2", "2", "2.0.0-beta.1", "10.0.1", "1.2.3.4", "1.2.3-rc", "v1.2.3", "two", "",
            "2026.01.15", "1.02.3", "4.05", "1.2.3-beta_3", "1.2.3-", "1.2.3-01", "1.2.3.4.5.6.7", "1.2.3+4", "1..2", "1.2.0.0",
            "1.", "-1", "1.1.x", "0", "1.2.x", "1.2-x"]
NUMBERS = [0, 1, 5, 5.0, 5.5, -1, 18, 1000, 1e20, 0.25]
TEXTS = ["pro", "Pro", "free", "5", "5.5", "5.0", "true", "True", "", " ", "x" * 300, "🙂", "null", "e\u0301"]
TIMES = [1767225600, 1767225600000, "1767225600000", "2026-01-01T00:00:00Z", 0, 1790000000, 1790000000000,
         "2026-01-01T00:00:00+01:00", "2026-01-01T00:00:00.5Z", "soon", ""]
PATTERNS = ["^a", "@example\\.(com|org)$", "\\d", "(?i)^B@", "\\w+@", "^\\S*$", "o{1,2}", "[^a-z]"]
# One way to write each custom field, with its type: Statsig searches numbers as text, which Allot does not.
FIELDS = {"plan": "text", "level": "any", "seats": "number", "betaTester": "any", "since": "time", "build": "version",
          "tags": "list"}
HOUR = 3_600_000


KNOWN = {"email": "email", "country": "country", "appVersion": "app_version", "ip": "ip", "locale": "locale",
         "userAgent": "user_agent"}


def condition(random, gates, experiments=()):
    found = any_condition(random, gates, experiments)
    if isinstance(found["targetValue"], list) and "array" not in found["operator"] and random.random() < 0.4:
        # Version 2 writes lists as maps, of which the names count.
        found["targetValue"] = {str(value): random.choice([True, True, False]) for value in found["targetValue"]}
    return found


def any_condition(random, gates, experiments):
    def some(values, count=3):
        return random.sample(values, min(len(values), random.randint(1, count)))

    base = {"targetValue": None, "operator": None, "field": None, "additionalValues": {}, "isDeviceBased": False,
            "idType": "userID"}
    kind = random.randrange(16)
    if kind == 0:
        if random.random() < 0.3:
            return {**base, "type": "target_app", "operator": random.choice(["any", "none"]),
                    "targetValue": some(["app-1", "app-2"], 2)}
        return {**base, "type": "public"}
    if kind == 1 and gates:
        return {**base, "type": random.choice(["pass_gate", "fail_gate"]), "targetValue": random.choice(gates)}
    if kind == 2:
        target = random.choice([random.randint(0, 1000), random.randint(0, 1000), 500.5, "250"])
        operator = random.choice(["lt", "gte", "lte", "gt"])
        if random.random() < 0.3:
            start = random.randint(0, 1000)
            target = [random.choice([int, str])(value) for value in range(start, random.randint(start, 1000))]
            operator = random.choice(["any", "none", "any_case_sensitive"])
        return {**base, "type": "user_bucket", "operator": operator, "targetValue": target,
                "additionalValues": {"salt": "salt%d" % random.randrange(5)},
                "idType": random.choice(["userID", "userID", "companyID"])}
    if kind == 3:
        return {**base, "type": "unit_id", "operator": random.choice(["any", "none", "any_case_sensitive"]),
                "idType": random.choice(["userID", "userid", "companyID"]),
                "targetValue": some(["user-1", "acme", "ACME", "5", 5, "ünal", ""])}
    if kind == 4:
        now = int(time.time() * 1000)
        target = now + random.choice([-100, -5, 5, 100]) * HOUR
        if random.random() < 0.2:
            # Not within a day that begins or ends while this runs.
            return {**base, "type": "current_time", "operator": "on", "targetValue": now + random.choice([-72, 72]) * HOUR}
        return {**base, "type": "current_time", "operator": random.choice(["before", "after"]),
                "targetValue": random.choice([target, target, str(target)])}
    if kind == 5:
        return {**base, "type": "environment_field", "field": random.choice(["tier", "tier", "region"]),
                "operator": random.choice(["any", "none", "any_case_sensitive", "str_contains_any"]),
                "targetValue": some(["production", "staging", "Production", "eu", ""], 2)}
    if kind == 6:
        return {**base, "type": "user_field", "field": random.choice(["appVersion", "app_version", "build"]),
                "operator": "version_" + random.choice(["gt", "gte", "lt", "lte", "eq", "neq"]),
                "targetValue": random.choice(["1.2.3", "1.2", "2.0.0-beta.1", "10", "1.2.3.4", "0", "1.2.3-rc", "01.2", "5.0",
                                               "1.2.0.0", "1.0.3", "2026.1.15"])}
    if kind == 7:
        field = random.choice(["email", "userID", "ip", "user_agent", "locale"])
        return {**base, "type": "user_field", "field": field, "operator": random.choice(
            ["str_starts_with_any", "str_ends_with_any", "str_contains_any", "str_contains_none"]),
            "targetValue": some(["a@", "@EXAMPLE.com", "ÜB", "e", "ü", "STRAße", "@"] + [""] * (random.random() < 0.1))}
    if kind == 8:
        return {**base, "type": "user_field", "field": random.choice(["email", "email", "plan"]),
                "operator": "str_matches", "targetValue": random.choice(PATTERNS)}
    if kind == 9:
        return {**base, "type": "user_field", "field": random.choice(["seats", "level"]),
                "operator": random.choice(["gt", "gte", "lt", "lte"]), "targetValue": random.choice([0, 5, "5", 5.5, -1, 18])}
    if kind == 10:
        return {**base, "type": "user_field", "field": "since", "operator": random.choice(["before", "after", "on"]),
                "targetValue": random.choice([1767225600000, "1790000000000", 1767225600500, "2026-01-01T00:00:00Z"])}
    if kind == 11:
        return {**base, "type": "user_field", "field": "tags", "operator": random.choice(
            ["array_contains_any", "array_contains_none", "array_contains_all", "not_array_contains_all"]),
            "targetValue": some(["a", "b", "A", "5", 5, "true", ""], 3)}
    if kind == 14 and experiments:
        return {**base, "type": "experiment_group", "field": random.choice(experiments),
                "operator": random.choice(["any", "none", "any_case_sensitive"]),
                "targetValue": some(["Group 0", "group 1", "Group 2", "group0", "Control"], 2)}
    if kind == 15:
        # A target of another type than the operator takes.
        return {**base, "type": "user_field", "field": random.choice(["plan", "email", "seats", "tags"]),
                "operator": random.choice(["any", "none", "str_contains_any", "str_contains_none", "str_matches", "gt", "lte",
                                           "version_gt", "version_neq", "before", "on", "array_contains_any",
                                           "array_contains_none", "not_array_contains_all"]),
                "targetValue": random.choice([None, "pro", 5, True, [], ["5"], {"a": 1}])}
    if kind == 12:
        return {**base, "type": "user_field", "field": random.choice(["level", "betaTester", "seats", "plan"]),
                "operator": random.choice(["eq", "neq"]),
                "targetValue": random.choice([5, "5", True, "true", "pro", None, "", 5.5, "Pro"])}
    field = random.choice(["country", "plan", "level", "betaTester", "Email", "user_id", "ip", "locale"])
    return {**base, "type": "user_field", "field": field,
            "operator": random.choice(["any", "none", "any_case_sensitive", "none_case_sensitive"]),
            "targetValue": some(COUNTRIES + TEXTS + ["A@example.com", 5, True])}


def rule(random, gates, value, index, kinds=2, experiments=()):
    result = {
        "name": "rule %d" % index, "id": "id%d" % random.randrange(10**6), "returnValue": value,
        "passPercentage": random.choice([100, 100, 100, 0, 50, 12.345, round(random.uniform(0, 100), 2)]),
        "conditions": [condition(random, gates, experiments) for _ in range(random.randint(1, kinds))],
        "idType": random.choice(["userID", "userID", "userID", "companyID"]),
    }
    if random.random() < 0.8:
        result["salt"] = "rule%d" % random.randrange(10**6)
    return result


def groups(random, values):
    """The rules of an experiment: groups by the bucket of a user."""
    salt = "exp%d" % random.randrange(10**6)
    unit = random.choice(["userID", "userID", "companyID"])
    found = []
    limit = 0
    for index, value in enumerate(values):
        limit = 1000 if index == len(values) - 1 and random.random() < 0.8 else random.randint(limit, 1000)
        found.append({
            "name": "group%d" % index, "groupName": "Group %d" % index, "id": "group%d" % index, "salt": "",
            "passPercentage": 100, "idType": unit, "returnValue": value, "isExperimentGroup": True,
            "conditions": [{"type": "user_bucket", "operator": "lt", "targetValue": limit, "field": None,
                            "additionalValues": {"salt": salt}, "idType": unit, "isDeviceBased": False}],
        })
    return found


def payload(random):
    gates, configs, layers = {}, {}, {}

    def spec(entity, rules, default, **more):
        return {"type": "feature_gate" if entity in ("feature_gate", "segment", "holdout") else "dynamic_config",
                "salt": "spec%d" % random.randrange(10**6), "enabled": True, "defaultValue": default, "rules": rules,
                "entity": entity, "idType": "userID", "isActive": True, "hasSharedParams": False, **more}

    for index in range(random.randint(0, 2)):
        gates["segment:s%d" % index] = spec("segment", [rule(random, [], True, 0)], False)
    if random.random() < 0.5:
        gates["holdout"] = spec("holdout", [{**groups(random, [True])[0], "passPercentage": 100}], False)
    for index in range(random.randint(2, 4)):
        known = list(gates) + ["nowhere"]
        gates["gate_%d" % index] = spec(
            "feature_gate", [rule(random, known, random.random() < 0.95, place) for place in range(random.randint(0, 3))],
            random.random() < 0.05)
    values = [{"color": "red"}, {"color": "blue", "size": 2}, {}, {"deep": {"a": [1, "x"]}, "flag": True}]
    for index in range(random.randint(1, 2)):
        rules = [rule(random, list(gates), random.choice(values), place, experiments=["Experiment 0", "Experiment 1"])
                 for place in range(random.randint(1, 3))]
        configs["config_%d" % index] = spec("dynamic_config", rules, random.choice(values))
    for index in range(random.randint(1, 3)):
        rules = [rule(random, list(gates), random.choice(values), 0)] if random.random() < 0.4 else []
        if rules and random.random() < 0.5:
            rules[0]["groupName"] = "Control"
        rules += groups(random, random.sample(values, random.randint(2, 3)))
        configs["Experiment %d" % index] = spec(
            "experiment", rules, random.choice(values), explicitParameters=["color"], hasSharedParams=True)
    for index in range(random.randint(0, 2)):
        rules = []
        for place, name in enumerate(random.sample(sorted(configs), min(2, len(configs)))):
            delegating = rule(random, list(gates), random.choice(values), place)
            if name.startswith("Experiment"):
                delegating["configDelegate"] = name
            rules.append(delegating)
        layers["layer_%d" % index] = spec("layer", rules, random.choice(values))
    conditions = {}
    for specs in (gates, configs, layers):
        for found in specs.values():
            for item in found["rules"]:
                names = []
                for part in item["conditions"]:
                    name = "c%d" % len(conditions)
                    conditions[name] = part
                    names.append(name)
                item["conditions"] = names
    return {"has_updates": True, "time": 1700000000000, "company_id": "company", "response_format": "dcs-v2",
            "feature_gates": gates, "dynamic_configs": configs, "layer_configs": layers,
            "condition_map": conditions, "layers": {}, "experiment_to_layer": {}, "id_lists": {}, "sdk_configs": {},
            "sdk_flags": {}, "diagnostics": {}, "app_id": "app-1"}


def users(random, payload):
    # The SDK finds null among texts at random, about one time in 128, if an empty one is among them.
    targets = [part["targetValue"] for part in payload["condition_map"].values() if "array" in str(part["operator"])]
    searches_empty = any("" in target for target in targets if isinstance(target, list))
    found = []
    for _ in range(100):
        user = {"userID": vendors.unit_id(random) if random.random() < 0.9 else random.choice(["user-1", "5", "acme"])}

        def maybe(name, values, odds=0.7):
            if random.random() < odds:
                user[name] = random.choice(values)

        maybe("email", EMAILS)
        maybe("country", COUNTRIES + [""])
        maybe("ip", ["1.2.3.4", "::1", "", "a@"])
        maybe("locale", ["de_DE", "en", "DE", ""])
        maybe("userAgent", ["Mozilla/5.0 (X11; Linux) e@", "e", ""])
        maybe("appVersion", VERSIONS)
        maybe("companyID", ["acme", "company-1", "Ünal", "5", "x" * 200, ""])
        maybe("plan", TEXTS + [True, False])
        maybe("level", TEXTS + NUMBERS + [True, False, ["pro"], None, []])
        maybe("seats", NUMBERS + ["5", "18", "abc", True])
        maybe("betaTester", [True, False, "true", "True", 1, "5", None, 5])
        maybe("since", TIMES)
        maybe("build", VERSIONS)
        maybe("tags", [["a"], ["a", "b"], [], [5], ["5"], [True], ["A"], "a", [None, "b"], ["", 5.5]])
        if [None, "b"] == user.get("tags") and searches_empty:
            del user["tags"]
        if random.random() < 0.7:
            user["statsigEnvironment"] = {"tier": random.choice(["production", "staging", "Production", ""])}
            if random.random() < 0.3:
                user["statsigEnvironment"]["region"] = random.choice(["eu", "EU", "us"])
        found.append(vendors.without_unit(random, user, "userID"))
    return found


class Store(DataStore):
    """Hands the SDK the payload, so that it needs no network."""

    def __new__(cls, *arguments):
        return super().__new__(cls)

    def __init__(self, document):
        super().__init__()
        self.document = document

    def get(self, key):
        if "config_specs" in key:
            return DataStoreResponse(result=json.dumps(self.document), time=self.document["time"])
        return None

    def support_polling_updates_for(self, key):
        return False


def statsig_user(attributes):
    custom = {name: value for name, value in attributes.items() if name in FIELDS}
    more = {argument: attributes[name] for name, argument in KNOWN.items() if name in attributes}
    if "companyID" in attributes:
        more["custom_ids"] = {"companyID": attributes["companyID"]}
    if "statsigEnvironment" in attributes:
        more["statsig_environment"] = attributes["statsigEnvironment"]
    return StatsigUser(user_id=attributes.get("userID"), custom=custom, **more)


def decide(payload, users):
    client = Statsig("secret-offline", StatsigOptions(
        data_store=Store(payload), disable_network=True, disable_all_logging=True, disable_disk_access=True,
        output_log_level="none"))
    client.initialize().wait()
    assert client.get_initialize_details().source == "Adapter(DataStore)"
    gates = [name for name, spec in payload["feature_gates"].items() if spec["entity"] == "feature_gate"]
    decisions = []
    for attributes in users:
        user = statsig_user(attributes)
        values = {name: client.check_gate(user, name) for name in gates}
        for name in payload["dynamic_configs"]:
            values[name] = client.get_dynamic_config(user, name).value
        for name in payload["layer_configs"]:
            values[name] = client.get_layer(user, name)._Layer__value
        decisions.append(values)
    client.shutdown().wait()
    return decisions


if __name__ == "__main__":
    vendors.main(payload, users, decide)
