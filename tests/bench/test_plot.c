// Plots: well-formed, complete in themselves, and every point where it belongs.
#include "common/plot.h"
#include "common/plot_scale.h"

#include <libxml/parser.h>
#include <libxml/tree.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static xmlDoc *draw(const bench_plot_figure *figure, char **text)
{
  size_t size = 0;
  FILE *file = open_memstream(text, &size);
  assert_non_null(file);
  bench_plot_write(file, figure);
  fclose(file);
  xmlDoc *doc = xmlReadMemory(*text, (int)size, "plot.svg", NULL, XML_PARSE_NONET);
  assert_non_null(doc);
  assert_string_equal((const char *)xmlDocGetRootElement(doc)->name, "svg");
  return doc;
}

typedef struct found {
  int count;
  double x[64], y[64];
  char tip[64][80];
} found;

// Circles with a tip: the points of a series of style 0, in the order they are drawn.
static void find_discs(const xmlNode *node, found *out)
{
  for (; node; node = node->next) {
    if (node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, "circle") == 0 && node->children) {
      xmlChar *x = xmlGetProp(node, BAD_CAST "cx"), *y = xmlGetProp(node, BAD_CAST "cy"),
              *tip = xmlNodeGetContent(node);
      out->x[out->count] = atof((const char *)x);
      out->y[out->count] = atof((const char *)y);
      snprintf(out->tip[out->count++], 80, "%s", (const char *)tip);
      xmlFree(x), xmlFree(y), xmlFree(tip);
    }
    find_discs(node->children, out);
  }
}

static found draw_one(const bench_plot *plot, char **text)
{
  xmlDoc *doc = draw(
      &(bench_plot_figure){.title = "A <title> & more", .plots = plot, .plot_count = 1, .columns = 1}, text);
  found f = {0};
  find_discs(xmlDocGetRootElement(doc), &f);
  xmlFreeDoc(doc);
  return f;
}

// A power law is a straight line on logarithmic axes, downwards on paper as values grow.
static void points_are_where_they_belong(void **state)
{
  (void)state;
  const double x[] = {1e-3, 1e-2, 1e-1, 1}, y[] = {1e-9, 1e-7, 1e-5, 1e-3};
  const bench_plot_series s = {.name = "a \"line\" <of> 2 & more", .x = x, .y = y, .count = 4};
  const bench_plot plot = {.x = {"x", 1, 0, 0}, .y = {"y", 1, 0, 0}, .series = &s, .series_count = 1};
  char *text = NULL;
  const found f = draw_one(&plot, &text);
  assert_int_equal(f.count, 4);
  for (int i = 0; i + 1 < 4; ++i) { // coordinates are written to 0.01
    assert_true(fabs((f.x[i + 1] - f.x[i]) - (f.x[1] - f.x[0])) < 0.03 && f.x[i + 1] > f.x[i]);
    assert_true(fabs((f.y[i + 1] - f.y[i]) - (f.y[1] - f.y[0])) < 0.03 && f.y[i + 1] < f.y[i]);
  }
  assert_string_equal(f.tip[0], "a \"line\" <of> 2 & more: 0.001, 1e-09");
  free(text);
}

static void points_that_cannot_be_shown_are_left_out(void **state)
{
  (void)state;
  const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {1e-3, NAN, 0, -1, INFINITY, 1e-2};
  const bench_plot_series s = {.name = "s", .x = x, .y = y, .count = 6};
  bench_plot plot = {.x = {"x", 0, 0, 0}, .y = {"y", 1, 0, 0}, .series = &s, .series_count = 1};
  char *text = NULL;
  found f = draw_one(&plot, &text);
  assert_int_equal(f.count, 2);
  assert_null(strstr(text, "nan"));
  assert_null(strstr(text, "inf"));
  free(text);
  plot.y.is_log = 0;
  f = draw_one(&plot, &text);
  assert_int_equal(f.count, 4);
  free(text);
  plot.series_count = 0; // an empty frame is a picture too
  f = draw_one(&plot, &text);
  assert_int_equal(f.count, 0);
  assert_null(strstr(text, "nan"));
  free(text);
}

static void pictures_stand_by_themselves(void **state)
{
  static const char *const forbidden[] = {"<script", "href", "url(", "<image", "onload", "@import"};
  (void)state;
  const double x[] = {1, 2}, y[] = {1, 2};
  bench_plot_series s[BENCH_PLOT_STYLES];
  char names[BENCH_PLOT_STYLES][16];
  for (int i = 0; i < BENCH_PLOT_STYLES; ++i) {
    snprintf(names[i], sizeof names[i], "s%d", i);
    s[i] = (bench_plot_series){.name = names[i], .x = x, .y = y, .count = 2, .style = i};
  }
  const bench_plot plots[2] = {
      {.title = "p",
       .x = {"x", 0, 0, 0},
       .y = {"y", 0, 0, 0},
       .series = s,
       .series_count = BENCH_PLOT_STYLES,
       .floor = 1.5,
       .floor_name = "f"},
      {.title = "q", .x = {"x", 0, 0, 0}, .y = {"y", 0, 0, 0}, .series = s, .series_count = 3}};
  char *text = NULL;
  xmlDoc *doc = draw(
      &(bench_plot_figure){.title = "t", .note = "n", .plots = plots, .plot_count = 2, .columns = 2}, &text);
  for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; ++i)
    assert_null(strstr(text, forbidden[i]));
  assert_non_null(strstr(text, "prefers-color-scheme: dark"));
  int legends = 0; // each name once, though two panels use it
  for (const char *at = text; (at = strstr(at, ">s1</text>")) != NULL; ++at)
    ++legends;
  assert_int_equal(legends, 1);
  xmlFreeDoc(doc);
  free(text);
}

// Ranges hold the data; ticks are inside, in order, and decades have a label.
static void axes_hold_their_data(void **state)
{
  static const double spans[][2] = {{1e-9, 3}, {0.8, 1.3}, {5, 5}, {1e-12, 1e12}, {40, 41}};
  (void)state;
  for (int is_log = 0; is_log < 2; ++is_log)
    for (int i = 0; i < 5; ++i) {
      bench_plot_scale s = bench_plot_scale_for(is_log, spans[i][0], spans[i][1]);
      s.start = 0, s.length = 1;
      assert_true(bench_plot_scale_at(&s, spans[i][0]) >= 0 && bench_plot_scale_at(&s, spans[i][1]) <= 1);
      bench_plot_scale_tick ticks[BENCH_PLOT_SCALE_TICKS];
      const int count = bench_plot_scale_ticks(&s, 8, ticks);
      int labels = 0;
      for (int k = 0; k < count; ++k) {
        const double at = bench_plot_scale_at(&s, ticks[k].value);
        assert_true(at > -1e-6 && at < 1 + 1e-6);
        assert_true(k == 0 || ticks[k].value > ticks[k - 1].value);
        labels += ticks[k].label[0] != '\0';
      }
      assert_in_range(labels, 2, 12);
    }
  bench_plot_scale_tick ticks[BENCH_PLOT_SCALE_TICKS];
  bench_plot_scale s = {.is_log = 1, .from = -2, .to = 1, .length = 1};
  const int count = bench_plot_scale_ticks(&s, 8, ticks);
  assert_int_equal(count, 3 * 9 + 1);
  assert_string_equal(ticks[0].label, "0.01");
  assert_string_equal(ticks[27].label, "10");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_are_where_they_belong),
      cmocka_unit_test(points_that_cannot_be_shown_are_left_out),
      cmocka_unit_test(pictures_stand_by_themselves),
      cmocka_unit_test(axes_hold_their_data),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  xmlCleanupParser();
  return failed;
}
