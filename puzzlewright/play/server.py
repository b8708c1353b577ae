"""The server of `play`: this machine only unless it is told otherwise, this page only, every request within limits.

A page of another site may reach a server on this machine through the user's browser. So the Host header must be ours
(which ends DNS rebinding), what the browser says comes from elsewhere is refused, and POST takes JSON only, which no
form can send. Nothing but fixed paths is served, so that there is no path to traverse.

Where others of the network may reach it, everything needs the token of the link, whatever is asked for: in the address
of the page, which gives it to the browser as a cookie for all that the page asks for.
"""

from __future__ import annotations

import hmac
import io
import os
import secrets
import select
import socket
import sys
import time
import webbrowser
from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from threading import BoundedSemaphore, Thread
from typing import Any
from urllib.parse import parse_qs

from puzzlewright.play.api import TOO_DEEP, Answer, Api, refusal
from puzzlewright.play.pool import Closed
from puzzlewright.play.wire import BAD, BUSY, BadRequest, read_json, write_json

ADDRESS = "127.0.0.1"
EVERYWHERE = "0.0.0.0"
TOKEN = "token"  # its name in the address of the page
MOST_BYTES = 256 * 1024  # of a body
MOST_CONNECTIONS = 64
IDLE = 30.0  # seconds that a request may take until it is read, waiting for it included
SENDING = 30.0  # seconds that a client may take no byte of an answer
PLAY, EDIT, HOME = "page.html", "edit/edit.html", "home.html"  # pages
FIRST, PORTS = 20_000, 10_000
FOLDERS = ("", "edit/", "edit/codemirror/")
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
JSON = "application/json"


def assets(page: str = PLAY) -> dict[str, tuple[str, str]]:
    """Path -> (file below this module's folder, its kind): all that is served besides answers."""
    here = files(__package__)
    names = sorted(f"{folder}{file.name}" for folder in FOLDERS for file in (here / folder).iterdir())
    found = {f"/assets/{name}": (name, kind) for name in names for end, kind in KINDS.items() if name.endswith(end)}
    below = {"/play": (PLAY, "text/html")} if page == HOME else {}
    return {"/": (page, "text/html"), **below, **found}


def own_ports(name: str) -> tuple[int, int]:
    """One that a name always has, so that a browser finds what it has kept for it, and for a free one."""
    return FIRST + int.from_bytes(sha256(os.fsencode(name)).digest()[:4]) % PORTS, 0


class Slow(Exception):
    """The client takes too long."""


class Patient(io.RawIOBase):
    """Reads a socket until a deadline, however slowly the bytes come."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection, self.deadline = connection, 0.0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise Slow
        self.connection.settimeout(left)
        try:
            return self.connection.recv_into(buffer)
        finally:
            self.connection.settimeout(SENDING)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    protocol_version, default_request_version = "HTTP/1.1", "HTTP/1.0"  # so that every answer has headers
    server_version, sys_version = "puzzlewright", ""
    disable_nagle_algorithm = True
    introduced = False  # has this request the token in its address?

    def setup(self) -> None:
        super().setup()
        self.connection.settimeout(SENDING)
        self.raw = Patient(self.connection)
        self.rfile = io.BufferedReader(self.raw)

    def handle_one_request(self) -> None:
        self.raw.deadline = time.monotonic() + IDLE
        try:
            super().handle_one_request()
        except (OSError, Slow, Closed):
            self.close_connection = True

    def log_message(self, format: str, *values: Any) -> None:
        """Nothing: a player's terminal stays as it is."""

    def do_GET(self) -> None:
        self._serve(self._get)

    def do_HEAD(self) -> None:
        self._serve(self._get)

    def do_POST(self) -> None:
        self._serve(self._post)

    # -- answers -------------------------------------------------------------------------------------------------------

    def _serve(self, work: Callable[[str], tuple[int, bytes, str]]) -> None:
        """The answer to a request, or in words why there is none."""
        self.introduced = False
        try:
            self._check_sender()
            self._check_token()
            status, body, kind = work(self.path.partition("?")[0])
        except BadRequest as reason:
            status, body, kind = *refusal(reason), JSON
        except RecursionError:
            status, body, kind = *refusal(TOO_DEEP), JSON
        except (OSError, Slow, Closed):
            raise
        except MemoryError:
            status, body, kind = *refusal(BadRequest(BUSY, "this needs more memory than there is")), JSON
        except Exception as error:
            if os.environ.get("PUZZLEWRIGHT_DEBUG"):
                raise
            words = f"internal error: {type(error).__name__} (PUZZLEWRIGHT_DEBUG=1 shows where)"
            status, body, kind = *refusal(BadRequest(500, words)), JSON
        self._send(status, body, kind)

    def _get(self, path: str) -> tuple[int, bytes, str]:
        if path in self.server.api.gets:
            return *self.server.api.gets[path](), JSON
        if path in self.server.assets:
            name, kind = self.server.assets[path]
            return 200, (files(__package__) / name).read_bytes(), f"{kind}; charset=utf-8"
        if path == "/favicon.ico":
            return 204, b"", "image/x-icon"
        raise self._unknown(path, self.server.api.posts)

    def _post(self, path: str) -> tuple[int, bytes, str]:
        if path not in self.server.api.posts:
            raise self._unknown(path, self.server.assets | self.server.api.gets)
        answer: Answer = self.server.api.posts[path](read_json(self._body()), self._gone)
        return *answer, JSON

    def _unknown(self, path: str, others: Any) -> BadRequest:
        self.close_connection = True  # there may be a body that nobody reads
        if path in others:
            return BadRequest(405, f"{self.command} is not for this address")
        return BadRequest(404, "there is nothing at this address")

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        if self.introduced:
            self.send_header(
                "Set-Cookie", f"{self.server.cookie}={self.server.token}; HttpOnly; SameSite=Strict; Path=/"
            )
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the library says of requests that it cannot read, in our own form."""
        status = 405 if code == 501 else code
        self.close_connection = True
        self.command = getattr(self, "command", None) or "GET"
        self._send(status, write_json({"error": (message or HTTPStatus(code).phrase)[:200]}), JSON)

    # -- requests ------------------------------------------------------------------------------------------------------

    def _check_sender(self) -> None:
        hosts, ours = self.headers.get_all("Host") or [], self._ours()
        if len(hosts) != 1 or hosts[0].strip().lower() not in ours:
            raise self._closing(421, f"this server is for {self.server.page} only")
        origins = {f"http://{host}" for host in ours}
        strange = [origin for origin in self.headers.get_all("Origin") or [] if origin.strip().lower() not in origins]
        site = self.headers.get("Sec-Fetch-Site", "none").strip().lower()
        if strange or site not in ("none", "same-origin"):
            raise self._closing(403, "requests from other sites are refused")

    def _ours(self) -> set[str]:
        """What the Host header may be: for all addresses of the machine the one that is asked."""
        if self.server.token is None:
            return self.server.hosts
        return self.server.hosts | {f"{self.connection.getsockname()[0]}:{self.server.port}"}

    def _check_token(self) -> None:
        """Is it in the address, else in the cookie? Whoever has it in the address gets the cookie."""
        token = self.server.token
        if token is None:
            return
        given = parse_qs(self.path.partition("?")[2]).get(TOKEN, [])
        self.introduced = any(_same(each, token) for each in given)
        if not self.introduced and not any(_same(each, token) for each in self._cookies()):
            raise self._closing(403, "this needs the whole link that `puzzlewright play` has printed, with its token")

    def _cookies(self) -> list[str]:
        """The values of our cookie."""
        try:
            sent = [SimpleCookie(header) for header in self.headers.get_all("Cookie") or []]
        except CookieError:
            return []
        return [cookies[self.server.cookie].value for cookies in sent if self.server.cookie in cookies]

    def _closing(self, status: int, words: str) -> BadRequest:
        self.close_connection = True
        return BadRequest(status, words)

    def _body(self) -> bytes:
        kinds = self.headers.get_all("Content-Type") or []
        if len(kinds) != 1 or kinds[0].partition(";")[0].strip().lower() != JSON:
            raise self._closing(415, f"a request's body must be {JSON}")
        lengths = self.headers.get_all("Content-Length") or []
        if self.headers.get("Transfer-Encoding") or not lengths:
            raise self._closing(411, "a request must say its length")
        if len(lengths) != 1 or not (lengths[0].isascii() and lengths[0].isdigit()) or len(lengths[0]) > 18:
            raise self._closing(BAD, "the length of a request must be a number")
        if int(lengths[0]) > self.server.most_bytes:
            raise self._closing(413, f"a request has at most {self.server.most_bytes} bytes")
        data = self.rfile.read(int(lengths[0]))
        if len(data) != int(lengths[0]):
            raise Closed
        return data

    def _gone(self) -> bool:
        """Has the client closed the connection?"""
        try:
            readable, _, _ = select.select([self.connection], [], [], 0)
            return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)
        except (OSError, ValueError):
            return True


def _same(given: str, token: str) -> bool:
    """In a time that does not tell how much of it is right."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())


def own_address() -> str:
    """The address by which others of the network reach this machine, as far as it knows; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that is nobody's
            return str(probe.getsockname()[0])
        except OSError:
            return ADDRESS


class Server(ThreadingHTTPServer):
    """A thread for each connection, up to a limit. For any address but 127.0.0.1 it has a token."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(
        self, api: Api, port: int = 0, host: str = ADDRESS, *, page: str = PLAY, most_bytes: int = MOST_BYTES
    ) -> None:
        super().__init__((host, port), Handler)
        self.api, self.assets, self.most_bytes = api, assets(page), most_bytes
        self.port: int = self.server_address[1]
        self.token = None if host == ADDRESS else secrets.token_urlsafe(16)
        self.cookie = f"puzzlewright-{self.port}"  # browsers have one jar for all ports of a machine
        names = (ADDRESS, "localhost") if self.token is None else (host,)
        self.hosts = {f"{name}:{self.port}" for name in names} | (set(names) if self.port == 80 else set())
        self.page = f"http://{own_address() if host == EVERYWHERE else host}:{self.port}/"
        self.url = self.page + ("" if self.token is None else f"?{TOKEN}={self.token}")
        self.room = BoundedSemaphore(MOST_CONNECTIONS)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self.room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing but on demand: what goes wrong with a connection is nobody's business."""
        if os.environ.get("PUZZLEWRIGHT_DEBUG"):
            super().handle_error(request, client_address)


def serve(server: Server, browser: bool) -> None:
    """Serve until Ctrl-C; the address is printed, and opened in the browser where that is wanted."""
    pools = server.api.pools
    try:
        for pool in pools:
            pool.warm_up()
        print(server.url, flush=True)
        if server.token is not None:
            print("whoever in the network has this whole link can play here", file=sys.stderr, flush=True)
        print("Ctrl-C ends it", file=sys.stderr, flush=True)
        if browser:
            Thread(target=webbrowser.open, args=(server.url,), daemon=True).start()
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
        for pool in pools:
            pool.close()
