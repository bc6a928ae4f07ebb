#!/usr/bin/env python3
"""Writes the 20 experiments of this folder and their base: `python3 generate.py`.

Every experiment overrides a setting of its own, so none can conflict; the even ones have an audience. Keys are short
enough that salt, ":" and a UUID fit into one block of SHA-256 (55 bytes), as the check of Allot recommends.
The columns are those of ../generate_users.py.
"""

from pathlib import Path

FOLDER = Path(__file__).resolve().parent
NOTE = "# Written by generate.py; change that instead.\n"
COUNT = 20

# For experiments 02, 04, ... 20: each line of an audience must hold.
AUDIENCES = [
    ["country: { $in: [DE, FR, NL, NO, SE, US, GB] }", "app_version: { $vgte: 2.3.0 }"],
    ["country: DE"],
    ["platform: { $in: [ios, android] }"],
    ["app_version: { $vgte: 2.0.0, $vlt: 3.0.0 }"],
    ["country: { $nin: [US, GB] }", "platform: web"],
    ["$or: [{ country: US }, { platform: ios, app_version: { $vgte: 2.10.0 } }]"],
    ["platform: { $ne: web }", "app_version: { $vgt: 2.1.4 }"],
    ["country: { $in: [ES, IT, BR] }"],
    ["$not: { country: JP }"],
    ["country: { $in: [SE, NO] }", "platform: android", "app_version: { $vgte: 1.9.0 }"],
]

# Repeated in turn: how many units are enrolled, and the weights of the variants.
TRAFFICS = ["100%", "80%", "50%", "25%", "10%"]
WEIGHTS = [(1, 1), (50, 50), (90, 10), (1, 1, 1)]


def experiment(number: int) -> str:
    """Returns the file of one experiment, counted from 1."""
    lines = [
        "status: running",
        f"traffic: {TRAFFICS[(number - 1) % len(TRAFFICS)]}",
    ]
    if number % 2 == 0:
        lines.append("audience:")
        lines += [f"  {line}" for line in AUDIENCES[number // 2 - 1]]
    lines.append("variants:")
    for index, weight in enumerate(WEIGHTS[(number - 1) % len(WEIGHTS)]):
        lines.append(f"  - key: {'control' if index == 0 else f'treatment-{index}'}")
        lines.append(f"    weight: {weight}")
        if index > 0:
            lines.append(f"    overrides: {{ Bench: {{ Setting{number:02}: {index} }} }}")
    return NOTE + "\n".join(lines) + "\n"


def base() -> str:
    """Returns the base configuration: one setting for each experiment."""
    lines = ["meta:", "  creation_time: 2026-11-01T08:00Z", "config_sections:", "  Bench:", "    settings:"]
    lines += [f"      Setting{number:02}: {{ value: 0, type: integer, minimum: 0 }}" for number in range(1, COUNT + 1)]
    return NOTE + "\n".join(lines) + "\n"


def main() -> None:
    (FOLDER / "base.yaml").write_text(base(), encoding="utf-8")
    for number in range(1, COUNT + 1):
        (FOLDER / f"experiment-{number:02}.yaml").write_text(experiment(number), encoding="utf-8")


if __name__ == "__main__":
    main()
