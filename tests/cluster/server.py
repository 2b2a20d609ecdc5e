"""A temporary PostgreSQL server for tests, and an engine that sleeps."""

import asyncio
import os
import pathlib
import shutil
import socket
import subprocess
import threading
import time


def binaries():
    """Returns the folder of initdb and pg_ctl. Debian does not put it on the PATH."""
    found = list(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return max(found, key=lambda path: int(path.parent.parent.name)).parent
    return pathlib.Path(shutil.which("initdb")).parent


def port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Server:
    """A PostgreSQL server on 127.0.0.1. PostgreSQL refuses to run as root, so root starts it as the user postgres."""

    def __init__(self, folder, settings=()):
        self.folder, self.port, self.settings = folder, port(), list(settings)
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres?sslmode=disable"
        self.user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []

    def __enter__(self):
        self.folder.mkdir(exist_ok=True)
        if self.user:
            shutil.chown(self.folder, "postgres")
        self.call("initdb", "-A", "trust", "-U", "postgres", "-D", self.folder / "data")
        self.start()
        return self

    def __exit__(self, *_):
        self.call("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop", check=False)

    def call(self, program, *args, check=True):
        command = [*self.user, str(binaries() / program), *map(str, args)]
        return subprocess.run(command, check=check, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode

    def start(self, check=True):
        options = f"-k {self.folder} -h 127.0.0.1 -p {self.port} -c max_connections=400"
        options += "".join(f" -c {setting}" for setting in self.settings)
        log = self.folder / "log"
        return self.call("pg_ctl", "-D", self.folder / "data", "-l", log, "-w", "-t", "60", "-o", options, "start", check=check)

    def stop(self, mode):
        self.call("pg_ctl", "-D", self.folder / "data", "-w", "-m", mode, "stop", check=False)

    def ask(self, query):
        """Returns the rows of a query as lists of texts."""
        command = [str(binaries() / "psql"), "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", self.url, "-c", query]
        for _ in range(60):
            told = subprocess.run(command, text=True, capture_output=True)
            if told.returncode != 2:
                break
            # The server is not reachable yet.
            time.sleep(0.5)
        assert told.returncode == 0, f"{query}: {told.stderr}"
        return [line.split("\t") for line in told.stdout.splitlines()]

    def one(self, query):
        return self.ask(query)[0][0]


class Distance:
    """A proxy of the server that delays everything by `way` milliseconds in each direction, like a distant network."""

    def __init__(self, server, way):
        self.behind, self.way, self.port = server.port, way / 1000, port()
        self.url = server.url.replace(f":{server.port}/", f":{self.port}/")
        listens = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.serve(listens)), daemon=True).start()
        listens.wait()

    async def serve(self, listens):
        server = await asyncio.start_server(self.connect, "127.0.0.1", self.port, backlog=400)
        listens.set()
        await server.serve_forever()

    async def connect(self, reader, writer):
        there, back = await asyncio.open_connection("127.0.0.1", self.behind)
        await asyncio.gather(self.carry(reader, back), self.carry(there, writer))

    async def carry(self, reader, writer):
        said, clock = asyncio.Queue(), asyncio.get_running_loop().time

        async def arrive():
            while (due := await said.get())[1]:
                await asyncio.sleep(max(0, due[0] - clock()))
                writer.write(due[1])
            writer.close()

        arriving = asyncio.create_task(arrive())
        try:
            while text := await reader.read(1 << 16):
                said.put_nowait((clock() + self.way, text))
        except OSError:
            pass
        said.put_nowait((0, b""))
        await arriving


def sleeper(root, into):
    """Builds the engine that sleeps. Returns its path."""
    program = into / "sleeper"
    subprocess.run(["rustc", "--edition", "2024", "-O", str(root / "tests/cluster/sleeper.rs"), "-o", str(program)], check=True)
    return program


def wait(what, holds, seconds=300):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(f"not reached within {seconds} s: {what}")
        time.sleep(0.1)
