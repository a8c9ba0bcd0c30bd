// Eigenvalues by Jacobi rotations: for 3 x 3 as short as any closed form, and without its cancellation.
#include "math/eigen3.h"

#include "math/mat3.h"

// Annihilate A[p][q]; r is the third index.                    Golub and Van Loan, section 8.5
static void rotate(double A[9], int p, int q)
{
  int r = 3 - p - q;
  double a = A[3 * p + q];
  if (a == 0)
    return;
  double theta = (A[4 * q] - A[4 * p]) / (2 * a);
  double t = copysign(1, theta) / (fabs(theta) + hypot(1, theta)); // the smaller root: at most 45 degrees
  double c = 1 / hypot(1, t), s = t * c;
  double pr = A[3 * p + r], qr = A[3 * q + r];
  A[4 * p] -= t * a;
  A[4 * q] += t * a;
  A[3 * p + q] = A[3 * q + p] = 0;
  A[3 * p + r] = A[3 * r + p] = c * pr - s * qr;
  A[3 * q + r] = A[3 * r + q] = s * pr + c * qr;
}

static void sort2(double *a, double *b)
{
  if (*a > *b) {
    double t = *a;
    *a = *b;
    *b = t;
  }
}

void ffi_eigen3(const double S[6], double values[3])
{
  enum { SWEEPS = 12 }; // convergence is quadratic; 5 are enough in practice
  double A[9];
  ffi_m3_from_sym(S, A);
  for (int i = 0; i < SWEEPS; ++i) {
    rotate(A, 0, 1);
    rotate(A, 0, 2);
    rotate(A, 1, 2);
  }
  ffi_v3_set(A[0], A[4], A[8], values);
  sort2(&values[0], &values[1]);
  sort2(&values[1], &values[2]);
  sort2(&values[0], &values[1]);
}
