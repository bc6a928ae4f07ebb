"""Asks a running allot-server through OpenFeature's own client; exits non-zero with what was not as expected.

Usage: check.py BASE_URL
"""

import sys

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

problems = []


def expect(what, found, wanted):
    if found != wanted or type(found) is not type(wanted):
        problems.append(f"{what}: {found!r} instead of {wanted!r}")


def expect_details(what, details, value, reason, variant):
    expect(f"{what}: error", details.error_code, None)
    expect(f"{what}: value", details.value, value)
    expect(f"{what}: reason", str(getattr(details.reason, "value", details.reason)), reason)
    expect(f"{what}: variant", details.variant, variant)


def expect_failure(what, details, default, code):
    expect(f"{what}: value", details.value, default)
    expect(f"{what}: error", getattr(details.error_code, "value", details.error_code), code)
    if not details.error_message:
        problems.append(f"{what}: there is no message")


def main(url):
    api.set_provider(OFREPProvider(url))
    client = api.get_client()
    plain = EvaluationContext("user-1")
    german = EvaluationContext("user-1", {"country": "DE"})
    french = EvaluationContext("user-1", {"country": "FR"})
    seats = EvaluationContext("user-1", {"seats": 12})
    tester = EvaluationContext("tester")

    beta = client.get_boolean_details("Limits.Beta", True, plain)
    expect_details("boolean", beta, False, "DEFAULT", "base")
    beta = client.get_boolean_details("Limits.Beta", False, german)
    expect_details("winner", beta, True, "TARGETING_MATCH", "enabled")
    expect("winner: reason", beta.flag_metadata.get("allotReason"), "winner")

    title = client.get_string_details("Page.Title", "-", plain)
    expect_details("string", title, "Hello", "STATIC", "base")
    expect("string: metadata", sorted(title.flag_metadata), ["configurationRevision"])
    color = client.get_string_details("Page.Color", "-", tester)
    expect_details("forced", color, "green", "TARGETING_MATCH", "green")
    expect("forced: experiment", color.flag_metadata.get("experiment"), "button")

    count = client.get_integer_details("Limits.Count", 0, plain)
    expect_details("integer", count, 3, "DEFAULT", "base")
    count = client.get_integer_details("Limits.Count", 0, seats)
    expect_details("split", count, 9, "SPLIT", "more")
    expect("split: bucket", type(count.flag_metadata.get("bucket")), int)
    expect("split: revision", len(count.flag_metadata.get("revision", "")), 16)

    ratio = client.get_float_details("Limits.Ratio", 0.0, plain)
    expect_details("float", ratio, 0.5, "STATIC", "base")

    box = client.get_object_details("Limits.Box", {}, plain)
    expect_details("object", box, {"a": 1, "b": {"c": 2}}, "DEFAULT", "base")
    box = client.get_object_details("Limits.Box", {}, french)
    expect_details("merged object", box, {"a": 1, "b": {"c": 2, "d": 3}}, "SPLIT", "wide")
    items = client.get_object_details("Limits.List", [], plain)
    expect_details("list", items, [1, "two"], "STATIC", "base")

    nothing = client.get_string_details("Limits.Nothing", "default", plain)
    expect_details("null", nothing, "default", "STATIC", "base")

    missing = client.get_string_details("Page.Colour", "default", plain)
    expect_failure("unknown flag", missing, "default", "FLAG_NOT_FOUND")
    wrong = client.get_boolean_details("Page.Title", True, plain)
    expect_failure("wrong type", wrong, True, "TYPE_MISMATCH")
    anonymous = client.get_string_details("Page.Title", "default", EvaluationContext(None, {"country": "DE"}))
    expect_failure("no user", anonymous, "default", "TARGETING_KEY_MISSING")
    long = client.get_string_details("Page.Title", "default", EvaluationContext("x" * 1025))
    expect_failure("long user", long, "default", "INVALID_CONTEXT")
    api.shutdown()


main(sys.argv[1])
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
