"""A sim that runs while a page looks at it: what is served, what the page may ask for, and what a browser draws."""

from __future__ import annotations

import base64
import http.client
import json
import time
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_view import BOX, Parsed, look

import footfall as ff

PATIENCE = 30.0  # seconds, on a busy machine


class Page:
    """What the page does: it reads events and asks for things."""

    def __init__(self, live: ff.LiveView) -> None:
        self.live = live
        self.port = int(live.address.split(":")[2].strip("/"))
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self.connection.request("GET", "/events")
        self.stream = self.connection.getresponse()

    def events(self) -> Iterator[tuple[str, str]]:
        kind = ""
        for line in self.stream:
            word, _, rest = line.decode().rstrip("\n").partition(": ")
            if word == "event":
                kind = rest
            elif word == "data":
                yield kind, rest
                kind = ""

    def frame(self, until: Callable[[np.ndarray], bool] = lambda numbers: True) -> np.ndarray:
        """The next frame for which something holds."""
        end = time.monotonic() + PATIENCE
        for kind, data in self.events():
            numbers = np.frombuffer(base64.b64decode(data), "<f4") if kind == "" else None
            if numbers is not None and until(numbers):
                return numbers
            assert time.monotonic() < end, "no such frame"
        raise AssertionError("the events have ended")

    def ask(self, line: str, path: str = "/do", **headers: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("POST", path, line, headers)
        reply = connection.getresponse()
        return reply.status, reply.read().decode()

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", path, headers=headers)
        reply = connection.getresponse()
        return reply.status, reply.read().decode()


@pytest.fixture
def box() -> ff.Sim:
    return ff.World(ff.Model.from_text(BOX)).sim()


def test_a_sim_runs_while_it_is_looked_at(box: ff.Sim) -> None:
    box.reset(v=[0.5])
    with ff.view(box, live=True) as live:
        time.sleep(0.2)
        assert box.time == 0  # nobody looks
        page = Page(live)
        frame = page.frame(lambda f: f[2] > 0.2)
        links, signals = 1, len(live._recording.signal_list)
        assert len(frame) == 4 + 7 * links + signals + 12 * int(frame[3]) and frame[1] == 1
        assert frame[4] == pytest.approx(0.5 * frame[2], abs=1e-6) and frame[6] == pytest.approx(0.3)
        assert page.ask("pause") == (200, "")
        stopped = page.frame(lambda f: f[1] == 0)
        time.sleep(0.1)
        before = box.time
        assert page.ask("step")[0] == 200 and box.time == pytest.approx(before + box.dt)
        assert stopped[2] <= before + 1e-6
        assert page.ask("reset")[0] == 200 and box.time == 0 and page.ask("speed 0.5")[0] == 200 and live.speed == 0.5
        assert page.ask("play")[0] == 200
        page.frame(lambda f: f[2] > 0)
        assert "http" in repr(live) and live.settings()["dt"] == box.dt
    assert "closed" in repr(live)
    live.close()
    assert [kind for kind, _ in page.events()][-1] == "end"


def test_what_a_page_asks_for(box: ff.Sim) -> None:
    with ff.view(box, live=True) as live:
        page = Page(live)
        push = "push 0 0 0 0 1 0 0.3 100"
        bad = ["", "jump", "speed", "speed 0", "speed x", "push", "push 1 0 0 0 0 0 0 1"]
        for line in (*bad, "push 0 0 0 0 nan 0 0 1", "push 0.5 0 0 0 0 0 0 1"):
            status, why = page.ask(line)
            assert status == 409 and "not understood" in why, line
        assert page.ask("set dt 1ms")[0] == 409
        assert page.ask(push)[0] == 200
        page.frame(lambda f: f[4] > 0.05)  # the spring draws it towards x = 1
        assert page.ask("release")[0] == 200 and live._push is None
        assert page.ask(push, "/other")[0] == 404 and page.ask("x" * 2000)[0] == 404 and page.get("/x")[0] == 404
        for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
            assert page.ask("pause", **headers)[0] == 403 and page.get("/", **headers)[0] == 403
        assert page.ask("pause", Host=f"localhost:{page.port}", Origin=f"http://localhost:{page.port}")[0] == 200
        status, text = page.get("/")
        parsed = Parsed(text)
        assert status == 200 and 'id="live"' in text and "connect-src 'self'" in text and len(parsed.headers) == 1


def test_controls_and_failures(world: ff.World, box: ff.Sim, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    def control(sim: ff.Sim) -> list[float]:
        asked.append(sim.time)
        if sim.time > 0.05:
            raise ValueError("my legs are tired")
        return [10.0]

    with ff.view(box, live=True, control=control, title="tired", height=300) as live:
        page = Page(live)
        for kind, data in page.events():
            if kind == "words":
                assert json.loads(data)["text"] == "my legs are tired"
                break
        assert box.time == pytest.approx(0.051, abs=0.002) and box.v[0] > 0 and not live.is_playing and len(asked) > 40
        assert "height: 300px" in live._repr_html_() and live.address in live._repr_html_()
        opened: list[str] = []
        monkeypatch.setattr(webbrowser, "open", lambda url: opened.append(url) or True)
        assert live.open() and opened == [live.address]
        box.close()
        assert [kind for kind, _ in page.events()][-1] == "end"
    wrong: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((world,), {"live": True}),
        ((world.sim(), world.sim()), {"live": True}),
        ((world.sim(),), {"control": control}),
    ]
    for what, keywords in wrong:
        with pytest.raises(TypeError, match="one Sim"):
            ff.view(*what, **keywords)


def test_a_browser_shows_it_in_a_cell(box: ff.Sim, tmp_path: Path) -> None:
    with ff.view(box, live=True, height=500) as live:
        path = tmp_path / "live.html"
        path.write_text(f"<!doctype html><meta charset='utf-8'><p>In [1]:</p>{live._repr_html_()}")
        assert look(path, live.address)["red"] > 1500
        assert box.time > 0
