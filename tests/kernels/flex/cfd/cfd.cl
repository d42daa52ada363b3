/* Flow of a gas around a body: the three-dimensional Euler equations for compressible flow, on a
 * mesh of n elements with four faces each.  An element has five variables: density, three
 * components of momentum, and density of energy; variable v of element i is variables[i + v n], or
 * the parts of this array are given one by one. */
#define FACES 4
#define VARIABLES 5
#define GAMMA 1.4f
#define SMOOTHING 0.2f

static float3 vector_at(__global const float *from, int i, int n) {
  return (float3)(from[i], from[i + n], from[i + 2 * n]);
}

static float along(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static float squared(float3 v) { return along(v, v); }

static float pressure_of(float density, float energy, float speed_squared) {
  return (GAMMA - 1.0f) * (energy - 0.5f * density * speed_squared);
}

static float sound_of(float density, float pressure) { return sqrt(GAMMA * pressure / density); }

/* All elements start with the flow far away. */
__kernel void initialize(__global float *variables, __constant float *far, int n) {
  const int i = get_global_id(0);
  for (int v = 0; v < VARIABLES; v++)
    variables[i + v * n] = far[v];
}

/* The longest step of time that an element allows, divided by its volume. */
__kernel void step_factor(__global const float *densities, __global const float *momenta,
                          __global const float *energies, __global const float *areas,
                          __global float *factors, int n) {
  const int i = get_global_id(0);
  const float density = densities[i];
  const float speed = squared(vector_at(momenta, i, n) / density);
  const float sound = sound_of(density, pressure_of(density, energies[i], speed));
  factors[i] = 0.5f / (sqrt(areas[i]) * (sqrt(speed) + sound));
}

/* The flux of each variable through a unit of area in x, y, z. */
struct contribution {
  float3 x, y, z, energy;
};

static struct contribution contribution_of(float3 momentum, float energy, float pressure,
                                           float3 velocity) {
  struct contribution c;
  c.x = velocity * momentum.x;
  c.y = velocity * momentum.y;
  c.z = velocity * momentum.z;
  c.x.x += pressure;
  c.y.y += pressure;
  c.z.z += pressure;
  c.energy = velocity * (energy + pressure);
  return c;
}

/* Neighbours are given by their distance in the numbering: a face with distance 0 is at the body,
 * and one that leads out of the mesh has the flow far away behind it.  normals[i + (face + axis
 * FACES) n] is the normal of a face, as long as its area.  far: the variables far away, and from 5
 * on the contribution there: x, y, z, energy. */
__kernel void flux(__global const int *neighbours, __global const float *normals,
                   __global const float *densities, __global const float *momenta,
                   __global const float *energies, __constant float *far, __global float *fluxes,
                   int n) {
  const int i = get_global_id(0);
  const float density = densities[i], energy = energies[i];
  const float3 momentum = vector_at(momenta, i, n), velocity = momentum / density;
  const float speed_squared = squared(velocity), speed = sqrt(speed_squared);
  const float pressure = pressure_of(density, energy, speed_squared);
  const float sound = sound_of(density, pressure);
  const struct contribution own = contribution_of(momentum, energy, pressure, velocity);
  float flux_density = 0.0f, flux_energy = 0.0f;
  float3 flux_momentum = (float3)(0.0f);
#pragma unroll 1
  for (int face = 0; face < FACES; face++) {
    const int to = i + neighbours[i + face * n];
    const float3 normal = vector_at(&normals[face * n], i, FACES * n);
    if (to == i) {
      flux_momentum += normal * pressure;
    } else if (to >= 0 && to < n) {
      const float density_to = densities[to], energy_to = energies[to];
      const float3 momentum_to = vector_at(momenta, to, n), velocity_to = momentum_to / density_to;
      const float squared_to = squared(velocity_to);
      const float pressure_to = pressure_of(density_to, energy_to, squared_to);
      const float sound_to = sound_of(density_to, pressure_to);
      const struct contribution other =
          contribution_of(momentum_to, energy_to, pressure_to, velocity_to);
      /* Artificial viscosity. */
      const float viscous =
          -sqrt(squared(normal)) * SMOOTHING * 0.5f * (speed + sqrt(squared_to) + sound + sound_to);
      flux_density += viscous * (density - density_to);
      flux_energy += viscous * (energy - energy_to);
      flux_momentum += viscous * (momentum - momentum_to);
      /* The flow through the face. */
      flux_density += 0.5f * along(normal, momentum + momentum_to);
      flux_energy += 0.5f * along(normal, own.energy + other.energy);
      flux_momentum.x += 0.5f * along(normal, own.x + other.x);
      flux_momentum.y += 0.5f * along(normal, own.y + other.y);
      flux_momentum.z += 0.5f * along(normal, own.z + other.z);
    } else {
      flux_density += 0.5f * along(normal, momentum + (float3)(far[1], far[2], far[3]));
      flux_energy += 0.5f * along(normal, own.energy + (float3)(far[14], far[15], far[16]));
      flux_momentum.x += 0.5f * along(normal, own.x + (float3)(far[5], far[6], far[7]));
      flux_momentum.y += 0.5f * along(normal, own.y + (float3)(far[8], far[9], far[10]));
      flux_momentum.z += 0.5f * along(normal, own.z + (float3)(far[11], far[12], far[13]));
    }
  }
  fluxes[i] = flux_density;
  fluxes[i + n] = flux_momentum.x;
  fluxes[i + 2 * n] = flux_momentum.y;
  fluxes[i + 3 * n] = flux_momentum.z;
  fluxes[i + 4 * n] = flux_energy;
}

/* A step of a Runge-Kutta scheme, of which `left` stages are left. */
__kernel void time_step(__global const float *old, __global float *variables,
                        __global const float *factors, __global const float *fluxes, int left,
                        int n) {
  const int i = get_global_id(0);
  const float factor = factors[i] / (float)left;
  for (int v = 0; v < VARIABLES; v++)
    variables[i + v * n] = old[i + v * n] + factor * fluxes[i + v * n];
}
