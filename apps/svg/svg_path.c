#include "svg/svg_path.h"

#include <math.h>

int ffi_svg_path_units(double pixels)
{
  const double far = 1e6;
  return (int)floor(fmin(fmax(pixels, -far), far) * FFI_PATH_UNITS + 0.5);
}

void ffi_svg_path_begin(ffi_path *path, FILE *out)
{
  *path = (ffi_path){.out = out};
  fputs("<path d=\"", out);
}

void ffi_svg_path_move(ffi_path *path, double x, double y)
{
  path->x = ffi_svg_path_units(x);
  path->y = ffi_svg_path_units(y);
  fprintf(path->out, path->y < 0 ? "M%d%d" : "M%d %d", path->x, path->y);
  path->verb = 'M';
}

// Relative, as the numbers are shorter. A minus needs no space before it, nor does the letter need repeating.
void ffi_svg_path_line(ffi_path *path, double x, double y)
{
  const int to_x = ffi_svg_path_units(x), to_y = ffi_svg_path_units(y);
  const int dx = to_x - path->x, dy = to_y - path->y;
  if (dx == 0 && dy == 0)
    return;
  if (path->verb != 'l')
    fputc('l', path->out);
  else if (dx >= 0)
    fputc(' ', path->out);
  fprintf(path->out, dy < 0 ? "%d%d" : "%d %d", dx, dy);
  path->verb = 'l';
  path->x = to_x;
  path->y = to_y;
}

void ffi_svg_path_close(ffi_path *path)
{
  fputc('z', path->out);
  path->verb = 'z';
}
