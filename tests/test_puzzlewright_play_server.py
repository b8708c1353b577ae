"""The server of `play`: what it refuses, that it stays responsive, that it stops work nobody waits for, and that no
request whatever gets a fault or a trace of one."""

from __future__ import annotations

import http.client
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from threading import Event, Thread
from typing import Any

import pytest
from game_texts import HOSTILE, LINE, ODOMETER
from hypothesis import given, settings
from hypothesis import strategies as st
from puzzle_files import PUZZLES
from running import until
from sampled import slow

from puzzlewright.play import pool as pooling
from puzzlewright.play import server as serving
from puzzlewright.play import worker as working
from puzzlewright.play.api import Api
from puzzlewright.play.catalogue import Catalogue, Chosen
from puzzlewright.play.game import GameSource
from puzzlewright.play.pool import Gone, Pool
from puzzlewright.play.server import HEADERS, MOST_BYTES, Server
from puzzlewright.play.wire import BadRequest, write_json
from puzzlewright.solving.backends import BACKENDS

LINE_GAME = {"puzzle": "line", "level": None, "seed": 0}
FOREVER = {"game": {"puzzle": "long"}, "state": {"a": 0, "b": 0, "c": 0}, "backend": "rbfs", "limits": {"seconds": 100}}
Answer = tuple[int, dict[str, str], bytes]


class Several(Catalogue):
    """A catalogue of texts, for the tests."""

    texts = {"line": LINE, "long": ODOMETER, "hostile": HOSTILE}

    def _source(self, body: dict[str, Any]) -> Any:
        name = body.get("puzzle", "line")
        self.chosen = Chosen(name, self.texts[name], f"{name}.yaml") if name in self.texts else Chosen("", "", "")
        return super()._source(body)


@contextmanager
def running(catalogue: Catalogue, pool: Pool, host: str = "127.0.0.1") -> Iterator[Server]:
    server = Server(Api(catalogue, pool, tuple(BACKENDS)), host=host)
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        pool.close()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(Catalogue(Chosen("line", LINE, "line.yaml")), Pool()) as found:
        yield found


def ask(server: Server, method: str, path: str, body: bytes | None = None, **headers: str | None) -> Answer:
    """One request by hand, so that nothing in it is improved; a header that is None is left out."""
    sent = {"Host": f"{server.server_address[0]!s}:{server.port}", "Content-Type": "application/json"}
    sent |= {} if body is None else {"Content-Length": str(len(body))}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in sent.items() if value is not None)
    raw = talk(server, f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + (body or b""))
    return parsed(raw)


def talk(server: Server, data: bytes, half: bool = False) -> bytes:
    """What comes back for these bytes, until the server closes the connection or has answered in full."""
    with closing(socket.create_connection(server.server_address[:2], timeout=300)) as connection:
        connection.sendall(data)
        if half:
            connection.shutdown(socket.SHUT_WR)
        received = b""
        while not whole(received):
            part = connection.recv(1 << 16)
            if not part:
                break
            received += part
        return received


def whole(raw: bytes) -> bool:
    head, gap, body = raw.partition(b"\r\n\r\n")
    lengths = [line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")]
    return bool(gap and lengths) and len(body) >= int(lengths[0].partition(b":")[2])


def parsed(raw: bytes) -> Answer:
    head, _, body = raw.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return int(first.split()[1]), headers, body


def post(server: Server, path: str, **body: Any) -> tuple[int, Any]:
    status, _, answer = ask(server, "POST", path, json.dumps(body).encode())
    return status, json.loads(answer)


def words(answer: Answer) -> str:
    return str(json.loads(answer[2])["error"])


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", [None, "evil.example", "127.0.0.1", "localhost", "127.0.0.1:1", "127.0.0.1.evil.example", "[::1]", ""]
)
def test_other_hosts(server: Server, host: str | None) -> None:
    for method, path in (("GET", "/"), ("GET", "/api/puzzles"), ("POST", "/api/game")):
        answer = ask(server, method, path, b"{}", Host=host)
        assert (answer[0], words(answer)) == (421, f"this server is for http://127.0.0.1:{server.port}/ only")


def test_two_hosts(server: Server) -> None:
    raw = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nHost: evil.example\r\n\r\n".encode()
    assert parsed(talk(server, raw))[0] == 421


def test_our_own_names(server: Server) -> None:
    for host in (f"127.0.0.1:{server.port}", f"localhost:{server.port}", f"LOCALHOST:{server.port}"):
        assert ask(server, "GET", "/api/puzzles", Host=host)[0] == 200
        assert ask(server, "POST", "/api/game", b"{}", Host=host, Origin=f"http://{host}")[0] == 200


def test_others_of_the_network_need_the_token() -> None:
    """For whatever path: in the address of the page, or in the cookie that this gives, one for each port."""
    with running(Catalogue(Chosen("line", LINE, "line.yaml")), Pool(), "127.0.0.2") as shared:
        token, page, api = shared.token, ("GET", "/"), ("GET", "/api/puzzles")
        assert token is not None and len(token) >= 20 and shared.url == f"http://127.0.0.2:{shared.port}/?token={token}"
        paths = [("GET", path) for path in (*shared.assets, *shared.api.gets, "/favicon.ico", "/none")]
        paths += [("HEAD", "/"), *(("POST", path) for path in shared.api.posts)]
        cookie = f"{shared.cookie}={token}"
        for wrong in (None, "", f"{shared.cookie}=", f"{shared.cookie}={token[:-1]}", f"{shared.cookie}={token}x",
                      f"puzzlewright-1={token}", f"{shared.cookie}=\xe9", "=;=", cookie.upper()):  # fmt: skip
            for method, path in paths if wrong is None else (page, api):
                assert ask(shared, method, path, b"{}" if method == "POST" else None, Cookie=wrong)[0] == 403
        assert ask(shared, "GET", f"/?token={token}x")[0] == ask(shared, "GET", "/?token=%E9&token=")[0] == 403
        status, headers, _ = ask(shared, "GET", f"/?token={token}")
        assert status == 200 and headers["set-cookie"] == f"{cookie}; HttpOnly; SameSite=Strict; Path=/"
        status, headers, _ = ask(shared, "GET", "/assets/play.js", Cookie=f"other=1; {cookie}")
        assert status == 200 and "set-cookie" not in headers
        assert ask(shared, "POST", "/api/game", b"{}", Cookie=cookie)[0] == 200
        assert ask(shared, "GET", "/", Cookie=cookie, Host=f"evil.example:{shared.port}")[0] == 421
        assert ask(shared, "GET", "/", Cookie=cookie, Origin="http://evil.example")[0] == 403


def test_this_machine_needs_no_token(server: Server) -> None:
    status, headers, _ = ask(server, "GET", "/?token=x")
    assert server.token is None and "token" not in server.url and status == 200 and "set-cookie" not in headers


@pytest.mark.parametrize(
    "header",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_requests_from_other_sites(server: Server, header: dict[str, str]) -> None:
    for method, path in (("GET", "/"), ("POST", "/api/game")):
        assert ask(server, method, path, b"{}", **header)[0] == 403
    assert ask(server, "GET", "/api/puzzles", Sec_Fetch_Site="none")[0] == 200
    assert ask(server, "POST", "/api/game", b"{}", Sec_Fetch_Site="same-origin")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/assets/server.py",
        "/assets/../server.py",
        "/assets/..%2fserver.py",
        "/assets/%2e%2e/server.py",
        "/assets/play.css/../server.py",
        "/../../../../etc/passwd",
        "//etc/passwd",
        "/assets//etc/passwd",
        "/assets/..\\server.py",
        "/assets/",
        "/assets",
        "/page.html",
        "/api",
        "/api/",
        "http://127.0.0.1/",
        "*",
        "/%00",
        "/assets/play.css%00.py",
    ],
)
def test_paths_that_are_none(server: Server, path: str) -> None:
    answer = ask(server, "GET", path)
    assert (answer[0], words(answer)) == (404, "there is nothing at this address")


def test_what_is_served_is_the_page_and_what_it_needs(server: Server) -> None:
    kinds = {"html", "js", "css", "svg"}
    assert {name.rpartition(".")[2] for name, _ in server.assets.values()} <= kinds
    for path, (_, kind) in server.assets.items():
        status, headers, body = ask(server, "GET", f"{path}?level=1")
        assert (status, headers["content-type"]) == (200, f"{kind}; charset=utf-8")
        assert body
    assert ask(server, "GET", "/favicon.ico")[0] == 204


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/api/move"), ("POST", "/"), ("POST", "/api/puzzles"), ("PUT", "/"), ("DELETE", "/api/move"),
     ("OPTIONS", "/api/move"), ("PATCH", "/"), ("TRACE", "/"), ("CONNECT", "/"), ("get", "/")],
)  # fmt: skip
def test_methods_that_are_none(server: Server, method: str, path: str) -> None:
    assert ask(server, method, path, b"{}")[0] == 405


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_bodies_that_are_no_json_by_their_own_word(server: Server, kind: str | None) -> None:
    assert ask(server, "POST", "/api/game", b"{}", Content_Type=kind)[0] == 415


def test_lengths(server: Server) -> None:
    def status(**headers: str | None) -> int:
        return ask(server, "POST", "/api/game", b"{}", **headers)[0]

    assert status(Content_Length=None) == 411
    assert status(Transfer_Encoding="chunked") == 411
    assert [status(Content_Length=text) for text in ("-1", "x", "1e3", "²", "9" * 30)] == [400] * 5
    assert status(Content_Length=str(MOST_BYTES + 1)) == 413
    exact = json.dumps({"puzzle": "line", "pad": ""}).encode()
    padded = exact.replace(b'""', b'"' + b"x" * (MOST_BYTES - len(exact)) + b'"')
    assert len(padded) == MOST_BYTES
    assert ask(server, "POST", "/api/game", padded)[0] == 200


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"1", b"null", b'"x"', b"\xff\xfe", b"{'a': 1}", b'{"a": NaN}', b'{"a": -Infinity}', b"{}{}",
     b"[" * 100_000, b'{"a":' * 40_000, b'{"state": ' + b"[" * 900 + b"]" * 900 + b"}", b"1" * 6000,
     b'{"puzzle": "\\ud800"}', b'{"puzzle": 1}', b'{"seed": 1e400}', b'{"seed": true}', b'{"level": []}',
     b'{"puzzle": "' + b"x" * 5000 + b'"}'],
)  # fmt: skip
def test_bodies_that_are_wrong(server: Server, body: bytes) -> None:
    for path in ("/api/game", "/api/moves"):
        answer = ask(server, "POST", path, body)
        assert answer[0] in (400, 404) or (path == "/api/game" and b"state" in body)
        assert "Traceback" not in answer[2].decode()


@pytest.mark.parametrize(
    ("path", "change", "status", "told"),
    [
        ("/api/game", {"puzzle": "chess"}, 404, "there is no puzzle 'chess' here"),
        ("/api/game", {"level": "none"}, 400, "there is no level 'none'"),
        ("/api/game", {"metric": "none"}, 400, "`metric` must be one of cost"),
        ("/api/game", {"seed": "x"}, 400, "`seed` must be a whole number"),
        ("/api/moves", {"game": None}, 400, "`game` must be an object"),
        ("/api/moves", {"state": [1]}, 400, "`state` must be an object"),
        ("/api/moves", {"state": {"x": 9}}, 400, "x is 9, which is no value of `place`"),
        ("/api/move", {"action": None}, 400, "`action` must be a text"),
        ("/api/move", {"action": "swim"}, 400, "there is no action 'swim'"),
        ("/api/move", {"args": []}, 400, "`args` must be an object"),
        ("/api/move", {"args": {"y": 1}}, 400, "`jump` has the parameters none"),
        ("/api/edit", {"variable": 1}, 400, "`variable` must be a text"),
        ("/api/edit", {"changes": 1}, 400, "`changes` must be an object"),
        ("/api/hint", {"degree": "all"}, 400, "`degree` must be one of"),
        ("/api/hint", {"seconds": 1000}, 400, "`seconds` must be a number above 0, at most 20"),
        ("/api/hint", {"seconds": 0}, 400, "`seconds` must be a number above 0"),
        ("/api/solve", {"backend": "magic"}, 400, "`backend` must be one of auto, bfs"),
        ("/api/solve", {"heuristic": "none"}, 400, "`heuristic` must be one of blind"),
        ("/api/solve", {"limits": {"nodes": -1}}, 400, "`nodes` must be a whole number from 0"),
        ("/api/trace", {"nodes": 10**9}, 400, "`nodes` must be a whole number from 0 to 3000"),
    ],
)
def test_requests_that_are_wrong(server: Server, path: str, change: dict[str, Any], status: int, told: str) -> None:
    body = {"game": LINE_GAME, "state": {"x": 0}, "action": "jump", "args": {}, "variable": "x", "value": 1,
            "degree": "next", **LINE_GAME, **change}  # fmt: skip
    found, answer = post(server, path, **body)
    assert (found, told in answer["error"]) == (status, True), answer


def test_every_answer_has_the_headers(server: Server) -> None:
    answers = [
        ask(server, "GET", "/"),
        ask(server, "GET", "/none"),
        ask(server, "PUT", "/"),
        ask(server, "POST", "/api/game", b"{}"),
        ask(server, "GET", "/", Host="evil.example"),
        ask(server, "POST", "/api/game", b"{"),
        parsed(talk(server, b"GET /\r\n\r\n")),  # as before HTTP had headers
        parsed(talk(server, b"\x16\x03\x01\r\n\r\n")),  # no HTTP at all
    ]
    for _, headers, _ in answers:
        assert {name: headers.get(name.lower()) for name in HEADERS} == HEADERS
    policy = HEADERS["Content-Security-Policy"]
    for part in ("default-src 'none'", "script-src 'self';", "style-src 'self';", "frame-ancestors 'none'"):
        assert part in policy
    assert "unsafe" not in policy


def test_names_of_a_file_go_out_as_text() -> None:
    with running(Several(), Pool()) as server:
        status, headers, body = ask(server, "POST", "/api/game", b'{"puzzle": "hostile"}')
        assert (status, headers["content-type"]) == (200, "application/json")
        told = json.loads(body)
        assert told["title"] == "<script>alert(1)</script>"
        assert "<script" not in told["svg"]
        assert "onload=alert(1)>" not in told["svg"]


# -- connections -------------------------------------------------------------------------------------------------------


def test_a_connection_serves_several_requests(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    for _ in range(3):
        connection.request("POST", "/api/game", b"{}", {"Content-Type": "application/json"})
        assert json.loads(connection.getresponse().read())["title"] == "Line"
    connection.request("HEAD", "/")
    assert connection.getresponse().read() == b""
    connection.close()


@pytest.mark.parametrize("sent", [b"", b"GET", b"GET / HTTP/1.1\r\nHost: x", b"POST /api/game HTTP/1.1\r\n"])
def test_slow_clients_are_let_go(server: Server, sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """However they keep the connection busy: byte by byte within any pause."""
    monkeypatch.setattr(serving, "IDLE", 0.4)
    with closing(socket.create_connection(server.server_address[:2], timeout=300)) as connection:
        connection.sendall(sent)
        started = time.monotonic()
        closed = False
        while not closed and time.monotonic() < started + 20:
            try:
                connection.sendall(b"x")
                ready, _, _ = select.select([connection], [], [], 0.1)
                closed = bool(ready) and connection.recv(1000) == b""
            except OSError:
                closed = True
        assert closed


def test_a_body_that_never_comes(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "IDLE", 0.4)
    host = f"Host: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
    raw = f"POST /api/game HTTP/1.1\r\n{host}Content-Length: 100\r\n\r\n{{".encode()
    assert talk(server, raw) == b""


def test_more_connections_than_there_is_room_for() -> None:
    with running(Catalogue(Chosen("line", LINE, "line.yaml")), Pool()) as small:
        small.room = type(small.room)(2)
        held = [socket.create_connection(("127.0.0.1", small.port), timeout=300) for _ in range(2)]
        assert until(lambda: not small.room._value)
        assert talk(small, b"GET / HTTP/1.1\r\n\r\n") == b""
        for connection in held:
            connection.close()
        assert until(lambda: small.room._value == 2)
        assert post(small, "/api/game")[0] == 200


# -- long work ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def several() -> Iterator[Server]:
    with running(Several(), Pool()) as found:
        yield found


@contextmanager
def long_work(server: Server) -> Iterator[tuple[socket.socket, Event]]:
    """A request whose answer takes very long, and an event for its end."""
    body = json.dumps(FOREVER).encode()
    head = f"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
    ended = Event()
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=200)) as connection:
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)

        def wait() -> None:
            with suppress(OSError):
                connection.recv(1)
            ended.set()

        Thread(target=wait, daemon=True).start()
        yield connection, ended
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)


def busy(server: Server) -> list[Any]:
    return [each for each in server.api.pool.all if each not in server.api.pool.idle]


def test_players_go_on_while_a_long_search_runs(several: Server) -> None:
    """Three of them play to the goal, one takes a hint; all that while the search has not ended."""
    won: list[int] = []

    def play(number: int) -> None:
        state = post(several, "/api/game")[1]["state"]
        for _ in range(2):
            state = post(several, "/api/move", game={}, state=state, action="jump", args={})[1]["state"]
        if post(several, "/api/moves", game={}, state=state)[1]["goal"]:
            won.append(number)

    with long_work(several) as (_, ended):
        assert until(lambda: len(busy(several)) == 1)
        players = [Thread(target=play, args=(number,)) for number in range(3)]
        for player in players:
            player.start()
        status, hint = post(several, "/api/hint", game={}, state={"x": 0}, degree="next")
        for player in players:
            player.join()
        assert not ended.is_set()
    assert sorted(won) == [0, 1, 2]
    assert (status, hint["answer"], hint["cost"]) == (200, "best", 2)


def test_a_closed_page_stops_its_work(several: Server) -> None:
    with long_work(several) as (connection, _):
        assert until(lambda: len(busy(several)) == 1)
        process = busy(several)[0].process
        assert process.poll() is None
        connection.shutdown(socket.SHUT_RDWR)
        assert until(lambda: process.poll() is not None)
    assert until(lambda: not busy(several))
    assert post(several, "/api/hint", game={}, state={"x": 2}, degree="next")[1]["answer"] == "best"


def test_a_process_that_dies_is_replaced(several: Server) -> None:
    with long_work(several) as (_, ended):
        assert until(lambda: len(busy(several)) == 1)
        busy(several)[0].process.kill()
        assert ended.wait(30)
    assert post(several, "/api/hint", game={}, state={"x": 2}, degree="next")[1]["answer"] == "best"


def test_a_process_ends_with_the_server() -> None:
    """Even while it works, and however the server ends: its standard input is closed then."""
    pool = Pool()
    with running(Several(), pool) as server, long_work(server):
        assert until(lambda: len(busy(server)) == 1)
        worker = busy(server)[0]
        time.sleep(0.5)
        worker.process.stdin.close()
        assert until(lambda: worker.process.poll() == 0)


def test_too_much_work_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pooling, "PATIENCE", 0.3)
    with running(Several(), Pool(1)) as server, long_work(server):
        assert until(lambda: len(busy(server)) == 1)
        status, told = post(server, "/api/hint", game={}, state={"x": 0}, degree="next")
        assert (status, told["error"]) == (503, "the solvers are busy with other requests; try again later")
        server.api.pool.queue = type(server.api.pool.queue)(1)
        server.api.pool.queue.acquire()
        status, told = post(server, "/api/hint", game={}, state={"x": 0}, degree="next")
        assert (status, told["error"]) == (503, "too many requests wait for a solver; try again later")


def test_an_answer_that_takes_too_long() -> None:
    pool = Pool(1)
    with running(Several(), pool) as server:
        game = server.api.catalogue.named({"puzzle": "long"})
        job = {"work": "solve", "backend": "rbfs", "heuristics": [], "nodes": None, "seconds": 100, "seed": 0}
        with pytest.raises(BadRequest, match="there is no answer after 1 seconds"):
            pool.run({**job, "source": asdict(game.source), "state": game.plain(game.start)}, 1, lambda: False)
        assert not pool.all


def test_all_kinds_of_work(several: Server) -> None:
    line = {"game": {}, "state": {"x": 1}}
    for degree, answer in (("solvable", "yes"), ("wrong", "wrong"), ("next", "best"), ("plan", "best")):
        status, told = post(several, "/api/hint", **line, degree=degree, previous={"x": 0})
        assert (status, told["answer"], told["proven"]) == (200, answer, True)
    status, told = post(several, "/api/solve", **line, backend="cpsat")
    assert (status, told["outcome"], told["cost"], len(told["frames"])) == (200, "optimal", 2, 3)
    status, told = post(several, "/api/trace", **line, backend="ucs")
    assert (status, told["outcome"], told["events"][0]["event"]) == (200, "optimal", "search")
    assert post(several, "/api/hint", **line, degree="wrong")[0] == 400


def test_a_process_thinks_ahead_where_a_hint_had_too_little_time() -> None:
    text = (PUZZLES / "n_puzzle.yaml").read_text(encoding="utf-8")
    job = {"source": asdict(GameSource(text, "n_puzzle.yaml", "two-by-two"))}
    known = working.desk(working.source_of(job)).hints
    working.think_ahead(write_json(job), lambda: False)
    assert known.benches.tables == []
    known.hard = known.game.start
    working.think_ahead(write_json(job), lambda: False)
    assert len(known.benches.tables) == 1


# -- anything at all ---------------------------------------------------------------------------------------------------


class Inside:
    """A pool that works in this process, briefly."""

    def run(self, job: dict[str, Any], seconds: float, gone: Gone) -> tuple[int, bytes]:
        status, told = working.reply(write_json({**job, "seconds": min(job["seconds"], 0.05)}))
        return status, write_json(told)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
NAMES = ("game", "state", "action", "args", "variable", "value", "changes", "degree", "previous", "seconds", "backend",
         "heuristic", "limits", "nodes", "puzzle", "level", "seed", "metric", "random", "marked", "x")  # fmt: skip
GOOD: dict[str, Any] = {"game": {"puzzle": "line"}, "state": {"x": 0}, "action": "jump", "args": {}, "degree": "next"}
PATHS = ("/api/game", "/api/moves", "/api/move", "/api/edit", "/api/seen", "/api/hint", "/api/solve", "/api/trace",
         "/api/states")  # fmt: skip


@pytest.fixture(scope="module")
def inside() -> Iterator[Server]:
    api = Api(Catalogue(Chosen("line", LINE, "line.yaml")), Inside(), tuple(BACKENDS))  # type: ignore[arg-type]
    server = Server(api)
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PATHS), st.dictionaries(st.sampled_from(NAMES), JSON, max_size=4),
       st.dictionaries(st.sampled_from(("x", "puzzle", "level", "seed", "metric")), JSON, max_size=2))  # fmt: skip
def test_no_json_is_a_fault(inside: Server, path: str, changes: dict[str, Any], within: dict[str, Any]) -> None:
    body = {**GOOD, "game": {**GOOD["game"], **within}, "previous": {"x": 0}, **changes}
    status, answer = post(inside, path, **body)
    assert status in (200, 400, 404, 503), answer
    assert status == 200 or set(answer) == {"error"}


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200) | st.binary(max_size=60).map(lambda body: b"POST /api/game HTTP/1.1\r\n" + body),
       st.booleans())  # fmt: skip
def test_no_bytes_are_a_fault(inside: Server, data: bytes, ended: bool) -> None:
    raw = talk(inside, data + b"\r\n\r\n\r\n\r\n" * ended, half=True)
    assert raw == b"" or not raw.startswith(b"HTTP") or 400 <= parsed(raw)[0] < 500
    assert b"Traceback" not in raw
    assert post(inside, "/api/game")[0] == 200


# -- the command -------------------------------------------------------------------------------------------------------


@contextmanager
def command(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`play` as a user starts it, and the address that it prints."""
    whole = [sys.executable, "-m", "puzzlewright", "play", "--no-browser", *options]
    process = subprocess.Popen(whole, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a signal")
def test_the_command_serves_until_ctrl_c(tmp_path: Any) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(LINE, encoding="utf-8")
    with command(str(path), "--level", "plain", "--seed", "4") as (process, address):
        host, _, port = address.removeprefix("http://").rstrip("/").partition(":")
        assert host == "127.0.0.1"
        connection = http.client.HTTPConnection(host, int(port), timeout=300)
        connection.request("GET", "/api/puzzles")
        told = json.loads(connection.getresponse().read())
        assert (told["default"], told["level"], told["seed"]) == ("mine", "plain", 4)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert process.stderr
        assert process.stderr.read() == "Ctrl-C ends it\n"


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        (["nothing.yaml"], 31, "there is no file"),
        (["n_puzzle", "--level", "nothing"], 31, "there is no level 'nothing'"),
        (["--level", "seed-8"], 2, "options of a level are for one puzzle"),
        (["--port", "99999"], 2, "--port"),
        slow(["--host", "phone"], 2, "'phone' is no IPv4 address"),
    ],
)
def test_wrong_options(options: list[str], code: int, told: str) -> None:
    whole = [sys.executable, "-m", "puzzlewright", "play", "--no-browser", *options]
    done = subprocess.run(whole, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, told in done.stderr, "Traceback" in done.stderr) == (code, True, False)


def test_a_port_that_is_taken(server: Server) -> None:
    whole = [sys.executable, "-m", "puzzlewright", "play", "--no-browser", "--port", str(server.port), "n_puzzle"]
    done = subprocess.run(whole, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, "cannot be used" in done.stderr) == (2, True)
