"""Evaluates flags for many users through OpenFeature's own client and reports each exposure from a hook.

Usage: exposures.py BASE_URL < LINES, where a line is a flag's key, a user's ID and a country, or nothing, with tabs.
"""

import datetime
import sys

import requests
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.hook import Hook


class ExposureHook(Hook):
    """Collects an exposure for each experiment that an answer names."""

    def __init__(self, url):
        self.url = url
        self.session = requests.Session()
        self.waiting = []

    def after(self, hook_context, details, hints):
        metadata, ending, number = details.flag_metadata, "", 1
        context = hook_context.evaluation_context
        while "experiment" + ending in metadata:
            unit = metadata.get("unit" + ending)
            # A setting that is not randomised exposes no unit.
            if unit != "none":
                self.waiting.append({
                    "experiment": metadata["experiment" + ending],
                    "salt": metadata["salt" + ending],
                    "variant": metadata.get("variant" + ending, details.variant),
                    "unit": context.attributes[unit] if unit else context.targeting_key,
                    "revision": metadata["revision" + ending],
                    "reason": metadata["allotReason" + ending],
                    "at": datetime.datetime.now(datetime.timezone.utc).isoformat(),
                })
            number += 1
            ending = f".{number}"
        if len(self.waiting) >= 500:
            self.send()

    def send(self):
        answer = self.session.post(self.url + "/exposures", json={"exposures": self.waiting})
        if answer.status_code != 200 or answer.json()["errors"]:
            sys.exit(f"{answer.status_code} {answer.text}")
        self.waiting = []


def main(url):
    hook = ExposureHook(url)
    api.set_provider(OFREPProvider(url))
    client = api.get_client()
    client.add_hooks([hook])
    for line in sys.stdin:
        key, user, country = line.rstrip("\n").split("\t")
        details = client.get_object_details(key, {}, EvaluationContext(user, {"country": country} if country else {}))
        if details.error_code:
            sys.exit(f"{key} for {user}: {details.error_code} {details.error_message}")
    hook.send()
    api.shutdown()


main(sys.argv[1])
