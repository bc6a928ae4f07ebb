"""Random payloads of Eppo, decided by `eppo-server-sdk`."""

import datetime
import json

import eppo_client
import vendors

SHARDS = [10000, 10000, 10000, 1000, 123457, 1]
SALTS = ["traffic", "split", "flag-allocation-split", "ü", "a b", "x" * 100]
PATTERNS = ["@example\\.com", ".*@example\\.org$", "^u[0-4]", "^(DE|US)$", "(?i)^de$", "^[A-Z]{2}$", "pro|team", "^free$",
            "^\\w+@\\w+\\.com$", "straße", "^$", ".*", "[^a-z]@", "e$", "^true$", "(", "u\\d+@"]
VALUES = {
    "STRING": ["red", "green", "", "ü", "5"], "INTEGER": [1, 2.0, 0, -7, 12345678901], "NUMERIC": [1.5, 2, 0, -0.25],
    "BOOLEAN": [True, False], "JSON": ['{"a": {"b": 1}}', "[]", "3", '{"a": {"c": null}, "d": "x"}', "{}"],
}


def condition(random):
    attribute = random.choice(["country", "plan", "email", "age", "beta", "app_version", "id", "company", "missing"])
    operator = random.choice(["ONE_OF", "NOT_ONE_OF", "MATCHES", "NOT_MATCHES", "GTE", "GT", "LTE", "LT", "IS_NULL"])
    if operator in ("ONE_OF", "NOT_ONE_OF"):
        pool = vendors.COUNTRIES + vendors.PLANS + vendors.WORDS + [str(number) for number in vendors.NUMBERS]
        pool += ["true", "false", "5.0", "1e3", "10000000000", "-0", "company-7"]
        value = [random.choice(pool) for _ in range(random.choice([0, 1, 2, 3, 3, 20]))]
    elif operator in ("MATCHES", "NOT_MATCHES"):
        value = random.choice(PATTERNS)
    elif operator == "IS_NULL":
        value = random.choice([True, False])
    elif attribute == "app_version" or random.random() < 0.2:
        value = random.choice(["1.2.3", "2.0.0", "2.0.0-rc.1", "1.10.0", "0.0.1", "2.0.0-beta.1"])
    else:
        value = random.choice([18, 5, 2.5, -1, "10", "0.1", 1e10, "1e2", ".5", "5."])
    return {"attribute": attribute, "operator": operator, "value": value}


def ranges(random, total, count):
    """Disjoint ranges for several splits, some of them in two parts, with gaps."""
    borders = sorted(random.randrange(total + 1) for _ in range(count * 2 + 2))
    if random.random() < 0.5:
        borders[0], borders[-1] = 0, total
    parts = [{"start": start, "end": end} for start, end in zip(borders, borders[1:])]
    random.shuffle(parts)
    if random.random() < 0.2:
        # Ranges that overlap, are empty, or reach beyond the shards: the first split that has the shard counts.
        parts += [{"start": random.randrange(total + 1), "end": random.randrange(2 * total + 1)} for _ in range(count)]
    return [parts[index::count + 1] for index in range(count)]


def splits(random, variations, total):
    kind = random.randrange(8)
    names = list(variations)
    if kind == 0:
        return [{"variationKey": random.choice(names), "shards": []}]
    count = random.randrange(1, 5)
    result = []
    traffic = {"salt": random.choice(SALTS), "ranges": [{"start": 0, "end": random.randrange(total + 1)}]}
    salt = random.choice(SALTS)
    for part in ranges(random, total, count):
        shards = [{"salt": salt, "ranges": part}]
        if kind in (1, 2, 3):
            shards.insert(0, traffic)
        if kind == 4:
            shards.append({"salt": random.choice(SALTS), "ranges": ranges(random, total, 1)[0]})
        if kind == 6:
            shards.append({"salt": salt, "ranges": ranges(random, total, 1)[0]})
        if kind == 5:
            shards = [{"salt": random.choice(SALTS), "ranges": part}, {"salt": salt, "ranges": [{"start": 0, "end": total}]}]
        name = random.choice(names) if random.random() < 0.95 else "unknown"
        result.append({"variationKey": name, "shards": shards, "extraLogging": {}})
    return result


def instant(random):
    now = datetime.datetime.now(datetime.timezone.utc)
    return (now + datetime.timedelta(hours=random.choice([-5000, -50, -5, 5, 50]))).strftime(
        random.choice(["%Y-%m-%dT%H:%M:%S.000Z", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S.%fZ", "%Y-%m-%dT%H:%M:%S+00:00"]))


def flag(random, key):
    kind = random.choice(list(VALUES))
    variations = {}
    for index, value in enumerate(random.sample(VALUES[kind], random.randrange(1, len(VALUES[kind]) + 1))):
        name = "variation %d" % index if random.random() < 0.2 else "v%d" % index
        variations[name] = {"key": name, "value": value if random.random() < 0.97 else [True, "no", 2.5][index % 3]}
    total = random.choice(SHARDS)
    allocations = []
    for index in range(random.randrange(0, 5)):
        allocation = {"key": "allocation-%d" % index, "splits": splits(random, variations, total), "doLog": True}
        if random.random() < 0.6:
            allocation["rules"] = [{"conditions": [condition(random) for _ in range(random.choice([0, 1, 1, 2, 3]))]}
                                   for _ in range(random.randrange(0, 3))]
        if random.random() < 0.15:
            allocation["startAt"] = instant(random)
        if random.random() < 0.15:
            allocation["endAt"] = instant(random)
        allocations.append(allocation)
    return {"key": key, "enabled": random.random() < 0.95, "variationType": kind, "variations": variations,
            "allocations": allocations, "totalShards": total}


def payload(random):
    keys = ["flag-%d" % index for index in range(8)] + ["checkout-color", "Flag 9", "ü.flag"]
    return {"createdAt": "2024-04-17T19:40:53.716Z", "format": "SERVER", "environment": {"name": "Test"},
            "flags": {key: flag(random, key) for key in keys}}


def users(random, document):
    people = []
    for _ in range(50):
        person = vendors.attributes(random)
        if random.random() < 0.1:
            person["id"] = random.choice(["DE", "pro", 5, "u1@example.com", True])
        # The SDK takes scalars only, and a negative zero is its own text there.
        people.append({name: value for name, value in person.items() if not isinstance(value, (list, dict))})
    return people


def decide(document, people):
    configuration = eppo_client.Configuration(flags_configuration=json.dumps(document).encode())
    client = eppo_client.init(eppo_client.ClientConfig(
        api_key="offline", base_url="http://127.0.0.1:9", poll_interval_seconds=None,
        assignment_logger=eppo_client.AssignmentLogger(), initial_configuration=configuration))
    reads = {
        "STRING": (client.get_string_assignment, "no such", "none such"),
        "INTEGER": (client.get_integer_assignment, -987654321, -987654322),
        "NUMERIC": (client.get_numeric_assignment, -987654.5, -987653.5),
        "BOOLEAN": (client.get_boolean_assignment, True, False),
        "JSON": (client.get_json_assignment, "no such", "none such"),
    }

    def value(key, kind, unit, person):
        read, default, other = reads[kind]
        found = read(key, unit, person, default)
        # Where the default is served, two defaults give two values.
        return None if found == default and read(key, unit, person, other) == other else found

    result = []
    for person in people:
        attributes = {name: value for name, value in person.items() if name != "user_id"}
        result.append({key: value(key, flag["variationType"], person["user_id"], attributes)
                       for key, flag in document["flags"].items()})
    return result


vendors.main(payload, users, decide)
