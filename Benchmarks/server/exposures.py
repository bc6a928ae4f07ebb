#!/usr/bin/env python3
"""Sends batches of 100 exposures from several connections, each waiting for its answer, and prints exposures a second.

    python3 Benchmarks/server/exposures.py --allot .build/release/allot-server --seconds 20

Every answer means that the batch is on the disk. Afterwards the server's own counts are compared with what was sent.
"""

import argparse
import http.client
import json
import multiprocessing
import subprocess
import tempfile
import time
import urllib.request
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PORT = 18183
BATCH = 100


def send(seconds: float, results: multiprocessing.Queue) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", PORT)
    sent, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        batch = [
            {"id": str(uuid.uuid4()), "unit": str(uuid.uuid4()), "experiment": "buy-button", "variant": "control",
             "at": "2026-11-01T12:00:00Z"} for _ in range(BATCH)]
        connection.request(
            "POST", "/exposures", json.dumps({"exposures": batch}), {"Content-Type": "application/json"})
        answer = json.load(connection.getresponse())
        assert answer["stored"] == BATCH, answer
        sent += BATCH
    results.put(sent)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--allot", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--connections", type=int, default=8)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([
            arguments.allot, "--definitions", ROOT / "Experiments", "--port", str(PORT), "--exposures",
            Path(folder) / "exposures.sqlite", "--log-level", "error"])
        try:
            for _ in range(100):
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health/live").read()
                    break
                except OSError:
                    time.sleep(0.05)
            results = multiprocessing.Queue()
            workers = [
                multiprocessing.Process(target=send, args=(arguments.seconds, results))
                for _ in range(arguments.connections)]
            start = time.monotonic()
            for worker in workers:
                worker.start()
            sent = sum(results.get() for _ in workers)
            elapsed = time.monotonic() - start
            url = f"http://127.0.0.1:{PORT}/experiments/buy-button/exposures"
            counted = sum(variant["units"] for variant in json.load(urllib.request.urlopen(url))["variants"])
        finally:
            server.terminate()
            server.wait()
    print(f"{sent:,} exposures in {elapsed:.1f} s: {sent / elapsed:,.0f} a second; the server counts {counted:,}")
    assert counted == sent


if __name__ == "__main__":
    main()
