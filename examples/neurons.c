// neurons.c: integrate-and-fire neurons: a system with events that has nothing to do with robots. Nothing but
// <footfall/ess.h>.
//
//     cc neurons.c $(pkg-config --cflags --libs footfall) -lm -o neurons && ./neurons
//
// Each neuron's voltage leaks and is driven by a current; as it reaches 1 the neuron fires, and its voltage is *reset*
// to 0. Every spike adds to a current that all others feel and that decays by itself:
//
//     tau v_k' = -v_k + I_k + s,   tau_s s' = -s;      v_k = 1:  v_k := 0, s := s + weight
//
// A hundred of them fire thousands of times, many nearly together and in an order that no one knows beforehand. Each
// firing is a guard, h_k = v_k - 1, that arms itself again.
//
// Without coupling a neuron fires every tau log(I / (I - 1)) seconds: that is checked. With it, projections are
// compared with a run in which every firing is located to ten digits.
#include <footfall/ess.h>

#include <math.h>
#include <stdio.h>

enum { NEURONS = 100, SIZE = NEURONS + 1 }; // the last number of the state is s

static const double tau = 20e-3, tau_s = 5e-3, duration = 1; // [s]

typedef struct network {
  double drive[NEURONS], weight;
  int spikes[NEURONS];
  double last[NEURONS]; // spike [s]
} network;

static int field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  const network *net = user;
  (void)t, (void)side;
  for (int k = 0; k < NEURONS; ++k)
    dx[k] = (net->drive[k] + x[NEURONS] - x[k]) / tau;
  dx[NEURONS] = -x[NEURONS] / tau_s;
  return 0;
}

static void guard(const double *x, double *h, void *user)
{
  (void)user;
  for (int k = 0; k < NEURONS; ++k)
    h[k] = x[k] - 1;
}

// How fast guards rise along a velocity: with many guards this saves their derivatives.
static void guard_rate(const double *x, const double *dx, double *rate, void *user)
{
  (void)x, (void)user;
  for (int k = 0; k < NEURONS; ++k)
    rate[k] = dx[k];
}

static int fire(int k, double t, const double *x, const signed char *side, double *out, void *user)
{
  const network *net = user;
  (void)t, (void)side;
  for (int i = 0; i < SIZE; ++i)
    out[i] = x[i];
  out[k] = 0;
  out[NEURONS] += net->weight;
  return 0;
}

static void record(double t, const double *x, int k, void *user)
{
  network *net = user;
  (void)x;
  if (k < 0)
    return;
  ++net->spikes[k];
  net->last[k] = t;
}

// Runs a network from rest. Returns 0 after a message.
static int run(network *net, ff_ess_method method, double epsilon, double *end)
{
  ff_ess_rearm rearm[NEURONS];
  double x0[SIZE] = {0};
  ff_error error;
  ff_ess *ess;
  ff_ess_def def = ff_ess_def_default();
  for (int k = 0; k < NEURONS; ++k)
    rearm[k] = (ff_ess_rearm){k, k}; // each arms itself: it starts from 0 again
  def.system = (ff_ess_system){.size = SIZE,
                               .guards = NEURONS,
                               .field = field,
                               .guard = guard,
                               .guard_rate = guard_rate,
                               .reset = fire,
                               .user = net};
  def.rearm = rearm;
  def.rearm_count = NEURONS;
  def.method = method;
  def.epsilon = epsilon;
  def.record = record;
  def.relative_tolerance = 1e-10, def.absolute_tolerance = 1e-12; // between spikes
  ff_status status = ff_ess_create(&def, &ess, &error);
  if (status == FF_OK)
    status = ff_ess_start(ess, 0, x0, NULL, &error);
  if (status == FF_OK)
    status = ff_ess_advance(ess, duration, &error);
  for (int i = 0; i < SIZE && status == FF_OK; ++i)
    end[i] = ff_ess_state(ess)[i];
  if (status != FF_OK)
    fprintf(stderr, "%s\n", error.message);
  else
    printf("%s: %lld spikes, %lld steps, %lld evaluations\n",
           method == FF_ESS_PROJECT ? "projected" : "located", ff_ess_get_info(ess).crossings,
           ff_ess_get_info(ess).steps, ff_ess_get_info(ess).evaluations);
  ff_ess_destroy(ess);
  return status == FF_OK;
}

// Currents from 1.2 to 1.8: a neuron with less fires less often.
static network make(double weight)
{
  network net = {.weight = weight};
  for (int k = 0; k < NEURONS; ++k)
    net.drive[k] = 1.2 + 0.6 * k / (NEURONS - 1);
  return net;
}

// Every neuron alone: spike n is at n tau log(I / (I - 1)).
static int check_alone(void)
{
  network net = make(0);
  double end[SIZE], worst = 0;
  int missed = 0;
  if (!run(&net, FF_ESS_PROJECT, 1e-5, end))
    return 0;
  for (int k = 0; k < NEURONS; ++k) {
    const double period = tau * log(net.drive[k] / (net.drive[k] - 1));
    missed += net.spikes[k] != (int)(duration / period);
    worst = fmax(worst, fabs(net.last[k] - net.spikes[k] * period));
  }
  printf("alone: %d neurons with another number of spikes, last spikes wrong by at most %.1e s\n\n", missed,
         worst);
  return missed == 0 && worst < 1e-6;
}

// Together, inhibiting each other.
static int check_coupled(void)
{
  network projected = make(-0.02), located = projected;
  double end[2][SIZE], worst = 0;
  int missed = 0;
  if (!run(&projected, FF_ESS_PROJECT, 3e-6, end[0]) || !run(&located, FF_ESS_LOCATE, 1, end[1]))
    return 0;
  for (int k = 0; k < NEURONS; ++k) {
    missed += projected.spikes[k] != located.spikes[k];
    worst = fmax(worst, fabs(projected.last[k] - located.last[k]));
  }
  printf("together: %d neurons with another number of spikes, last spikes apart by at most %.1e s\n", missed,
         worst);
  return missed == 0 && worst < 1e-6;
}

int main(void)
{
  const int is_fine = check_alone() && check_coupled();
  printf("%s\n", is_fine ? "all as it should be" : "this is wrong");
  return is_fine ? 0 : 1;
}
