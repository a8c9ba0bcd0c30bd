// The words for the release of MuJoCo that was found.
#include "peers/mujoco_release.h"

#include "common/html.h"
#include "common/machine.h"
#include "peers/mujoco_peer.h"

#include <footfall/dynamics.h>

#include <stdio.h>

bench_mujoco_release bench_mujoco_release_found(void)
{
  bench_mujoco_release words = {"", "MuJoCo"};
  char why[256];
  const bench_mujoco_peer *peer = bench_mujoco_peer_find(why, sizeof why);
  if (!peer)
    return words;
  snprintf(words.version, sizeof words.version, "%s", peer->version);
  snprintf(words.name, sizeof words.name, "MuJoCo %s (%s, %s)", peer->version, peer->source, peer->sets);
  return words;
}

void bench_mujoco_release_row(bench_json_rows *rows)
{
  const bench_mujoco_release words = bench_mujoco_release_found();
  if (words.version[0])
    bench_json_rows_add_word(rows, "run", "mujoco", words.name);
}

void bench_mujoco_release_page(FILE *f, const char *title, const char *quick, ff_isa isa)
{
  char machine[128], date[16];
  bench_machine_name(machine, sizeof machine);
  bench_machine_date(date, sizeof date);
  bench_html_begin(f, title);
  bench_html_text(f, "h1", title);
  if (quick)
    fprintf(f, "\n<p class=\"bad\">This is the quick variant: %s; rough figures.</p>\n", quick);
  fprintf(f, "\n<p class=\"soft\">Footfall with %s beside ", ff_isa_name(isa));
  bench_plot_escape(f, bench_mujoco_release_found().name);
  fprintf(f, "; %s; %s.</p>\n", machine, date);
}
