#!/usr/bin/env python3
"""Measures what HTTP/2 costs allot-server, against HTTP/1.1 with TLS too.

    apt-get install nghttp2-client openssl
    swift build -c release --product allot-server
    python3 Benchmarks/server/http2.py --allot .build/release/allot-server

The definitions are those of compare.py. One server runs all the time; h2load loads it in turns over both versions, with
as many connections, and over HTTP/2 with one stream of each at a time (as HTTP/1.1 has it) and with ten. The requests
are

- direct: configurations, which are answered on the event loop
- passed on: flags of OpenFeature, which tasks answer
- known: configurations that the client has, which are answered with 304

The time of the processor is that of the server; its ratio to HTTP/1.1 is what counts. The aim is at most 1.5.
"""

import argparse
import re
import ssl
import statistics
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

from compare import QUERY, processor_time, write_definitions

PORT = 18184
ORIGIN = f"https://127.0.0.1:{PORT}"


def fetch(path: str) -> "http.client.HTTPResponse":
    for _ in range(100):
        try:
            return urllib.request.urlopen(ORIGIN + path, timeout=2, context=ssl._create_unverified_context())
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"nothing answers at {ORIGIN}")


def load(process: subprocess.Popen, options: list[str], seconds: int, connections: int) -> tuple[float, float]:
    """Returns requests a second, and µs of processor time a request."""
    before = processor_time(process)
    printed = subprocess.run(
        ["h2load", f"-c{connections}", "-t1", f"-D{seconds}", *options], capture_output=True, text=True, check=True
    ).stdout
    used = processor_time(process) - before
    count = int(re.search(r"requests: .* (\d+) done", printed)[1])
    if not re.search(r"status codes: \d+ 2xx, \d+ 3xx, 0 4xx, 0 5xx", printed) or count == 0:
        raise SystemExit(printed)
    return count / seconds, used / count * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--allot", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=32)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "definitions").mkdir()
        write_definitions(folder / "definitions")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", "/CN=localhost", "-keyout", folder / "key.pem",
             "-out", folder / "certificate.pem"],
            capture_output=True, check=True)
        process = subprocess.Popen(
            [arguments.allot, "--definitions", folder / "definitions", "--exposures", "none", "--log-level", "error",
             "--port", str(PORT), "--tls-certificate", folder / "certificate.pem", "--tls-key", folder / "key.pem"])
        try:
            configuration = f"/activeconfig/user/user-1{QUERY}"
            tag = fetch(configuration).headers["ETag"]
            flags = folder / "flags.json"
            flags.write_text('{"context": {"targetingKey": "user-1", "country": "DE"}}')
            requests = {
                "direct": [ORIGIN + configuration],
                "known": ["-H", f"if-none-match: {tag}", ORIGIN + configuration],
                "passed on": ["-H", "content-type: application/json", "-d", flags, ORIGIN + "/ofrep/v1/evaluate/flags"],
            }
            versions = {"HTTP/1.1": ["--h1"], "HTTP/2": ["-m1"], "HTTP/2, 10 streams": ["-m10"]}
            results = {(kind, version): [] for kind in requests for version in versions}
            for _ in range(arguments.runs):
                for kind, version in results:
                    options = versions[version] + requests[kind]
                    results[kind, version].append(load(process, options, arguments.seconds, arguments.connections))
        finally:
            process.terminate()
            process.wait()
    print("| | requests/s | µs of processor | ratio |\n|---|--:|--:|--:|")
    medians = {name: [statistics.median(column) for column in zip(*runs)] for name, runs in results.items()}
    for (kind, version), (rate, cost) in medians.items():
        print(f"| {kind}, {version} | {rate:,.0f} | {cost:.1f} | {cost / medians[kind, 'HTTP/1.1'][1]:.2f} |")


if __name__ == "__main__":
    main()
