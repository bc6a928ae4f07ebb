#!/usr/bin/env python3
"""Measures allot-server with a large definitions folder: memory, idle time, requests, a reload, and event streams.

    python3 Benchmarks/scale/generate.py /tmp/definitions
    swift build -c release --product allot-server
    python3 Benchmarks/scale/server.py --allot .build/release/allot-server --definitions /tmp/definitions

Requests go on during the reload unless --quiet is given, and the longest of them is printed. The times of listeners
count from the writing of the file, and from the first listener that receives it, which is when the new plan replaces the
old one.
"""

import argparse
import http.client
import json
import os
import re
import resource
import select
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

PORT = 18185
ADDRESS = ("127.0.0.1", PORT)
# A process has one socket for each listener, and the server one for each of all processes' listeners.
PER_PROCESS = 2_500


def memory(process: subprocess.Popen, name: str = "VmRSS") -> float:
    """Returns a size of the process in MB: VmRSS, or VmHWM for the most since the last reset."""
    text = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(name + r":\s+(\d+)", text)[1]) / 1024


def processor(process: subprocess.Popen) -> float:
    """Returns the seconds of processor time that the process took so far."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start(arguments: argparse.Namespace, store: Path) -> subprocess.Popen:
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    began = time.monotonic()
    server = subprocess.Popen([
        arguments.allot, "--definitions", arguments.definitions, "--port", str(PORT), "--exposures", store,
        "--log-level", "critical", "--max-settings", "1000000", "--max-value-bytes", "1000000000",
        "--max-connections", str(arguments.listeners + 500), "--max-event-streams", str(arguments.listeners)])
    while True:
        try:
            answer("/health/ready")
            break
        except OSError:
            if server.poll() is not None:
                raise SystemExit("the server has stopped") from None
            time.sleep(0.05)
    print(f"ready after {time.monotonic() - began:.1f} s; {processor(server):.1f} s of processor time")
    print(f"memory: {memory(server):.0f} MB, at most {memory(server, 'VmHWM'):.0f} MB while loading")
    return server


def answer(target: str, body: bytes | None = None) -> bytes:
    connection = http.client.HTTPConnection(*ADDRESS, timeout=60)
    connection.request("GET" if body is None else "POST", target, body, {"Content-Type": "application/json"})
    found = connection.getresponse().read()
    connection.close()
    return found


def load(name: str, script: str) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script)
        file.flush()
        printed = subprocess.run(
            ["wrk", "-t1", "-c8", "-d5s", "-s", file.name, "--latency", f"http://{ADDRESS[0]}:{PORT}"],
            capture_output=True, text=True, check=True).stdout
    rate = re.search(r"Requests/sec:\s+([0-9.]+)", printed)[1]
    slow = re.search(r"99%\s+(\S+)", printed)[1]
    print(f"{name}: {float(rate):,.0f} requests a second, p99 {slow}")


def requests(arguments: argparse.Namespace) -> None:
    base = (Path(arguments.definitions) / "base.yaml").read_text().splitlines()
    section, setting = base[1].strip(" :"), base[3].split(":")[0].strip()
    print(f"a configuration has {len(answer('/activeconfig/user/user-1?country=DE')):,} bytes")
    load("whole configurations", """
        local n = 0
        request = function()
          n = n + 1
          return wrk.format("GET", "/activeconfig/user/user-" .. n .. "?country=DE&platform=ios&app_version=2.4.0")
        end""")
    load("one flag", f"""
        local n = 0
        request = function()
          n = n + 1
          return wrk.format("POST", "/ofrep/v1/evaluate/flags/{section}.{setting}", {{["Content-Type"] = "application/json"}},
            '{{"context": {{"targetingKey": "user-' .. n .. '", "country": "DE"}}}}')
        end""")


def listen(count: int, ready: int, told: int) -> None:
    """A process with listeners: says when all have the current state, and when each receives the change."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    poll = select.epoll()
    sockets = {}
    for _ in range(count):
        connection = socket.create_connection(ADDRESS)
        connection.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        connection.setblocking(False)
        sockets[connection.fileno()] = connection
        poll.register(connection, select.EPOLLIN)
    greeted, times = set(), {}
    while len(times) < count:
        for number, _ in poll.poll():
            data = sockets[number].recv(65536)
            if not data:
                raise SystemExit("an event stream was closed")
            if b"data:" not in data:
                continue
            if number not in greeted:
                greeted.add(number)
                if len(greeted) == count:
                    os.write(ready, b".")
            else:
                times[number] = time.time()
    os.write(told, json.dumps([min(times.values()), max(times.values())]).encode() + b"\n")


def reload(arguments: argparse.Namespace, server: subprocess.Popen) -> None:
    """Changes one file with all listeners connected, while requests go on unless there shall be none."""
    ready_out, ready_in = os.pipe()
    told_out, told_in = os.pipe()
    began = time.monotonic()
    children = []
    for first in range(0, arguments.listeners, PER_PROCESS):
        child = os.fork()
        if child == 0:
            listen(min(PER_PROCESS, arguments.listeners - first), ready_in, told_in)
            os._exit(0)
        children.append(child)
    for _ in children:
        os.read(ready_out, 1)
    print(f"{arguments.listeners:,} listeners connected in {time.monotonic() - began:.1f} s; {memory(server):.0f} MB")
    before = processor(server)
    time.sleep(10)
    print(f"idle: {(processor(server) - before) * 10:.1f} % of one core")

    slowest, stop = [0.0], threading.Event()

    def ask() -> None:
        connection = http.client.HTTPConnection(*ADDRESS, timeout=60)
        number = 0
        while not stop.is_set():
            number += 1
            start = time.monotonic()
            connection.request("GET", f"/activeconfig/user/user-{number}?country=DE")
            connection.getresponse().read()
            slowest[0] = max(slowest[0], time.monotonic() - start)
            time.sleep(0.005)

    asking = threading.Thread(target=ask)
    if not arguments.quiet:
        asking.start()
        time.sleep(2)
        print(f"the slowest request before the reload: {slowest[0] * 1000:.0f} ms")
        slowest[0] = 0
    Path(f"/proc/{server.pid}/clear_refs").write_text("5")
    before, changed = processor(server), time.time()
    path = sorted(Path(arguments.definitions).glob("*-*.yaml"))[0]
    text = path.read_text()
    path.write_text(text.replace("status: running", "status: draft", 1) if "status: running" in text
                    else text.replace("status: draft", "status: running", 1))
    lines = b""
    while lines.count(b"\n") < len(children):
        lines += os.read(told_out, 4096)
    times = [json.loads(line) for line in lines.splitlines()]
    first, last = min(time[0] for time in times), max(time[1] for time in times)
    stop.set()
    if not arguments.quiet:
        asking.join()
    path.write_text(text)
    print(f"reload: the first listener receives it after {first - changed:.2f} s, all {arguments.listeners:,} within "
          f"{last - first:.2f} s of it; {processor(server) - before:.1f} s of processor time")
    if not arguments.quiet:
        print(f"the slowest request meanwhile: {slowest[0] * 1000:.0f} ms")
    print(f"memory: at most {memory(server, 'VmHWM'):.0f} MB with both plans, {memory(server):.0f} MB after")
    for child in children:
        os.waitpid(child, 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--allot", type=Path, required=True)
    parser.add_argument("--definitions", type=Path, required=True)
    parser.add_argument("--listeners", type=int, default=10_000)
    parser.add_argument("--quiet", action="store_true", help="change the file while no configurations are requested")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        server = start(arguments, Path(temporary) / "exposures.sqlite")
        try:
            requests(arguments)
            reload(arguments, server)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
