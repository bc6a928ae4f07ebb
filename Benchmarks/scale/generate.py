#!/usr/bin/env python3
"""Writes a definitions folder of the size of LinkedIn's: 41,000 experiments, 400 layers, 50,000 settings.

    python3 Benchmarks/scale/generate.py /tmp/definitions
    allot check -d /tmp/definitions --max-settings 50000 --max-value-bytes 16777216

The same arguments give the same bytes on every machine. The folder is valid. Its experiments are meant to look like
those of a company that has had them for years:

* Three fifths are in layers, each with slots that no other experiment of the layer has; the experiments of a layer
  override the settings of that layer, several of them the same one.
* The others override settings of their own, or share one setting with up to five experiments whose audiences are
  disjoint (by country, by version, by platform), or whose schedules are.
* Audiences have 0 to 4 conditions, one in ten refers to a segment, one in ten starts or ends, one in a hundred requires
  a variant of another experiment, one in fifty forces testers.
"""

import argparse
import random
import shutil
from pathlib import Path

COUNTRIES = ["AT", "AU", "BE", "BR", "CA", "CH", "DE", "DK", "ES", "FI", "FR", "GB", "IE", "IN", "IT", "JP", "MX", "NL",
             "NO", "PL", "PT", "SE", "SG", "US"]
PLATFORMS = ["android", "ios", "web", "tv"]
LANGUAGES = ["de", "en", "es", "fr", "it", "ja", "nl", "pt", "sv"]
PLANS = ["free", "premium", "business", "recruiter"]
WORDS = ["banner", "button", "carousel", "digest", "feed", "filter", "header", "invite", "job", "layout", "message",
         "nav", "onboarding", "paywall", "profile", "ranking", "search", "share", "signup", "upsell"]
NAMES = ["control", "treatment", "large", "small", "fast", "compact"]
SLOTS = 1_000_000


class Generator:
    def __init__(self, folder: Path, seed: int, experiments: int, layers: int, settings: int) -> None:
        self.folder = folder
        self.random = random.Random(seed)
        self.count = experiments
        self.layers = layers
        self.settings = settings
        self.written: list[str] = []
        self.testers = 0
        self.base_values: list[str] = []

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    # The base.

    def setting(self, number: int) -> tuple[str, str]:
        """Returns the section and the name of a setting."""
        return f"Section{number // 200:03}", f"{WORDS[number % 20].capitalize()}{number % 200:03}"

    def write_base(self) -> None:
        lines = ["config_sections:"]
        for number in range(self.settings):
            section, name = self.setting(number)
            if number % 200 == 0:
                lines += [f"  {section}:", "    settings:"]
            value, constraint = [
                ("false", ""), (str(number % 50), ", minimum: 0, maximum: 1000"), (f"text-{number}", ""),
                ('"#0a66c2"', ', pattern: "^#[0-9a-f]{6}$"'), ("{ rows: 3, columns: 2 }", ""), ("[1, 2, 3]", ""),
                ("0.5", ""), ("small", ", enum: [small, medium, large]"),
            ][number % 8]
            self.base_values.append(value)
            lines.append(f"      {name}: {{ value: {value}{constraint} }}")
        (self.folder / "base.yaml").write_text("\n".join(lines) + "\n")

    def override(self, number: int, variant: int) -> str:
        """Returns a value for a setting that is not the base's."""
        return ["true", str(100 + variant), f"other-{variant}", f'"#00000{variant}"', f"{{ rows: {variant + 4} }}",
                f"[{variant}]", f"0.{variant + 5}1", ["medium", "large"][variant % 2]][number % 8]

    # What experiments share.

    def write_shared(self) -> None:
        self.layer_names = [f"layer-{number:03}" for number in range(self.layers)]
        units = ["" if number % 5 else "unit: device_id" for number in range(self.layers)]
        self.layer_units = ["user_id" if number % 5 else "device_id" for number in range(self.layers)]
        (self.folder / "layers.yaml").write_text(
            "".join(f"{name}: {{ {unit} }}\n" for name, unit in zip(self.layer_names, units)))
        holdouts = ["h2-2026: { share: 1% }", "h2-2026-devices: { share: 1%, unit: device_id }"]
        for number in range(0, self.layers, 20):
            names = ", ".join(self.layer_names[number:number + 5])
            holdouts.append(f"team-{number // 20}: {{ share: 0.5%, layers: [{names}] }}")
        (self.folder / "holdouts.yaml").write_text("\n".join(holdouts) + "\n")
        lines = []
        for number in range(40):
            countries = ", ".join(sorted(self.random.sample(COUNTRIES, 4)))
            # Not the attribute of audiences: only lists of countries would be in both, and conflict with many others.
            lines.append(
                f"segment-{number}: {{ signup_country: {{ $in: [{countries}] }}, age_days: {{ $gte: {number * 7} }} }}")
        for number in range(10):
            members = ", ".join(f"member-{self.random.randrange(10**9)}" for _ in range(500))
            lines.append(f"group-{number}: [{members}]")
        (self.folder / "segments.yaml").write_text("\n".join(lines) + "\n")

    # Audiences.

    def condition(self) -> str:
        choice = self.random.randrange(10)
        if choice < 3:
            return f"country: {{ $in: [{', '.join(sorted(self.random.sample(COUNTRIES, 5)))}] }}"
        return [
            f"app_version: {{ $vgte: {self.random.randrange(1, 9)}.{self.random.randrange(20)}.0 }}",
            f"platform: {self.random.choice(PLATFORMS)}",
            f"language: {{ $in: [{', '.join(sorted(self.random.sample(LANGUAGES, 3)))}] }}",
            f"plan: {{ $ne: {self.random.choice(PLANS)} }}",
            f"connections: {{ $gte: {self.random.randrange(500)}, $lt: {self.random.randrange(500, 5000)} }}",
            f"$segment: segment-{self.random.randrange(40)}",
            f"email: {{ $regexi: \"@(example|test)\\\\.(com|org)$\" }}" if self.chance(0.1)
            else f"user_id: {{ $notInGroup: group-{self.random.randrange(10)} }}",
        ][choice - 3]

    def audience(self, first: str | None = None) -> str:
        conditions = {first.split(":")[0]: first} if first else {}
        for _ in range(self.random.choices([0, 1, 2, 3, 4], [20, 35, 25, 12, 8])[0]):
            condition = self.condition()
            conditions.setdefault(condition.split(":")[0], condition)
        return f"audience: {{ {', '.join(conditions.values())} }}\n" if conditions else ""

    # Experiments.

    def experiment(self, number: int, settings: list[int], *, layer: int | None = None, slots: str = "",
                   first: str | None = None, schedule: str | None = None, may_force: bool = True) -> None:
        status = self.random.choices(["running", "draft", "paused"], [93, 4, 3])[0]
        text = f"status: {status}\ndescription: Experiment {number} of the {WORDS[number % 20]} team\n"
        text += f"owner: {WORDS[number % 20]}-team@example.com\n"
        unit = self.layer_units[layer] if layer is not None else "user_id" if self.chance(0.9) else "device_id"
        if unit != "user_id":
            text += f"unit: {unit}\n"
        if layer is not None:
            text += f"layer: {self.layer_names[layer]}\nslots: [{slots}]\n"
        if self.chance(0.6):
            text += f"traffic: {self.random.choice(['1%', '5%', '10%', '25%', '50%'])}\n"
        if schedule is not None:
            text += schedule
        elif self.chance(0.1):
            text += f"starts: 2026-{self.random.randrange(1, 12):02}-01T09:00:00Z\n"
            if self.chance(0.5):
                text += f"ends: 2027-{self.random.randrange(1, 12):02}-01T09:00:00Z\n"
        text += self.audience(first)
        if self.written and self.chance(0.01):
            text += f"requires: {{ {self.random.choice(self.written)}: [control] }}\n"
        if may_force and self.chance(0.02):
            self.testers += 2
            text += f"forced: {{ tester-{self.testers}: control, tester-{self.testers + 1}: treatment }}\n"
        count = self.random.choices([2, 3, 4], [70, 20, 10])[0]
        weighted = self.chance(0.3)
        text += "variants:\n"
        for variant in range(count):
            text += f"  - key: {NAMES[variant]}\n"
            if weighted:
                text += f"    weight: {self.random.randrange(1, 10)}\n"
            if variant > 0:
                text += "    overrides:\n"
                for setting in settings:
                    section, name = self.setting(setting)
                    text += f"      {section}: {{ {name}: {self.override(setting, variant)} }}\n"
        key = f"{WORDS[number % 20]}-{number:05}"
        (self.folder / f"{key}.yaml").write_text(text)
        if status == "running":
            self.written.append(key)

    def write_experiments(self) -> None:
        number = 0
        in_layers = self.count * 3 // 5
        for layer in range(self.layers):
            places = in_layers * (layer + 1) // self.layers - in_layers * layer // self.layers
            # A tenth of the layer's slots is free; the experiments have shares of different sizes of the rest.
            cuts = sorted(self.random.sample(range(100, SLOTS * 9 // 10, 100), places - 1))
            cuts = [0] + cuts + [SLOTS * 9 // 10]
            own = list(range(layer * 40, layer * 40 + 40))
            for place in range(places):
                # One section has one line of overrides, so several settings come from different sections of the layer.
                settings = [self.random.choice(own)]
                if self.chance(0.2):
                    settings.append(self.layers * 40 + layer * 10 + self.random.randrange(10))
                self.experiment(number, settings, layer=layer, slots=f"{cuts[place]}..<{cuts[place + 1]}")
                number += 1
        free = iter(range(self.layers * 50, self.settings))
        while number < self.count:
            setting = next(free)
            sharing = min(self.random.choices([1, 2, 3, 4, 5], [70, 12, 8, 6, 4])[0], self.count - number)
            kind = self.random.randrange(4)
            for part in range(sharing):
                first = schedule = None
                if sharing > 1 and kind == 0:
                    first = f"country: {{ $in: [{', '.join(COUNTRIES[part * 4:part * 4 + 4])}] }}"
                elif sharing > 1 and kind == 1:
                    first = f"app_version: {{ $vgte: {part + 1}.0.0, $vlt: {part + 2}.0.0 }}"
                elif sharing > 1 and kind == 2:
                    first = f"connections: {{ $gte: {part * 100}, $lt: {part * 100 + 100} }}"
                elif sharing > 1:
                    schedule = f"starts: {part + 2026}-12-01T09:00:00Z\nends: {part + 2027}-12-01T09:00:00Z\n"
                # Units of one setting must not be forced by different attributes.
                self.experiment(number, [setting], first=first, schedule=schedule, may_force=sharing == 1)
                number += 1

    def write(self) -> None:
        if self.folder.exists():
            shutil.rmtree(self.folder)
        self.folder.mkdir(parents=True)
        self.write_base()
        self.write_shared()
        self.write_experiments()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="replaced if it exists")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--experiments", type=int, default=41_000)
    parser.add_argument("--layers", type=int, default=400)
    parser.add_argument("--settings", type=int, default=50_000)
    arguments = parser.parse_args()
    Generator(arguments.folder, arguments.seed, arguments.experiments, arguments.layers, arguments.settings).write()


if __name__ == "__main__":
    main()
