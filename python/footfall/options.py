"""Options of World, Sim and Scene as keywords. Made from the table of option.h by _table.write()."""

from __future__ import annotations

from typing import Literal, TypedDict


class Options(TypedDict, total=False):
    """Numbers may be texts with a unit: dt="2ms"."""

    stepper: Literal["expo", "expo-paper", "euler", "symplectic", "rk4", "implicit", "ess", "moreau", "ca", "c2a"]
    dt: float | str
    accuracy: float | str
    contact_law: Literal["anchor", "slip-flag"]
    normal_anchor: Literal["surface", "first-touch"]
    hull_contact: Literal["corner", "patch"]
    self_collision: bool
    model_elements: bool
    limit_stiffness: float | str
    limit_damping: float | str
    turning_friction: bool
    joint_friction: bool
    motor_delay: float | str
    max_speed: float | str
    max_contacts: int
    timing: bool
    watch_passing: bool
    time_limit: float | str
    isa: Literal["auto", "base", "avx2", "avx512"]
    expo_exponential: Literal["auto", "exact", "order-1", "order-2", "order-3", "order-5", "order-7"]
    expo_force_tolerance: float | str
    expo_max_substeps: int
    expo_order: int
    expo_events: bool
    expo_max_pieces: int
    expo_double_mean: bool
    implicit_tolerance: float | str
    implicit_max_iterations: int
    ess_epsilon: float | str
    ess_relative_tolerance: float | str
    ess_absolute_tolerance: float | str
    ess_max_steps: int
    moreau_contact: Literal["hard", "compliant"]
    moreau_solver: Literal["jor", "sor", "sor-split", "exact"]
    moreau_form: Literal["auto", "impulse", "velocity"]
    moreau_bilateral: Literal["direct", "prox"]
    moreau_alpha: float | str
    moreau_relative_tolerance: float | str
    moreau_absolute_tolerance: float | str
    moreau_max_iterations: int
    moreau_warm_start: bool
    moreau_stabilise: bool
    c2a_h_min: float | str
    c2a_skin: float | str
    c2a_advancement: bool
    c2a_error_control: bool
    c2a_absolute_error: float | str
    c2a_relative_error: float | str
    c2a_max_work: float | str
    c2a_scheme: Literal["semi-implicit", "explicit"]
    c2a_dissipation: float | str
    c2a_rayleigh: float | str
    c2a_impact: Literal["dissipation", "bounded", "coulomb"]
    c2a_cone: Literal["cone", "polygon"]
    c2a_edges: int
    c2a_bounce: Literal["newton", "poisson"]
    c2a_relative_tolerance: float | str
    c2a_absolute_tolerance: float | str
    c2a_max_iterations: int
