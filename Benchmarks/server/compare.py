#!/usr/bin/env python3
"""Measures allot-server against a bare Hummingbird route that answers with as many constant bytes.

    swift build -c release --product allot-server
    swift build -c release --package-path Benchmarks/server/ConstantServer
    python3 Benchmarks/server/compare.py --allot .build/release/allot-server \
        --bare Benchmarks/server/ConstantServer/.build/release/ConstantServer

The definitions are the sample folder and 20 more experiments of one setting each. Both servers run all the time; wrk loads
one after the other, in turns, so that a slow minute of the machine hits both. Every request names another user.
"""

import argparse
import json
import re
import shutil
import statistics
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SCRIPT = """
local n = 0
request = function()
  n = n + 1
  return wrk.format("GET", "/activeconfig/user/user-" .. n .. "?country=DE&app_version=2.10.1&platform=ios")
end
"""


def write_definitions(folder: Path) -> None:
    """Copies the sample folder and adds 20 experiments, 10 of them with an audience."""
    for file in (ROOT / "Experiments").glob("*.yaml"):
        shutil.copy(file, folder)
    base = (folder / "base.yaml").read_text()
    settings = "".join(f"      Setting{n:02}: {{ value: {n} }}\n" for n in range(1, 21))
    section = f"  Bench:\n    settings:\n{settings}"
    (folder / "base.yaml").write_text(base.replace("config_sections:\n", f"config_sections:\n{section}", 1))
    for number in range(1, 21):
        audience = "audience: { country: { $in: [DE, FR, US] }, app_version: { $vgte: 2.3.0 } }\n"
        (folder / f"bench-{number:02}.yaml").write_text(
            f"status: running\n{audience if number % 2 else ''}variants:\n  - key: control\n"
            f"  - key: green\n    overrides: {{ Bench: {{ Setting{number:02}: {number + 100} }} }}\n")


def wait_for(url: str) -> bytes:
    for _ in range(100):
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:
                return answer.read()
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"nothing answers at {url}")


def load(port: int, script: Path, seconds: int, connections: int) -> tuple[float, float]:
    """Returns requests a second and the 99th percentile of the latency in milliseconds."""
    printed = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", str(script), f"http://127.0.0.1:{port}"],
        capture_output=True, text=True, check=True).stdout
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", printed)[1])
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", printed).groups()
    if "Non-2xx" in printed:
        raise SystemExit(printed)
    return rate, float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--allot", type=Path, required=True)
    parser.add_argument("--bare", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=32)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "definitions").mkdir()
        write_definitions(folder / "definitions")
        script = folder / "load.lua"
        script.write_text(SCRIPT)
        servers = [
            subprocess.Popen([
                arguments.allot, "--definitions", folder / "definitions", "--port", "18181", "--exposures",
                folder / "exposures.sqlite", "--log-level", "error"])
        ]
        try:
            body = wait_for("http://127.0.0.1:18181/activeconfig/user/user-1?country=DE&app_version=2.10.1&platform=ios")
            servers.append(subprocess.Popen([arguments.bare, "18182", str(len(body))]))
            wait_for("http://127.0.0.1:18182/activeconfig/user/user-1")
            ports = {"allot-server": 18181, "bare route": 18182}
            results = {name: [] for name in ports}
            for port in ports.values():
                load(port, script, 2, arguments.connections)
            for _ in range(arguments.runs):
                for name, port in ports.items():
                    results[name].append(load(port, script, arguments.seconds, arguments.connections))
        finally:
            for server in servers:
                server.terminate()
                server.wait()
    held = json.loads(body)["meta"]["assignments"]
    print(f"answers of {len(body)} bytes; the first user holds {len(held)} variants; {arguments.connections} connections")
    print("\n| | requests/s | ratio | p99 ms | ratio |\n|---|--:|--:|--:|--:|")
    medians = {name: [statistics.median(column) for column in zip(*runs)] for name, runs in results.items()}
    bare = medians["bare route"]
    for name, (rate, latency) in medians.items():
        print(f"| {name} | {rate:,.0f} | {rate / bare[0]:.2f} | {latency:.2f} | {latency / bare[1]:.2f} |")


if __name__ == "__main__":
    main()
