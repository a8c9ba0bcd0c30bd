"""What Python costs: `footfall bench python`, or python -m footfall.measure.

Steps of Solo, standing by motors of 4 N m/rad with steps of 2 ms: one by one and as batches, by a loop in C and by one
in Python, in turns; environment steps of Solo12Trot; and MuJoCo's mj_step and rollout on the same robot, if mujoco is
installed. Prints a row for each figure: case, metric, value, unit, with tabs between.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from footfall._native import Array, call, lib, pointer
from footfall.model import Model
from footfall.world import World

ROBOTS, SKIP, DT = 4096, 5, 2e-3
Row = tuple[str, float, str]


def least(tasks: list[Callable[[], None]], rounds: int, clock: Callable[[], float] = time.perf_counter) -> list[float]:
    """The least time of each task [s], measured in turns."""
    times = [float("inf")] * len(tasks)
    for k in range(rounds):
        for i in range(len(tasks)):
            task = (i + k) % len(tasks)  # none always runs after the same neighbour
            start = clock()
            tasks[task]()
            times[task] = min(times[task], clock() - start)
    return times


def robot() -> World:
    """Solo, held by motors at its start."""
    from footfall import motors, share

    model = Model(share("models/solo12.urdf"))
    held = motors(model, model.postures["standing"], kp=4, kd=0.1)
    return World(model, elements=held, dt=DT, model_elements=False)


def steps(world: World, rounds: int) -> Iterator[Row]:
    """One robot."""
    count, u = 500, world.model.posture("standing")[7:].copy()
    sim = world.sim(posture="standing")
    sim.run(500)
    state = sim.state

    def python() -> None:
        sim.state = state
        for _ in range(count):
            sim.step(u)

    def c() -> None:
        sim.state = state
        call(lib.ffp_sim_loop, sim._c, pointer(u), count)

    in_c, in_python = (1e6 * t / count for t in least([c, python], rounds, time.thread_time))
    yield "step:c", in_c, "us"
    yield "step:python", in_python, "us"
    yield "step:overhead", in_python - in_c, "us"


def batches(world: World, rounds: int) -> Iterator[Row]:
    """Many robots."""
    for n in (1, 16, 256, ROBOTS, 2 * ROBOTS):
        batch = world.batch(n, posture="standing")
        u = np.tile(world.model.postures["standing"][7:], (n, 1))
        count = max(1, 4096 // n)
        batch.step_many(20, u)
        states = batch.states

        def python(batch: Any = batch, u: Array = u, count: int = count) -> None:
            for _ in range(count):
                batch.step(u)

        def c(batch: Any = batch, u: Array = u, count: int = count) -> None:
            call(lib.ffp_batch_loop, batch._c, pointer(u), count)

        in_c, in_python = least([c, python], rounds)
        batch.states = states
        yield f"batch:{n}:c", n * count / in_c, "1/s"
        yield f"batch:{n}:overhead", 100 * (in_python / in_c - 1), "%"
        batch.close()


def environments(rounds: int, robots: int) -> Iterator[Row]:
    """Environment steps in a second: control steps of one robot."""
    import footfall.gym as gym

    envs = gym.VectorEnv(gym.Solo12Trot(), robots)
    envs.reset(seed=0)
    actions = 0.1 * np.random.default_rng(0).standard_normal((robots, 12))

    def step() -> None:
        envs.step(actions)

    least([step], 3)
    (took,) = least([step], 4 * rounds)
    yield "env:Solo12Trot:steps", robots / took, "1/s"
    envs.close()


def mujoco_model(world: World) -> Any:
    """The same robot in MuJoCo: with the same motors, on a plane, with its defaults for contact."""
    import xml.etree.ElementTree as xml

    import mujoco  # type: ignore[import-untyped,import-not-found,unused-ignore]

    root = xml.fromstring(world.model.to_text("mjcf"))
    option = root.find("option")
    option = option if option is not None else xml.SubElement(root, "option")
    option.set("timestep", str(DT))
    body = root.find("worldbody")
    assert body is not None
    xml.SubElement(body, "geom", type="plane", size="0 0 1", friction="1")
    actuators = xml.SubElement(root, "actuator")
    for control in world.controls:
        xml.SubElement(actuators, "position", joint=control.name, kp="4", kv="0.1")
    return mujoco.MjModel.from_xml_string(xml.tostring(root, encoding="unicode"))


def beside_mujoco(world: World, rounds: int, robots: int) -> Iterator[Row]:
    """mj_step one by one against its own loop in C, and rollouts with the robots and the frame skip of ours."""
    import mujoco
    from mujoco import rollout  # type: ignore[import-untyped,import-not-found,unused-ignore]

    model = mujoco_model(world)
    data, count = mujoco.MjData(model), 500
    stand = world.model.posture("standing")
    data.qpos[:] = np.concatenate([stand[:3], stand[[6, 3, 4, 5]], stand[7:]])
    data.ctrl[:] = stand[7:]
    mujoco.mj_step(model, data, nstep=500)
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.empty(mujoco.mj_stateSize(model, kind))
    mujoco.mj_getState(model, data, state, kind)

    def python() -> None:
        mujoco.mj_setState(model, data, state, kind)
        for _ in range(count):
            mujoco.mj_step(model, data)

    def c() -> None:
        mujoco.mj_setState(model, data, state, kind)
        mujoco.mj_step(model, data, nstep=count)

    in_c, in_python = (1e6 * t / count for t in least([c, python], rounds, time.thread_time))
    yield "mujoco:mj_step:c", in_c, "us"
    yield "mujoco:mj_step:overhead", in_python - in_c, "us"

    threads = os.cpu_count() or 1
    workers = [mujoco.MjData(model) for _ in range(threads)]
    noise = 0.04 * np.random.default_rng(0).standard_normal((robots, 1, 12))  # as the actions of environments()
    control = np.repeat(stand[7:] + noise, SKIP, 1)
    states = np.tile(state, (robots, 1))
    out = np.empty((robots, SKIP, len(state)))

    made: Any = rollout.Rollout
    pool = made(nthread=threads)
    with pool:

        def roll() -> None:
            pool.rollout(model, workers, states, control, state=out, skip_checks=False)
            states[:] = out[:, -1]

        least([roll], 2)
        (took,) = least([roll], 2 * rounds)
    yield "mujoco:rollout:steps", robots / took, "1/s"


def rows(quick: bool) -> Iterator[Row]:
    """All figures; those that need something that is not installed are left out."""
    rounds, robots = (3, 512) if quick else (30, ROBOTS)
    world = robot()
    yield from steps(world, 20 * rounds)
    yield from batches(world, 4 * rounds)
    for optional in (environments(rounds, robots), beside_mujoco(world, rounds, robots)):
        try:
            yield from optional
        except ImportError as missing:
            print(f"left out: {missing}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m footfall.measure", description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument("--quick", action="store_true", help="a few seconds: rough figures, fewer robots")
    for metric, value, unit in rows(parser.parse_args().quick):
        print(f"python\t{metric}\t{value:.6g}\t{unit}", flush=True)


if __name__ == "__main__":
    main()
