"""No growth, no crash: memory, threads, forks, processes, what is used after its end."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import footfall as ff
from footfall.errors import OF_STATUS

MANY = 100000 if os.environ.get("FOOTFALL_LONG") else 2000


def resident() -> int:
    """Memory of this process in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return 1024 * int(line.split()[1])
    pytest.skip("there is no /proc/self/status")


def growth(make: object, count: int) -> tuple[float, float]:
    """Bytes and blocks of Python's small objects that each creation leaves behind, when all are warm."""
    for _ in range(400):
        make()  # type: ignore[operator]
    gc.collect()
    before, blocks = resident(), sys.getallocatedblocks()
    for _ in range(count):
        make()  # type: ignore[operator]
    gc.collect()
    return (resident() - before) / count, (sys.getallocatedblocks() - blocks) / count


def test_nothing_is_left_behind(solo: str, world: ff.World) -> None:
    model = world.model
    ball = ff.World(ff.share("models/ball.urdf"))
    start = model.postures["standing"]
    data = pickle.dumps(ball.model)

    def handled() -> None:
        try:
            world.sim(posture="nobody")
        except ff.Error:
            pass

    def equations() -> None:
        ff.Ode(lambda t, x: -x, [1.0], guards=lambda t, x: x - 0.5).advance(1)
        ff.Ess(lambda t, x, side: [1.0], lambda x: [x[0] - 0.5], [0.0]).advance(1)

    makers = {
        "sim": (lambda: ball.sim().step(), 1),
        "views": (lambda: ball.sim().q[:1], 1),
        "contacts": (lambda: world.sim(posture="standing").contacts.force.sum(), 0.2),
        "batch": (lambda: ball.batch(2, threads=1).step(), 0.2),
        "copies": (lambda: ball.sim().copy().state, 0.5),
        "parameters": (lambda: ball.parameters().copy().gravity, 1),
        "worlds": (lambda: ff.World(ball.model), 0.2),
        "models": (lambda: pickle.loads(data), 0.5),
        "errors": (handled, 0.5),
        "equations": (equations, 0.1),
        "dynamics": (lambda: model.dynamics().bias(start, np.zeros(18)), 0.2),
        "tensor": (lambda: np.from_dlpack(ball.batch(2, threads=1).tensor()), 0.2),
        "handles": (lambda: world.sim(posture="standing").link("base_link").pose, 0.2),
    }
    for name, (make, share) in makers.items():
        count = MANY if MANY > 10000 else max(int(share * MANY), 50)
        left, blocks = growth(make, count)
        # A leaked sim of a ball is 5 KB, a view 200 bytes. What the allocator keeps of its own is counted once.
        assert left < 20 + 1.2e6 / count, (name, left)
        # A single leaked object is 1 for each creation; what is cached is counted once.
        assert blocks < 0.01 + 60 / count, (name, blocks)


def test_reference_counts(world: ff.World) -> None:
    u = np.zeros(12)
    sim = world.sim(posture="standing")
    names = (u, sim, world, world.model)
    before = [sys.getrefcount(x) for x in names]
    for _ in range(MANY // 10):
        sim.step(u)
        sim.step(u, tau=None)
        sim.step([0.0] * 12)
        sim.q, sim.contacts, sim.info, sim.joint("FL_KFE").q
        with pytest.raises(ff.ArgumentError):
            sim.step(u[1:])
        with pytest.raises(TypeError):
            sim.step(u, w=u)
    gc.collect()
    assert [sys.getrefcount(x) for x in names] == before


def test_sims_share_a_world_between_threads(world: ff.World) -> None:
    u = np.full(12, 0.05)
    ends = [np.zeros(0)] * 4

    def work(i: int) -> None:
        sim = world.sim(posture="standing")
        for _ in range(200):
            sim.step(u)
        ends[i] = sim.state

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for end in ends[1:]:
        np.testing.assert_array_equal(end, ends[0])


def test_threads_take_turns_with_one_sim(world: ff.World) -> None:
    sim, batch = world.sim(posture="standing"), world.batch(8, posture="standing")
    u, many = np.zeros(12), np.zeros((8, 12))
    failures: list[BaseException] = []

    def guarded(*calls: object) -> None:
        try:
            for _ in range(100):
                for call in calls:
                    call()  # type: ignore[operator]
        except BaseException as error:
            failures.append(error)

    groups = [
        (lambda: sim.step(u), lambda: batch.step(many)),
        (lambda: sim.contacts.force.sum(), lambda: batch.states),
        (lambda: sim.energy(), lambda: sim.link("base_link").pose, lambda: batch[3].contacts),
        (lambda: sim.state, lambda: sim.push("base_link", (0, 0, 1)), lambda: batch[2].step()),
        (lambda: sim.parameters, lambda: batch.reset([1], posture="standing"), lambda: sim.copy()),
        (lambda: batch.rollout(frames=1), lambda: sim.run(2, lambda s, tau: s.contacts)),
    ]
    threads = [threading.Thread(target=guarded, args=group) for group in groups]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert failures == []
    assert sim.totals.steps == 100 + 200 and np.isfinite(sim.state).all()


def test_a_sim_may_be_closed_while_others_use_it(world: ff.World) -> None:
    for _ in range(20):
        sim = world.sim(posture="standing")
        ended: list[str] = []

        def work(sim: ff.Sim = sim, ended: list[str] = ended) -> None:
            try:
                while True:
                    sim.step()
                    _ = sim.contacts
            except ff.ClosedError as error:
                ended.append(str(error))

        threads = [threading.Thread(target=work) for _ in range(3)]
        for t in threads:
            t.start()
        sim.close()
        for t in threads:
            t.join(timeout=20)
        assert ended == ["this Sim is closed"] * 3


def test_steps_in_other_threads_run_at_the_same_time(world: ff.World) -> None:
    """The interpreter's lock is released: while a batch steps, Python goes on."""
    batch = world.batch(256, posture="standing", threads=1)
    counted = [0]
    stop = threading.Event()

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    batch.step_many(100)
    done = counted[0] - before
    stop.set()
    thread.join()
    assert done > 1000


def print_nothing(sim: ff.Sim, tau: np.ndarray) -> None:
    """A control that does nothing."""


def test_ctrl_c_ends_long_calls(world: ff.World) -> None:
    import signal

    sim, batch = world.sim(posture="standing"), world.batch(16, posture="standing", threads=1)
    scene = ff.Scene(ff.share("scenes/solo-stand.yaml"), {"duration": "100000s"})
    for call in (
        lambda: sim.run(10**8),
        lambda: batch.step_many(10**8),
        scene.run,
        lambda: sim.run(10**8, lambda s, tau: None),
    ):
        previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
        profile = sys.getprofile()
        sys.setprofile(None)  # or the exception would come out of it, and end it
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        try:
            with pytest.raises(KeyboardInterrupt):
                call()
        finally:
            signal.signal(signal.SIGALRM, previous)
            sys.setprofile(profile)
    sim.step()
    batch.step()
    scene.step()


def test_interrupt_from_another_thread() -> None:
    hopper = ff.Sim(
        ff.share("models/hopper.urdf"),
        posture="release",
        stepper="ess",
        dt=1.0,
        ess_relative_tolerance=1e-12,
        ess_absolute_tolerance=1e-13,
        ess_max_steps=100000000,
    )
    timer = threading.Timer(0.05, hopper.interrupt)
    timer.start()
    with pytest.raises(ff.InterruptedStep):
        while True:
            hopper.step()
    timer.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_fork(world: ff.World) -> None:
    sim, one, many = world.sim(posture="standing"), world.batch(2, threads=1), world.batch(64, threads=2)
    assert many.threads == 2
    many.step()
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        said = "nothing"
        try:
            sim.step()
            one.step()
            told = []
            for use in (many.step, lambda: many.q, lambda: many.states, lambda: many[0].time):
                try:
                    use()
                except ff.ClosedError as error:
                    told.append("forked" in str(error))
            fresh = world.batch(64, threads=2)
            fresh.step()
            del many
            gc.collect()
            said = f"{sim.time} {told} {fresh.time[0]}"
        except BaseException as error:
            said = repr(error)
        finally:
            os.write(writable, said.encode())
            os._exit(0)
    os.close(writable)
    said = b""
    while part := os.read(readable, 1000):
        said += part
    os.waitpid(child, 0)
    assert said.decode() == "0.002 [True, True, True, True] 0.002"
    many.step()
    assert sim.time == 0 and many.time[0] == pytest.approx(4e-3)


def _advance(sim: ff.Sim) -> tuple[np.ndarray, ff.Sim]:
    for _ in range(10):
        sim.step(np.full(sim.world.nu, 0.1))
    return sim.state, sim


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_pickles_across_processes(world: ff.World, method: str) -> None:
    sim = world.sim(posture="standing")
    sim.step(np.full(12, 0.1))
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(method)) as pool:
        state, there = pool.submit(_advance, sim).result(timeout=60)
    _advance(sim)
    np.testing.assert_array_equal(state, sim.state)
    np.testing.assert_array_equal(there.state, sim.state)


def test_objects_may_end_in_any_order(solo: str) -> None:
    """Also at the interpreter's end, where modules go in an order of their own."""
    program = (
        "import footfall as ff\n"
        f"s = ff.Sim({solo!r}, posture='standing'); b = s.world.batch(4, threads=2); b.step()\n"
        "q, c, v = s.q, s.contacts, b.q\nw = ff.Scene(ff.share('scenes/solo-stand.yaml')); x = w.sim.q\n"
        "o = ff.Ode(lambda t, x: x, [1.0]); o.advance(1)\nm = s.model.cut('extended', drop_limits=True).model\n"
        "import weakref; s.me = s; b.step(); b.begin(5)\nprint('done')"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(ff.__file__).resolve().parents[1])}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("done\n", "", 0)


def test_every_exception_is_its_own_kind_and_pythons() -> None:
    for kind in OF_STATUS:
        error = kind("what", file="f", line=3, thing="t")
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.file, again.line, again.thing) == ("what", "f", 3, "t")
        assert isinstance(error, ff.Error) and error.status
    with pytest.raises(OSError, match="no-such"):
        ff.Model("/no-such.urdf")
    with pytest.raises(ff.ParseError) as caught:
        ff.Model.from_text("<robot", "broken.urdf")
    assert caught.value.file == "broken.urdf" and caught.value.line == 1
    with pytest.raises(ff.ArgumentError, match="zero byte"):
        ff.Model("a\0b")
    with pytest.raises(TypeError):
        copy.copy(ff.Builder("b"))


def test_a_log_of_commands_that_no_one_should_give(world: ff.World) -> None:
    """Numbers that are not finite, and of every wrong kind, at every call that takes an array."""
    sim, batch, model = world.sim(posture="standing"), world.batch(2), world.model
    q = model.posture("standing")
    calls = [
        lambda x: sim.step(x),
        lambda x: sim.step(tau=x),
        lambda x: sim.reset(x),
        lambda x: sim.reset(None, x),
        lambda x: setattr(sim, "state", x),
        lambda x: sim.set_controls(x),
        lambda x: sim.push("base_link", x),
        lambda x: batch.step(x),
        lambda x: batch.reset(q=x),
        lambda x: setattr(batch, "states", x),
        lambda x: model.integrate(x, np.zeros(18)),
        lambda x: model.difference(q, x),
        lambda x: model.normalize(x),
        lambda x: ff.Pose(x),
        lambda x: sim.predict_forces(0.1, 3, x),
        lambda x: world.sim(q=x),
        lambda x: batch.vary(mass=x),
    ]
    wrong = [
        "text",
        b"bytes",
        object(),
        {},
        [[1], [1, 2]],
        np.zeros(5),
        np.zeros((2, 2, 2)),
        3 + 4j,
        np.array("x"),
        [None],
        np.datetime64("now"),
        lambda: 0,
        np.zeros(18, bool),
    ]
    for call in calls:
        for x in wrong:
            with pytest.raises((ff.ArgumentError, TypeError, ValueError)):
                call(x)
    sim.step()
    batch.step()
