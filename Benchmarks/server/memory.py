#!/usr/bin/env python3
"""Prints the server's memory before and after many requests and many reloads.

    python3 Benchmarks/server/memory.py --allot .build/release/allot-server
"""

import argparse
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PORT = 18184


def resident(process: subprocess.Popen) -> float:
    """Returns the resident memory in MB."""
    text = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024


def load(requests: int) -> int:
    """Sends about the given number of requests; returns how many."""
    sent = 0
    while sent < requests:
        printed = subprocess.run(
            ["wrk", "-t1", "-c32", "-d5s", f"http://127.0.0.1:{PORT}/activeconfig/user/user-1?country=DE"],
            capture_output=True, text=True, check=True).stdout
        sent += int(re.search(r"(\d+) requests in", printed)[1])
    return sent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--allot", type=Path, required=True)
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--reloads", type=int, default=1_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        definitions = Path(temporary) / "definitions"
        shutil.copytree(ROOT / "Experiments", definitions, ignore=shutil.ignore_patterns("games", "schema", "vectors"))
        base = (definitions / "base.yaml").read_text()
        server = subprocess.Popen([
            arguments.allot, "--definitions", definitions, "--port", str(PORT), "--exposures",
            Path(temporary) / "exposures.sqlite", "--log-level", "critical"])
        try:
            time.sleep(1)
            load(100_000)
            warm = resident(server)
            sent = load(arguments.requests)
            loaded = resident(server)
            for number in range(arguments.reloads):
                # Another revision each time: a setting's value changes.
                addition = f"config_sections:\n  Reload: {{ settings: {{ Number: {{ value: {number} }} }} }}\n"
                (definitions / "base.yaml").write_text(base.replace("config_sections:\n", addition, 1))
                server.send_signal(signal.SIGHUP)
                time.sleep(0.02)
                if number == 99:
                    early = resident(server)
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/metrics") as answer:
                reloads = [line for line in answer.read().decode().splitlines() if "reloads_total{" in line]
            reloaded = resident(server)
        finally:
            server.terminate()
            server.wait()
    print(f"after a warm-up {warm:.1f} MB; after {sent:,} requests {loaded:.1f} MB ({loaded / warm - 1:+.1%})")
    print(f"after 100 reloads {early:.1f} MB; after {arguments.reloads} {reloaded:.1f} MB ({reloaded / early - 1:+.1%})")
    print("\n".join(reloads))


if __name__ == "__main__":
    main()
