// The commands and what is said about each: the one source of the help, the manual page and the completions of shells.
#include "commands.h"
#include "load_options.h"

const char ffi_exit_statuses[] =
    "Exit status: 0 done, 1 it failed (a bad file, for example), 2 wrong usage, 3 a simulation ran away,\n"
    "4 the task of a scene was not met; 128 + n: ended by signal n, cleanly (130 is Ctrl-C).\n";

const ffi_command ffi_commands[] = {
    {"info", ffi_command_info, "what is in this robot?",
     "footfall info MODEL [options]\n"
     "\n"
     "Shows the tree of links and joints of a robot (URDF or MJCF), totals, and what is odd about it.\n"
     "\n"
     "  --json             write everything as JSON instead\n"
     "  --svg FILE         draw it into FILE, an SVG picture, instead\n"
     "  --posture NAME     which posture to draw; default 'standing', else the first\n" FFI_LOAD_HELP
     "  --ascii            draw with ASCII characters, whatever the locale says\n"
     "  --quiet            say nothing: is it a robot? The exit status tells\n"},
    {"run", ffi_command_run, "set it into motion",
     "footfall run MODEL [options]\n"
     "footfall run SCENE.yaml [options]\n"
     "footfall run --resume LOG.h5 [options]\n"
     "\n"
     "Simulates a robot that holds a posture on the ground, or what a scene says, and tells how it went.\n"
     "Numbers may have units: 2ms, 10deg, 20cm, 1e5N/m.\n"
     "\n"
     "  --stepper NAME     expo (default), expo-paper, euler, symplectic, rk4, implicit, ess, moreau,\n"
     "                     ca or c2a\n"
     "  --dt TIME          length of a step, default 1ms\n"
     "  --duration TIME    default 10s\n"
     "  --posture NAME     where it starts; default 'standing', else the first, else all joints at zero\n"
     "  --on-ground        move it up or down until it touches the ground\n"
     "  --drop HEIGHT      the same, but so far above the ground\n"
     "  --slope ANGLE      tilt the ground, and the robot with it; x is downhill\n"
     "  --pd KP,KD         gains that hold the posture; also --kp KP, --kd KD; default by inertia\n"
     "  --no-pd            hold no joint\n"
     "  --stiffness K      of the contacts with the ground; also --damping B, --friction MU\n"
     "  --exponential HOW  expo, expo-paper: auto (default), exact, order-1, -2, -3, -5 or -7\n"
     "  --order 1|2        expo: without or with (default) its corrector\n"
     "  --events on|off    expo: contact events inside the step (default) or at its ends only\n"
     "  --accuracy ERROR   expo, c2a: of each step, such as 1e-4; dt is then the longest step\n"
     "  --epsilon LENGTH   ess: how near events are met in a straight line, default 10um\n"
     "  --tolerance PART   ess: error of a step of its integrator, default 1e-6\n"
     "  --set FIELD=VALUE  change any field of a scene, such as controller.period=10ms; as often as needed\n"
     "  --out FILE         the log, HDF5 (.h5), CSV (.csv) or MCAP (.mcap) by its ending; default out/NAME.h5; also --log\n"
     "  --no-log           write none\n"
     "  --log-every N      a row every N steps, default 1\n"
     "  --resume LOG.h5    go on where a log ends, for the rest of its time or for --duration TIME\n"
     "  --json             write the summary as JSON\n"
     "  --quiet            no summary and no progress\n" FFI_LOAD_HELP
     "  --ascii            ASCII characters only, whatever the locale says\n"},
    {"view", ffi_command_view, "look at it in the browser",
     "footfall view LOG.h5 [MORE...] [options]\n"
     "footfall view SCENE.yaml [MORE...] [options]\n"
     "footfall view --live SCENE.yaml [options]\n"
     "\n"
     "Writes a page that replays a log: robot, contacts and plots. A scene or a model is run first, as\n"
     "'footfall run' does. The page needs no network and no other file. Several runs are drawn over each\n"
     "other, the first of them solid.\n"
     "\n"
     "  --out FILE, -o     where the page goes, default out/<name>.html\n"
     "  --no-open          do not show it\n"
     "  --steppers A,B,..  one run by each of these steppers\n"
     "  --live             a scene: serve a page on 127.0.0.1 in which it runs meanwhile, to be stopped,\n"
     "                     pushed and changed; --port N chooses where\n"
     "  --json             say where it is as JSON\n"
     "  --quiet            do not say where it is\n"
     "\n"
     "and for scenes and models, of the options of 'footfall run': --stepper, --dt, --duration, --posture, --drop, --on-ground,\n"
     "--slope, --pd, --no-pd, --stiffness, --damping, --friction, --accuracy, --set, --fixed-base, --mimic,\n"
     "--mesh-path.\n"},
    {"new", ffi_command_new, "make a scene for a robot",
     "footfall new MODEL [-o SCENE.yaml] [options]\n"
     "\n"
     "Writes a scene to begin with: the robot (URDF or MJCF) on the ground in a posture in which it stays, found by\n"
     "trying, held by motors whose gains come from its inertia. Then: footfall run SCENE.yaml.\n"
     "\n"
     "  --out FILE, -o     where the scene goes, *.yaml; default the model's name, here. Its log will lie beside it\n"
     "  --posture NAME     start in this posture of the model\n"
     "  --force            replace a file that is there\n"
     "  --json             say what was found as JSON\n"
     "  --quiet            say nothing\n" FFI_LOAD_HELP},
    {"convert", ffi_command_convert, "write a robot in the other format",
     "footfall convert FROM TO [options]\n"
     "\n"
     "Writes a robot as URDF (*.urdf) or MJCF (*.xml, *.mjcf), and lists what that format cannot say.\n"
     "\n"
     "  --to FORMAT        urdf or mjcf, whatever the file is called\n"
     "  --force            replace a file that is there\n"
     "  --json             say what was left out as JSON\n"
     "  --quiet            say nothing\n" FFI_LOAD_HELP},
    {"plan", ffi_command_plan, "compute a motion with feedback gains",
     "footfall plan MOTION [MODEL] --out FILE [options]\n"
     "\n"
     "Computes a trot or a jump of a four-legged robot, with the gains that keep it on its way, and stores\n"
     "both for scenes to follow. MODEL is models/solo12.urdf unless said otherwise. Takes some ten seconds.\n"
     "\n"
     "  --out FILE         where the trajectory goes\n"
     "  --posture NAME     where it stands at first, default 'straight_standing'\n"
     "  --json             the last line as JSON\n"
     "  --quiet            no progress and no last line\n" FFI_LOAD_HELP},
    {"compare", ffi_command_compare, "how wrong is each stepper, and how fast?",
     "footfall compare SCENE [options]\n"
     "\n"
     "Local errors of all steppers on a scene, against speed and against the step, by the program footfall-bench, which gets all arguments.\n"
     "'footfall compare --help' lists its options.\n"},
    {"bench", ffi_command_bench, "measure how fast it is",
     "footfall bench NAME [arguments]\n"
     "\n"
     "Runs a benchmark by the program footfall-bench, which gets all arguments.\n"
     "'footfall bench --help' lists what there is.\n"},
    {"completion", ffi_command_completion, "complete commands and options in a shell",
     "footfall completion bash|zsh|man\n"
     "\n"
     "Prints what bash or zsh needs to complete commands and options, or the manual page.\n"
     "  bash: eval \"$(footfall completion bash)\"     zsh: eval \"$(footfall completion zsh)\"\n"},
    {"help", ffi_command_help, "say what a command does",
     "footfall help [COMMAND]\n"
     "\n"
     "Says what a command does and which options it has.\n"},
};

const int ffi_command_count = sizeof ffi_commands / sizeof ffi_commands[0];
