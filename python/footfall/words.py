"""What the library knows by name: steppers, quantities with units, instruction sets."""

from __future__ import annotations

from footfall._native import call, encoded, ffi, lib, text
from footfall._structs import value_of, word

#: Steppers by name, each with one sentence.
STEPPERS: dict[str, str] = {
    text(lib.ff_stepper_name(s)): text(lib.ff_stepper_summary(s)) for s in range(lib.FF_STEPPER_COUNT)
}


def is_hard(stepper: str) -> bool:
    """Are its contacts, stops and welds rigid?"""
    return bool(lib.ff_stepper_is_hard(value_of("ff_stepper", stepper, "stepper")))


def quantity(given: str, kind: str = "number", *, needs_unit: bool = False) -> float:
    """A text with a unit in SI units: quantity("2ms", "time") is 0.002.

    kind: number, time, length, angle, stiffness, damping, kp, kd, coordinate, rate, speed, force, impulse, frequency
    """
    out = ffi.new("double *")
    call(lib.ff_quantity_read, encoded(given), value_of("ff_quantity", kind, "kind"), needs_unit, out)
    return float(out[0])


def instruction_set(asked: str = "auto") -> str:
    """The instruction set that this machine uses for `asked`: base, avx2, avx512."""
    out = ffi.new("ff_isa *")
    call(lib.ff_isa_resolve, value_of("ff_isa", asked, "isa"), out)
    return word("ff_isa", out[0])
