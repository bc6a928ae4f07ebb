#!/usr/bin/env python3
"""Measures allot-server against a bare Hummingbird route that answers with as many constant bytes.

    swift build -c release --product allot-server
    swift build -c release --package-path Benchmarks/server/ConstantServer
    python3 Benchmarks/server/compare.py --allot .build/release/allot-server \
        --bare Benchmarks/server/ConstantServer/.build/release/ConstantServer

The definitions are the sample folder and 20 more experiments of one setting each. All servers run all the time; wrk loads
them in turns, so that a slow minute of the machine hits each. The kinds of requests:

- plain: every request names another user
- tokens: the same, with a bearer token, of a server that has four
- known: 2,000 users, each with the entity tag of its last answer, so that all answers are 304
- gzip: as plain, and the client accepts gzip
- gzip, 80 % known: apps that fetch again: four of five requests are as known, the others as gzip

Each kind is compared with the bare route that gets the same requests, because wrk takes longer for those with more
headers. What compression costs is the difference between gzip and identity: the same requests, but for the coding.

The time of the processor is that of the server, without wrk's; it says more than the rate when the machine is loaded.
"""

import argparse
import http.client
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

QUERY = "?country=DE&app_version=2.10.1&platform=ios"

PLAIN = """
local n = 0
request = function()
  n = n + 1
  return wrk.format("GET", "/activeconfig/user/user-" .. n .. "%s", %s)
end
"""

# `tags` has the entity tags of users; the first number is how many of 100 requests send one.
KNOWN = """
local n, new = 0, 0
request = function()
  n = n + 1
  if n %% 100 < %d then
    local user = n %% #tags + 1
    return wrk.format("GET", "/activeconfig/user/user-" .. user .. "%s",
      {["Accept-Encoding"] = "gzip", ["If-None-Match"] = tags[user]})
  end
  new = new + 1
  return wrk.format("GET", "/activeconfig/user/new-" .. new .. "%s", {["Accept-Encoding"] = "gzip"})
end
"""

TOKEN = "token-of-the-benchmark-01"
TOKENS = f"configuration {TOKEN}\nexposures token-of-the-benchmark-02\n" \
    "explain token-of-the-benchmark-03\nmetrics token-of-the-benchmark-04\n"


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


def wait_for(origin: str, path: str) -> bytes:
    for _ in range(100):
        try:
            with urllib.request.urlopen(origin + path, timeout=2) as answer:
                return answer.read()
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"nothing answers at {origin}")


def processor_time(process: subprocess.Popen) -> float:
    """The seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def load(
    process: subprocess.Popen, port: int, script: Path, seconds: int, connections: int
) -> tuple[float, float, float]:
    """Returns requests a second, the 99th percentile of the latency in ms, and µs of processor time a request."""
    before = processor_time(process)
    printed = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", str(script), f"http://127.0.0.1:{port}"],
        capture_output=True, text=True, check=True).stdout
    used = processor_time(process) - before
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", printed)[1])
    count = int(re.search(r"(\d+) requests in", printed)[1])
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", printed).groups()
    if "Non-2xx" in printed:
        raise SystemExit(printed)
    return rate, float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit], used / count * 1e6


def entity_tags(port: int, count: int) -> list[str]:
    """The tags of the first users' answers, as those get them that accept gzip."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    tags = []
    for number in range(1, count + 1):
        connection.request("GET", f"/activeconfig/user/user-{number}{QUERY}", headers={"Accept-Encoding": "gzip"})
        answer = connection.getresponse()
        answer.read()
        tags.append(answer.getheader("ETag"))
    return tags


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
        (folder / "tokens").write_text(TOKENS)
        (folder / "tokens").chmod(0o600)
        servers = {}

        def start(name: str, port: int, command: list) -> None:
            servers[name] = (subprocess.Popen(command), port)
            wait_for(f"http://127.0.0.1:{port}", "/health/live" if name != "bare" else "/activeconfig/user/1")

        def script(name: str, text: str) -> Path:
            file = folder / f"{name}.lua"
            file.write_text(text)
            return file

        allot = [arguments.allot, "--definitions", folder / "definitions", "--exposures", "none", "--log-level", "error"]
        try:
            start("allot", 18181, allot + ["--port", "18181"])
            start("tokens", 18183, allot + ["--port", "18183", "--tokens", folder / "tokens"])
            body = wait_for("http://127.0.0.1:18181", f"/activeconfig/user/user-1{QUERY}")
            start("bare", 18182, [arguments.bare, "18182", str(len(body))])
            tags = entity_tags(18181, 2000)
            table = "local tags = {%s}\n" % ",".join("'%s'" % tag for tag in tags)
            plain = script("plain", PLAIN % (QUERY, "{}"))
            scripts = {
                "plain": plain,
                "tokens": script("tokens", PLAIN % (QUERY, '{Authorization = "Bearer %s"}' % TOKEN)),
                "known": script("known", table + KNOWN % (100, QUERY, QUERY)),
                "identity": script("identity", PLAIN % (QUERY, '{["Accept-Encoding"] = "identity"}')),
                "gzip": script("gzip", PLAIN % (QUERY, '{["Accept-Encoding"] = "gzip"}')),
                "gzip, 80 % known": script("mixed", table + KNOWN % (80, QUERY, QUERY)),
            }
            rows = {}
            for name, file in scripts.items():
                rows["bare, " + name] = ("bare", file)
                rows[name] = ("tokens" if name == "tokens" else "allot", file)
            results = {name: [] for name in rows}
            for server in servers.values():
                load(*server, scripts["tokens" if server[1] == 18183 else "plain"], 1, arguments.connections)
            for _ in range(arguments.runs):
                for name, (server, file) in rows.items():
                    results[name].append(load(*servers[server], file, arguments.seconds, arguments.connections))
        finally:
            for process, _ in servers.values():
                process.terminate()
                process.wait()
    held = json.loads(body)["meta"]["assignments"]
    print(f"answers of {len(body)} bytes; the first user holds {len(held)} variants; {arguments.connections} connections")
    print("\n| | requests/s | ratio | p99 ms | ratio | µs of processor | ratio |\n|---|--:|--:|--:|--:|--:|--:|")
    medians = {name: [statistics.median(column) for column in zip(*runs)] for name, runs in results.items()}
    for name, (rate, latency, cost) in medians.items():
        bare = medians["bare, " + name.removeprefix("bare, ")]
        print(
            f"| {name} | {rate:,.0f} | {rate / bare[0]:.2f} | {latency:.2f} | {latency / bare[1]:.2f} "
            f"| {cost:.1f} | {cost / bare[2]:.2f} |")


if __name__ == "__main__":
    main()
