// Draws panels, axes, lines, markers and the legend of a figure as SVG.
#include "common/plot.h"

#include "common/plot_scale.h"

#include <math.h>
#include <string.h>

enum {
  PANEL_WIDTH = 470,
  PANEL_HEIGHT = 350,
  LEFT = 62, // of the frame in its panel
  RIGHT = 18,
  ABOVE = 34,
  BELOW = 50,
  MARGIN = 14, // of the figure
  LEGEND_ROW = 20,
  LEGEND_MOST = 32, // entries
};

// Colours come in pairs, for light and for dark background.
static const struct {
  const char *light, *dark;
} colours[] = {
    {"#0068b0", "#56b1f2"}, // blue
    {"#d04a00", "#ff8a4a"}, // vermilion
    {"#00875f", "#35c796"}, // green
    {"#a8437f", "#e58cc0"}, // purple
    {"#b87a00", "#f2b632"}, // amber
    {"#667080", "#a9b2c0"}, // grey
};
enum { COLOURS = sizeof colours / sizeof *colours };

typedef enum marker { DISC, SQUARE, UP, DIAMOND, DOWN, PLUS, CROSS } marker;

// expo has the thickest line; the orders of expo-paper share its colour and differ by dashes and markers.
static const struct {
  const char *name; // of a scheme
  int colour;
  marker marker;
  const char *dashes; // NULL: none
  double width;
} styles[BENCH_PLOT_STYLES] = {
    {"expo", 0, DISC, NULL, 2.4},
    {"expo-paper", 1, SQUARE, NULL, 1.8},
    {"rk4", 2, UP, NULL, 1.6},
    {"implicit", 3, DIAMOND, NULL, 1.6},
    {"euler", 4, DOWN, NULL, 1.6},
    {"symplectic", 5, PLUS, NULL, 1.4},
    {"expo:order-1", 0, CROSS, "6 3", 1.4},
    {"expo-paper:order-1", 1, DOWN, "2 2", 1.2},
    {"expo-paper:order-2", 1, PLUS, "5 2", 1.2},
    {"expo-paper:order-3", 1, UP, "7 2 2 2", 1.2},
    {"expo-paper:order-5", 1, DIAMOND, "9 3", 1.2},
    {"expo-paper:order-7", 1, CROSS, "3 3", 1.2},
    {"predicted", 4, PLUS, "5 4", 1.8},
    {"ess", 2, DISC, "6 3", 1.6},
    {"moreau", 4, CROSS, "6 3", 1.6},
    {"ca", 3, SQUARE, "6 3", 1.8},
    {"c2a", 2, DIAMOND, NULL, 2.4},
    {"mujoco", 5, UP, "6 3", 1.6},
    {"mujoco:default", 5, DOWN, "2 2", 1.4},
    {"expo, accuracy", 0, SQUARE, "6 3", 2},
    {"ca, fixed", 4, DISC, NULL, 1.8},
    {"c2a, fixed", 3, UP, NULL, 1.8},
    {"c2a, no advancement", 2, SQUARE, "6 3", 1.6},
};

int bench_plot_style(const char *name)
{
  for (int i = 0; i < BENCH_PLOT_STYLES; ++i)
    if (strcmp(name, styles[i].name) == 0)
      return i;
  return 5;
}

void bench_plot_escape(FILE *file, const char *text)
{
  for (const char *c = text; *c; ++c)
    switch (*c) {
    case '&': fputs("&amp;", file); break;
    case '<': fputs("&lt;", file); break;
    case '>': fputs("&gt;", file); break;
    case '"': fputs("&quot;", file); break;
    default: fputc(*c, file);
    }
}

// ---- Text and colours --------------------------------------------------------------------------------------

// Attributes hold the colours of the light theme; the style sheet overrides them for the dark one.
static void write_style(FILE *f)
{
  fputs("<style>@media (prefers-color-scheme: dark) {"
        ".ffp-paper{fill:#15181e}.ffp-frame{stroke:#596273}.ffp-grid{stroke:#2b313b}.ffp-fine{stroke:#596273}"
        ".ffp-ink{fill:#e8eaee}.ffp-soft{fill:#a9b2c0}.ffp-floor{fill:#8d97a8}",
        f);
  for (int i = 0; i < COLOURS; ++i)
    fprintf(f, ".ffp-s%d{stroke:%s}.ffp-f%d{fill:%s}", i, colours[i].dark, i, colours[i].dark);
  fputs("}</style>\n", f);
}

static void write_text(FILE *f, double x, double y, double size, const char *look, const char *text)
{
  fprintf(f, "<text x=\"%.4g\" y=\"%.4g\" font-size=\"%.3g\" %s>", x, y, size, look);
  bench_plot_escape(f, text);
  fputs("</text>\n", f);
}

#define INK "class=\"ffp-ink\" fill=\"#1c2026\""
#define SOFT "class=\"ffp-soft\" fill=\"#5b6472\""

// ---- Markers -----------------------------------------------------------------------------------------------

static void write_shape(FILE *f, marker kind, double x, double y)
{
  switch (kind) {
  case DISC: fprintf(f, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3.6\"", x, y); break;
  case SQUARE:
    fprintf(f, "<rect x=\"%.2f\" y=\"%.2f\" width=\"6.4\" height=\"6.4\"", x - 3.2, y - 3.2);
    break;
  case UP: fprintf(f, "<path d=\"M%.2f %.2fl4 7h-8z\"", x, y - 4.4); break;
  case DOWN: fprintf(f, "<path d=\"M%.2f %.2fl4 -7h-8z\"", x, y + 4.4); break;
  case DIAMOND: fprintf(f, "<path d=\"M%.2f %.2fl4.2 4.2l-4.2 4.2l-4.2 -4.2z\"", x, y - 4.2); break;
  case PLUS: fprintf(f, "<path d=\"M%.2f %.2fh8m-4 -4v8\"", x - 4, y); break;
  default: fprintf(f, "<path d=\"M%.2f %.2fl6.4 6.4m0 -6.4l-6.4 6.4\"", x - 3.2, y - 3.2); break;
  }
}

// `tip`: the tooltip, NULL: none.
static void write_marker(FILE *f, int style, double x, double y, int is_hollow, const char *tip)
{
  const int c = styles[style].colour, is_line = styles[style].marker == PLUS || styles[style].marker == CROSS;
  write_shape(f, styles[style].marker, x, y);
  if (is_line)
    fprintf(f, " fill=\"none\" class=\"ffp-s%d\" stroke=\"%s\" stroke-width=\"%s\"", c, colours[c].light,
            is_hollow ? "0.9" : "1.8");
  else if (is_hollow)
    fprintf(f, " class=\"ffp-paper ffp-s%d\" fill=\"#ffffff\" stroke=\"%s\" stroke-width=\"1.3\"", c,
            colours[c].light);
  else
    fprintf(f, " class=\"ffp-f%d\" fill=\"%s\"", c, colours[c].light);
  if (tip) {
    fputs("><title>", f);
    bench_plot_escape(f, tip);
    fprintf(f, "</title></%s>\n",
            styles[style].marker == DISC     ? "circle"
            : styles[style].marker == SQUARE ? "rect"
                                             : "path");
  } else
    fputs("/>\n", f);
}

static void begin_line(FILE *f, int style)
{
  const int c = styles[style].colour;
  fprintf(
      f,
      "<path class=\"ffp-s%d\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.2g\" stroke-linejoin=\"round\"",
      c, colours[c].light, styles[style].width);
  if (styles[style].dashes)
    fprintf(f, " stroke-dasharray=\"%s\"", styles[style].dashes);
  fputs(" d=\"", f);
}

// ---- A panel -----------------------------------------------------------------------------------------------

typedef struct panel {
  const bench_plot *plot;
  double width, height;  // of the frame
  bench_plot_scale x, y; // inside of the frame
} panel;

static bench_plot_scale scale_of(const bench_plot *p, const bench_plot_axis *axis, int is_y)
{
  const bench_plot_scale any = {.is_log = axis->is_log};
  double low = INFINITY, high = -INFINITY;
  for (int s = 0; s < p->series_count; ++s)
    for (int i = 0; i < p->series[s].count; ++i) {
      const double value = is_y ? p->series[s].y[i] : p->series[s].x[i];
      const int is_above = !is_y && p->y.to != 0 && p->series[s].y[i] > p->y.to; // needs no space along x
      if (bench_plot_scale_has(&any, value) && !is_above) {
        low = fmin(low, value);
        high = fmax(high, value);
      }
    }
  if (axis->from == 0 && axis->to == 0)
    return bench_plot_scale_for(axis->is_log, low, high);
  return (bench_plot_scale){.is_log = axis->is_log,
                            .from = axis->is_log ? log10(axis->from) : axis->from,
                            .to = axis->is_log ? log10(axis->to) : axis->to};
}

static void write_ticks(FILE *f, const bench_plot_scale *scale, int is_y, double width, double height)
{
  bench_plot_scale_tick ticks[BENCH_PLOT_SCALE_TICKS];
  const int count = bench_plot_scale_ticks(scale, is_y ? 12 : 8, ticks);
  for (int i = 0; i < count; ++i) {
    const double at = bench_plot_scale_at(scale, ticks[i].value), grid = ticks[i].is_major ? 1 : 0;
    if (grid > 0)
      fprintf(f, "<path class=\"ffp-grid\" stroke=\"#e3e6ea\" d=\"M%.2f %.2f%s%.2f\"/>\n", is_y ? 0 : at,
              is_y ? at : 0, is_y ? "h" : "v", is_y ? width : height);
    else
      fprintf(f, "<path class=\"ffp-fine\" stroke=\"#b4bac3\" d=\"M%.2f %.2f%s\"/>\n", is_y ? 0 : at,
              is_y ? at : height, is_y ? "h3" : "v-3");
    if (ticks[i].label[0])
      fprintf(f, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"11\" text-anchor=\"%s\" " SOFT ">%s</text>\n",
              is_y ? -7 : at, is_y ? at + 4 : height + 16, is_y ? "end" : "middle", ticks[i].label);
  }
}

static void write_floor(FILE *f, const panel *p)
{
  if (!(p->plot->floor > 0))
    return;
  const double at = fmax(0, bench_plot_scale_at(&p->y, p->plot->floor));
  if (at >= p->height)
    return;
  fprintf(
      f,
      "<rect class=\"ffp-floor\" fill=\"#8d97a8\" fill-opacity=\"0.16\" x=\"0\" y=\"%.2f\" width=\"%.2f\" "
      "height=\"%.2f\"/>\n",
      at, p->width, p->height - at);
  if (p->plot->floor_name && p->height - at > 14)
    write_text(f, 7, at + 13, 10.5, SOFT, p->plot->floor_name);
}

static void write_line(FILE *f, const panel *p, const bench_plot_series *s)
{
  int is_drawing = 0;
  begin_line(f, s->style);
  for (int i = 0; i < s->count; ++i) {
    if (!bench_plot_scale_has(&p->x, s->x[i]) || !bench_plot_scale_has(&p->y, s->y[i])) {
      is_drawing = 0;
      continue;
    }
    fprintf(f, "%s%.2f %.2f", is_drawing ? "L" : "M", bench_plot_scale_at(&p->x, s->x[i]),
            bench_plot_scale_at(&p->y, s->y[i]));
    is_drawing = 1;
  }
  fputs("\"/>\n", f);
}

static void write_markers(FILE *f, const panel *p, const bench_plot_series *s)
{
  char tip[160];
  for (int i = 0; i < s->count && !s->has_no_markers; ++i)
    if (bench_plot_scale_has(&p->x, s->x[i]) && bench_plot_scale_has(&p->y, s->y[i])) {
      snprintf(tip, sizeof tip, "%s: %.4g, %.3g", s->name, s->x[i], s->y[i]);
      write_marker(f, s->style, bench_plot_scale_at(&p->x, s->x[i]), bench_plot_scale_at(&p->y, s->y[i]),
                   s->hollow && s->hollow[i], tip);
    }
}

static void write_panel(FILE *f, const bench_plot *plot, double left, double top)
{
  panel p = {.plot = plot, .width = PANEL_WIDTH - LEFT - RIGHT, .height = PANEL_HEIGHT - ABOVE - BELOW};
  p.x = scale_of(plot, &plot->x, 0);
  p.y = scale_of(plot, &plot->y, 1);
  p.x.start = 0, p.x.length = p.width;
  p.y.start = p.height, p.y.length = -p.height;
  fprintf(f, "<g transform=\"translate(%.2f %.2f)\">\n", left + LEFT, top + ABOVE);
  write_ticks(f, &p.x, 0, p.width, p.height);
  write_ticks(f, &p.y, 1, p.width, p.height);
  fprintf(f, "<svg x=\"0\" y=\"0\" width=\"%.2f\" height=\"%.2f\" overflow=\"hidden\">\n", p.width, p.height);
  write_floor(f, &p);
  for (int s = plot->series_count - 1; s >= 0; --s) // the first lies on top
    write_line(f, &p, &plot->series[s]);
  for (int s = plot->series_count - 1; s >= 0; --s)
    write_markers(f, &p, &plot->series[s]);
  fputs("</svg>\n", f);
  fprintf(
      f,
      "<rect class=\"ffp-frame\" x=\"0\" y=\"0\" width=\"%.2f\" height=\"%.2f\" fill=\"none\" stroke=\"#9aa2ad\"/>\n",
      p.width, p.height);
  if (plot->title)
    write_text(f, 0, -11, 13, INK " font-weight=\"600\"", plot->title);
  write_text(f, p.width / 2, p.height + 36, 12, SOFT " text-anchor=\"middle\"", plot->x.label);
  fprintf(f, "<g transform=\"rotate(-90)\">");
  write_text(f, -p.height / 2, -46, 12, SOFT " text-anchor=\"middle\"", plot->y.label);
  fputs("</g>\n</g>\n", f);
}

// ---- Legend ------------------------------------------------------------------------------------------------

// Every name once, in the order of their first use.
static int collect(const bench_plot_figure *figure, const bench_plot_series *entries[LEGEND_MOST])
{
  int count = 0;
  for (int p = 0; p < figure->plot_count; ++p)
    for (int s = 0; s < figure->plots[p].series_count; ++s) {
      const bench_plot_series *series = &figure->plots[p].series[s];
      int is_known = 0;
      for (int e = 0; e < count; ++e)
        is_known = is_known || strcmp(entries[e]->name, series->name) == 0;
      if (!is_known && count < LEGEND_MOST)
        entries[count++] = series;
    }
  return count;
}

// Lay out, and draw unless `file` is NULL. Returns the height.
static double write_legend(FILE *f, const bench_plot_figure *figure, double left, double top, double width)
{
  const bench_plot_series *entries[LEGEND_MOST];
  const int count = collect(figure, entries);
  double x = left, y = top + 12;
  for (int e = 0; e < count; ++e) {
    const double own = 52 + 7.0 * (double)strlen(entries[e]->name);
    if (x > left && x + own > left + width) {
      x = left;
      y += LEGEND_ROW;
    }
    if (f) {
      begin_line(f, entries[e]->style);
      fprintf(f, "M%.2f %.2fh26\"/>\n", x, y);
      if (!entries[e]->has_no_markers)
        write_marker(f, entries[e]->style, x + 13, y, 0, NULL);
      write_text(f, x + 33, y + 4, 12, INK, entries[e]->name);
    }
    x += own;
  }
  return count > 0 ? y - top + 12 : 0;
}

// ---- The picture -------------------------------------------------------------------------------------------

void bench_plot_write(FILE *f, const bench_plot_figure *figure)
{
  const int columns = figure->columns > 0 ? figure->columns : 1;
  const int rows = (figure->plot_count + columns - 1) / columns;
  const double width = 2 * MARGIN + (double)columns * PANEL_WIDTH, inner = width - 2 * MARGIN;
  double top = MARGIN + (figure->title ? 24 : 0) + (figure->note ? 20 : 0);
  const double legend_top = top;
  top += write_legend(NULL, figure, MARGIN + 8, top, inner - 8);
  const double height = top + (double)rows * PANEL_HEIGHT + MARGIN;
  fprintf(
      f,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
      "style=\"max-width:100%%;height:auto\" font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\" "
      "role=\"img\">\n",
      width, height, width, height);
  if (figure->title) {
    fputs("<title>", f);
    bench_plot_escape(f, figure->title);
    fputs("</title>\n", f);
  }
  write_style(f);
  fprintf(f, "<rect class=\"ffp-paper\" width=\"%.0f\" height=\"%.0f\" rx=\"8\" fill=\"#ffffff\"/>\n", width,
          height);
  if (figure->title)
    write_text(f, MARGIN + 8, MARGIN + 16, 17, INK " font-weight=\"600\"", figure->title);
  if (figure->note)
    write_text(f, MARGIN + 8, MARGIN + (figure->title ? 37 : 14), 12, SOFT, figure->note);
  write_legend(f, figure, MARGIN + 8, legend_top, inner - 8);
  for (int i = 0; i < figure->plot_count; ++i) {
    const int row = i / columns, column = i % columns;
    write_panel(f, &figure->plots[i], MARGIN + column * PANEL_WIDTH, top + row * PANEL_HEIGHT);
  }
  fputs("</svg>\n", f);
}
