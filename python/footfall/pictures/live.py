"""A sim that runs while it is looked at: a page served on 127.0.0.1 by two threads; viewer/FORMAT.md, "Live"."""

from __future__ import annotations

import base64
import html
import json
import threading
import time
import webbrowser
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import numpy as np

from footfall import errors
from footfall._native import Array, ArrayLike
from footfall.pictures.page import About, page, run_of
from footfall.record import Recording

if TYPE_CHECKING:
    from footfall.sim import Sim

Control = Callable[["Sim"], ArrayLike]

RATE = 30.0  # frames per second
LATEST = 0.1  # what is later than so many seconds is not made up for


class LiveView:
    """A sim that runs in real time on a page: a notebook shows it, open() opens it in the browser.

    It steps the sim itself, also with what you do to it meanwhile, and only while a page looks at it. On the page it
    can be paused, stepped, slowed down, reset to its state at the beginning, and pushed: shift and drag. The page comes
    from this machine, 127.0.0.1, so kernel and browser must be on one. close() ends it.

    control(sim): controls u for each step
    """

    def __init__(
        self,
        sim: Sim,
        control: Control | None = None,
        *,
        title: str = "",
        width: str = "100%",
        height: int = 600,
    ) -> None:
        self.sim, self.control = sim, control
        self.width, self.height = width, int(height)
        self.is_playing, self.speed = True, 1.0
        self._start = sim.state
        self._recording = Recording(sim.world)
        self._recording.add(sim, last=True)
        world = sim.world
        self._page = page(
            [run_of(self._recording, About(title=title, stepper=world.stepper, dt=world.dt))], is_live=True
        )
        self._push: tuple[str, Array, Array, float] | None = None
        self._changed = threading.Condition()
        self._rate, self._number, self._watchers, self._is_over = 0.0, 0, 0, False
        self._frame, self._words = self._packed(), ""
        self._server = _Server(self)
        self._threads = [
            threading.Thread(target=call, daemon=True, name=f"footfall {call.__name__}")
            for call in (self._server.serve_forever, self._run)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def address(self) -> str:
        """Of the page."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/"

    def _repr_html_(self) -> str:
        return (
            f'<iframe src="{self.address}" '
            f'style="width: {html.escape(self.width)}; height: {self.height}px; border: 0"></iframe>'
        )

    def open(self) -> bool:
        """Open the page in the browser; false if there is no browser."""
        return webbrowser.open(self.address)

    def close(self) -> None:
        """End the simulation; the page keeps what it showed last."""
        if self._is_over:
            return
        with self._changed:
            self._is_over = True
            self._changed.notify_all()
        self._server.shutdown()
        for thread in self._threads:
            thread.join()
        self._server.server_close()

    def __enter__(self) -> LiveView:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<footfall.LiveView of {self.sim!r}: {'closed' if self._is_over else self.address}>"

    # ---- The simulation ---------------------------------------------------------------------------------------------

    def _run(self) -> None:
        """Until the end: steps by the clock, and frames."""
        due = last = time.monotonic()  # when the next step is to be taken, and when steps were
        try:
            while not self._is_over:
                begun, before = time.monotonic(), self.sim.time
                if self._watchers == 0 or not self.is_playing or begun - due > LATEST:
                    due = begun
                due = self._catch_up(due, begun)
                self._rate += 0.1 * ((self.sim.time - before) / max(begun - last, 1e-3) - self._rate)
                last = begun
                self._publish()
                with self._changed:
                    rest = 1 / RATE - (time.monotonic() - begun)
                    self._changed.wait_for(lambda: self._is_over, max(0.0, rest))
        except errors.ClosedError:  # somebody has closed the sim
            with self._changed:
                self._is_over = True
                self._changed.notify_all()

    def _catch_up(self, due: float, now: float) -> float:
        """Take the steps that are due, and tell when the next one is."""
        while self._watchers > 0 and self.is_playing and due <= now and not self._is_over:
            if not self._step():
                break
            due += self.sim.dt / self.speed
        return due

    def _step(self) -> bool:
        """One step; a failure is told, and pauses."""
        try:
            with self.sim._turn:
                if self._push is not None:
                    link, point, target, stiffness = self._push
                    pose = self.sim.link(link).pose
                    force = stiffness * (target - (pose.R @ point + pose.position))
                    self.sim.push(link, force, at=point)
                self.sim.step(None if self.control is None else self.control(self.sim))
        except errors.ClosedError:
            raise
        except Exception as failure:  # of the step, or of somebody's control
            self.is_playing = False
            self._say(str(failure))
            return False
        return True

    def _packed(self) -> str:
        poses, row, contacts = self._recording.snapshot(self.sim)
        head = [self._rate, float(self.is_playing), self.sim.time, len(contacts)]
        numbers = np.concatenate([np.array(head, np.float32), poses.ravel(), row, contacts.ravel()])
        return base64.b64encode(numbers.astype("<f4").tobytes()).decode()

    def _publish(self) -> None:
        frame = self._packed()
        with self._changed:
            self._frame, self._number = frame, self._number + 1
            self._changed.notify_all()

    def _next(self, seen: int) -> tuple[int, str, str]:
        """The frame after the one that was seen, with its number and the words for people."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_over or self._number != seen, 1.0)
            return self._number, self._frame, self._words

    def _say(self, words: str) -> None:
        with self._changed:
            self._words = words

    # ---- What the page asks for -------------------------------------------------------------------------------------

    def ask(self, line: str) -> None:
        """One line of the page: play, pause, step, reset, speed X, push LINK x y z X Y Z K, release."""
        word, *rest = line.split() or [""]
        try:
            numbers = [float(x) for x in rest] if word in ("speed", "push") else []
        except ValueError:
            numbers = []
        if word in ("play", "pause"):
            self.is_playing = word == "play"
        elif word == "step":
            self.is_playing = False
            self._step()
        elif word == "reset":
            self.sim.state = self._start
        elif word == "release":
            self._push = None
        elif word == "speed" and len(numbers) == 1 and 0.001 <= numbers[0] <= 1000:
            self.speed = numbers[0]
        elif word == "push" and len(numbers) == 8 and np.isfinite(numbers).all() and self._has(numbers[0]):
            link = self._recording.links[int(numbers[0])]
            self._push = (link, np.array(numbers[1:4]), np.array(numbers[4:7]), numbers[7])
        elif word == "set":
            raise errors.ArgumentError("a world does not change: make another one in Python, world.replace(...)")
        else:
            raise errors.ArgumentError(f"'{line[:80]}' is not understood")

    def _has(self, link: float) -> bool:
        return link == int(link) and 0 <= link < len(self._recording.links)

    def settings(self) -> dict[str, Any]:
        """What the page's panel shows."""
        material = self.sim.model.common_material
        return {
            "stepper": self.sim.world.stepper, "steppers": [self.sim.world.stepper], "dt": self.sim.dt,
            "stiffness": material.stiffness if material else 0.0, "damping": material.damping if material else 0.0,
            "friction": material.friction if material else 0.0, "speed": self.speed, "playing": self.is_playing,
        }  # fmt: skip


# ---- The server -----------------------------------------------------------------------------------------------------


class _Server(ThreadingHTTPServer):
    """Of one page, for this machine alone."""

    daemon_threads = True

    def __init__(self, live: LiveView) -> None:
        self.live = live
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that goes away is no error."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""

    def _is_ours(self) -> bool:
        """Requests of other hosts' names or of pages from elsewhere are refused."""
        port = self.server.server_address[1]
        host, origin = self.headers.get("Host"), self.headers.get("Origin")
        if host in (f"127.0.0.1:{port}", f"localhost:{port}") and origin in (None, f"http://{host}"):
            return True
        self._reply(403, "this page is for its own machine alone")
        return False

    def _reply(self, status: int, content: str, kind: str = "text/plain") -> None:
        data = content.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        """The page, or its events."""
        if not self._is_ours():
            return
        if self.path == "/":
            self._reply(200, self.server.live._page, "text/html")
        elif self.path == "/events":
            self._tell()
        else:
            self._reply(404, "there is nothing here")

    def do_POST(self) -> None:
        """What the page asks for."""
        if not self._is_ours():
            return
        length = self.headers.get("Content-Length", "")
        if self.path != "/do" or not length.isdigit() or int(length) > 1000:
            self._reply(404, "there is nothing here")
            return
        try:
            self.server.live.ask(self.rfile.read(int(length)).decode("utf-8", "replace"))
            self._reply(200, "")
        except errors.Error as error:
            self._reply(409, str(error))

    def _tell(self) -> None:
        """Frames to one page until it goes away or the simulation ends."""
        live = self.server.live
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self._event("settings", json.dumps(live.settings()))
        with live._changed:
            live._watchers += 1
        number, words = -1, ""
        try:
            while not live._is_over:
                number, frame, said = live._next(number)
                self._event("", frame)
                if said != words:
                    words = said
                    self._event("words", json.dumps({"text": words}))
            self._event("end", "{}")
        finally:
            with live._changed:
                live._watchers -= 1

    def _event(self, kind: str, data: str) -> None:
        self.wfile.write(f"{f'event: {kind}' + chr(10) if kind else ''}data: {data}\n\n".encode())
        self.wfile.flush()
