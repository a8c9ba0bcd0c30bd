// The known word that is nearest to an unknown one, for "did you mean".
#include <footfall/status.h>

#include <string.h>

enum { LONGEST_WORD = 64 }; // longer words get no suggestion

static int least(int a, int b, int c)
{
  const int ab = a < b ? a : b;
  return ab < c ? ab : c;
}

// How many letters must be put in, left out, changed or swapped with their neighbour to get from a to b.
static int edit_distance(const char *a, const char *b)
{
  const int n = (int)strlen(a), m = (int)strlen(b);
  int d[3][LONGEST_WORD + 1]; // the rows i - 2, i - 1 and i of the table, at i mod 3
  for (int j = 0; j <= m; ++j)
    d[0][j] = j;
  for (int i = 1; i <= n; ++i) {
    int *row = d[i % 3];
    const int *above = d[(i - 1) % 3], *two_above = d[(i + 1) % 3];
    row[0] = i;
    for (int j = 1; j <= m; ++j) {
      row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], row[j], two_above[j - 2] + 1);
    }
  }
  return d[n % 3][m];
}

// A word is near if at most a third of it is wrong, or if it is the beginning of the known one.
void ff_nearest_try(ff_nearest *nearest, const char *known)
{
  const char *word = nearest->word;
  const size_t length = strlen(word), other = strlen(known);
  if (length < 2 || length > LONGEST_WORD || other > LONGEST_WORD)
    return;
  const int begun = strspn(word, "-") < length && strncmp(word, known, length) == 0;
  const int distance = begun ? 0 : edit_distance(word, known);
  if (3 * distance > (int)other || (nearest->meant && distance >= nearest->distance))
    return;
  nearest->meant = known;
  nearest->distance = distance;
}
