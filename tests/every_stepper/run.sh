#!/usr/bin/env bash
# slow: minutes. Ten robots that nobody has tuned anything for, by every stepper but the scene's own: tests/new_user.
set -u
exec "$(dirname "$0")/../new_user/table.sh" --steppers
