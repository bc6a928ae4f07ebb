"""Eppo's package as a function from a salt and a unit to the shard."""
import json


def eppo_shards(salts, count):
    """The shards of `count` in all, for these salts: the package only says those of a flag that it has."""
    from eppo_client import _eppo_client as eppo
    from eppo_client.assignment_logger import AssignmentLogger

    def flag(salt):
        shard = {"salt": salt, "ranges": [{"start": 0, "end": 1}]}
        allocation = {"key": "allocation", "doLog": False, "splits": [{"variationKey": "a", "shards": [shard]}]}
        return {
            "key": salt, "enabled": True, "variationType": "STRING", "variations": {"a": {"key": "a", "value": "a"}},
            "allocations": [allocation], "totalShards": count,
        }

    configuration = {
        "createdAt": "2026-01-01T00:00:00Z", "format": "SERVER", "environment": {"name": "Test"},
        "flags": {salt: flag(salt) for salt in salts},
    }
    client = eppo.init(eppo.ClientConfig(
        api_key="none", base_url="http://127.0.0.1:1", assignment_logger=AssignmentLogger(),
        poll_interval_seconds=None,
        initial_configuration=eppo.Configuration(flags_configuration=json.dumps(configuration).encode())))

    def number(salt, unit):
        details = client.get_string_assignment_details(salt, unit, {}, "none").evaluation_details
        return details["allocations"][0]["evaluatedSplits"][0]["shards"][0]["shardValue"]

    return number
