"""Firebase Remote Config: firebase-admin evaluates server templates."""

import json
import logging

import firebase_admin
import google.auth.credentials
from firebase_admin import credentials, remote_config

import vendors

logging.disable(logging.CRITICAL)

TEXTS = ["pro", " pro ", "Pro", "free", "", " ", "\tfree\n", "\u00a0pro", "prof", "5", "ü", "日本", "x" * 500, "a+b", "pro\n"]
VERSIONS = ["1", "1.0", "1.2.3", "1.2.3.4", "2.0.0-beta", "v2", "10.0.1", "", "two", "1.2.4", "0",
            "2026.01.15", "1.02.3", "1.2.3.4.5.6.7", "1.2.0.0", "1..2", "1.", "1.2.3-", "1.10", "-1", "1.x"]
NUMBERS = [0, 1, 5, -1, 5.5, 18, 1000, "5", "-1", "5.0", "1e1", "0", "abc", ""]
TIERS = [5, "5", "5.0", 2.5, " 2.5", -1, "-1", 0, "0", 1000, "1e3", "x", "xp", 0.1, 0.00005, 123456789012, "05",
         "5 ", "", True, False, "True", [], {}]
BOOLEANS = [True, False]
PATTERNS = ["^p", "o$", "\\d", "(?i)PRO", "^\\s", "\\w\\+", "r{1}o", "^$", "[^a-z]", "(pro|free)$", "^True"]
STRINGS = ["STRING_CONTAINS", "STRING_DOES_NOT_CONTAIN", "STRING_EXACTLY_MATCHES"]
COMPARISONS = ["LESS_THAN", "LESS_EQUAL", "EQUAL", "NOT_EQUAL", "GREATER_THAN", "GREATER_EQUAL"]


def percent(random):
    result = {"percentOperator": random.choice(["LESS_OR_EQUAL", "GREATER_THAN", "BETWEEN"])}
    if random.random() < 0.98:
        result["seed"] = random.choice(["seed-1", "seed-2", "s%d" % random.randrange(10**6)])
    if result["percentOperator"] == "BETWEEN":
        low, high = sorted(random.choice([0, 10**8, random.randint(0, 10**8)]) for _ in range(2))
        result["microPercentRange"] = {"microPercentLowerBound": low, "microPercentUpperBound": high}
        if low == 0 and random.random() < 0.5:
            del result["microPercentRange"]["microPercentLowerBound"]
    elif random.random() < 0.95:
        result["microPercent"] = random.choice([0, 10**8, 50_000_000, random.randint(0, 10**8)])
    return {"percent": result}


def signal(random):
    kind = random.randrange(6)
    if kind == 4:
        # Numbers are text here, and found in no part of a text.
        exact = random.random() < 0.7
        return {"customSignal": {"customSignalKey": "tier", "customSignalOperator": STRINGS[2 if exact else 1],
                                 "targetCustomSignalValues": random.sample(
                                     ["5", " 2.5", "-1", "0", "1e3", "x", "05", "True", "False", "[]", "5e-05"] if exact else ["x", "p", "ü"], 2)}}
    if kind == 5:
        found = signal(random)
        if random.random() < 0.1:
            # Something is missing, so that it does not hold.
            name = random.choice(["customSignalKey", "customSignalOperator", "targetCustomSignalValues"])
            found["customSignal"][name] = random.choice([None, [] if name == "targetCustomSignalValues" else ""])
        return found
    if kind == 0:
        return {"customSignal": {"customSignalKey": "plan", "customSignalOperator": random.choice(STRINGS),
                                 "targetCustomSignalValues": random.sample(["pro", " free", "ü", "a+b", "p", "rue"] + [""] * (
                                     random.random() < 0.2), 2)}}
    if kind == 1:
        return {"customSignal": {"customSignalKey": "plan", "customSignalOperator": "STRING_CONTAINS_REGEX",
                                 "targetCustomSignalValues": random.sample(PATTERNS, 2)}}
    if kind == 2:
        return {"customSignal": {"customSignalKey": "seats", "customSignalOperator": "NUMERIC_" + random.choice(COMPARISONS),
                                 "targetCustomSignalValues": [random.choice(["5", "0", "-1", "5.5", "18", " 5 ", "1e3", "2.50"])]}}
    return {"customSignal": {"customSignalKey": "version",
                             "customSignalOperator": "SEMANTIC_VERSION_" + random.choice(COMPARISONS),
                             "targetCustomSignalValues": [random.choice(["1.2.3", "1", "2.0", "1.2.3.4", "0", "0.0.1", "01.2", "5.0",
                                                                          "1.2.0.0", "1.0.3", "2026.1.15"])]}}


def condition(random, depth=0):
    kind = random.randrange(8)
    if kind < 2 and depth < 7:
        name = random.choice(["andCondition", "orCondition"])
        return {name: {"conditions": [condition(random, depth + 1) for _ in range(random.choice([0, 1, 2, 2, 2]))]}}
    if kind == 2:
        return {random.choice(["true", "false"]): {}}
    if kind < 5:
        return percent(random)
    return signal(random)


def payload(random):
    conditions = []
    for index in range(random.randint(1, 4)):
        # The console nests every condition in an "or" of "and".
        inner = [condition(random) for _ in range(random.randint(1, 2))]
        tree = {"orCondition": {"conditions": [{"andCondition": {"conditions": inner}}]}}
        conditions.append({"name": "condition %d" % index, "condition": tree, "tagColor": "BLUE"})
    values = {"STRING": ["red", "", "blue", "5"], "BOOLEAN": ["true", "false", "TRUE", "on", "no"],
              "NUMBER": ["5", "0.25", "-1"], "JSON": ['{"a": [1, null]}', "{}", '{"b": "x", "a": 2}']}
    parameters = {}
    for index in range(random.randint(3, 6)):
        kind = random.choice(list(values))

        def value():
            if random.random() < 0.1:
                return {"useInAppDefault": True}
            return {"value": random.choice(values[kind])}

        parameter = {"valueType": kind, "conditionalValues": {}}
        if random.random() < 0.9:
            parameter["defaultValue"] = value()
        for found in conditions:
            if random.random() < 0.6:
                parameter["conditionalValues"][found["name"]] = value()
        if random.random() < 0.1:
            parameter["conditionalValues"]["nowhere"] = value()
        # The order is that of the conditions, not this one.
        parameter["conditionalValues"] = dict(sorted(parameter["conditionalValues"].items(), reverse=True))
        if random.random() < 0.1:
            del parameter["conditionalValues"]
        parameters["parameter_%d" % index] = parameter
    return {"parameters": parameters, "conditions": conditions, "parameterGroups": "", "etag": "etag-1234-7",
            "version": {"versionNumber": "7", "updateOrigin": "CONSOLE", "updateUser": {"email": "a@example.com"}}}


def users(random, payload):
    found = []
    for _ in range(100):
        user = {"randomization_id": vendors.unit_id(random)}
        for name, values in {"plan": TEXTS + BOOLEANS, "seats": NUMBERS, "version": VERSIONS, "tier": TIERS}.items():
            if random.random() < 0.8:
                user[name] = random.choice(values + [None] * (random.random() < 0.1))
        found.append(vendors.without_unit(random, user, "randomization_id"))
    return found


class NoCredential(credentials.Base):
    """Nothing is sent, so that nothing has to be signed."""

    def get_credential(self):
        return google.auth.credentials.AnonymousCredentials()


def decide(payload, users):
    if not firebase_admin._apps:
        firebase_admin.initialize_app(NoCredential(), {"projectId": "project"})
    template = remote_config.init_server_template(template_data_json=json.dumps(payload))
    decisions = []
    for user in users:
        config = template.evaluate(user)
        values = {}
        for key, parameter in payload["parameters"].items():
            text = config.get_string(key)
            if config.get_value_source(key) == "static":
                values[key] = None
            elif parameter["valueType"] == "BOOLEAN":
                values[key] = config.get_boolean(key)
            elif parameter["valueType"] == "NUMBER":
                values[key] = config.get_float(key)
            else:
                values[key] = json.loads(text) if parameter["valueType"] == "JSON" else text
        decisions.append(values)
    return decisions


if __name__ == "__main__":
    vendors.main(payload, users, decide)
