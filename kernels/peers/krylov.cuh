// Kernels of iterative solvers: all but the products with the matrix. Those of a solve have the same grid. Sums are published by
// one kernel and added up by the next one (block_sums.cuh), so no kernel waits.
#pragma once

#include "kernels/peers/block_sums.cuh"
#include "kernels/random/thread_id.cuh"

namespace peers {

/// An iteration beyond the exact solution divides 0 by 0: it must change nothing.
inline __device__ double ratio(double a, double b) { return b == 0 ? 0 : a / b; }

/// The vectors of a solve, in device memory.
struct Common {
    unsigned n;
    const double *b, *inverse;  // of the diagonal
    double *x, *r;
};

struct OfCg {
    Common all;
    double *p, *q;       // q = A p
    Sums<1>* pq;         // p . q
    Sums<2>* rz_and_rr;  // r . z and r . r, z = r / diagonal
    double* rz;          // r . z of the iteration
};

template <typename Body>
__device__ void for_each_entry(unsigned n, Body body) {
    for (unsigned i = rng::grid_thread(); i < n; i += rng::grid_threads()) body(i);
}

inline __global__ void __launch_bounds__(sum_threads) start(OfCg cg) {
    Sums<2> mine = {};
    for_each_entry(cg.all.n, [&](unsigned i) {
        const double r = cg.all.b[i], z = r * cg.all.inverse[i];
        cg.all.x[i] = 0;
        cg.all.r[i] = r;
        cg.p[i] = z;
        add(mine, {r * z, r * r});
    });
    publish(cg.rz_and_rr, mine);
}

inline __global__ void __launch_bounds__(sum_threads) multiply(OfCg cg) {
    if (blockIdx.x == 0) {
        const double rz = sums_of_grid(cg.rz_and_rr, gridDim.x).of[0];
        if (threadIdx.x == 0) *cg.rz = rz;
    }
    Sums<1> mine = {};
    for_each_entry(cg.all.n, [&](unsigned i) { mine.of[0] += cg.p[i] * cg.q[i]; });
    publish(cg.pq, mine);
}

inline __global__ void __launch_bounds__(sum_threads) step(OfCg cg) {
    const double alpha = ratio(*cg.rz, sums_of_grid(cg.pq, gridDim.x).of[0]);
    Sums<2> mine = {};
    for_each_entry(cg.all.n, [&](unsigned i) {
        cg.all.x[i] += alpha * cg.p[i];
        const double r = cg.all.r[i] -= alpha * cg.q[i];
        add(mine, {r * r * cg.all.inverse[i], r * r});
    });
    publish(cg.rz_and_rr, mine);
}

inline __global__ void __launch_bounds__(sum_threads) turn(OfCg cg) {
    const double beta = ratio(sums_of_grid(cg.rz_and_rr, gridDim.x).of[0], *cg.rz);
    for_each_entry(cg.all.n, [&](unsigned i) { cg.p[i] = cg.all.r[i] * cg.all.inverse[i] + beta * cg.p[i]; });
}

/// H. A. van der Vorst, "Bi-CGSTAB", 1992, for the matrix A / diagonal (by columns), whose unknowns are x * diagonal.
struct OfBicgstab {
    Common all;           // r holds s between the two products
    double *p, *v, *t;    // v = A / diagonal p, t = A / diagonal s
    Sums<1>* bv;          // b . v: the shadow residual is b
    Sums<2>* ts_and_tt;   // t . s and t . t
    Sums<2>* rho_and_rr;  // b . r and r . r
    double* rho;          // b . r of the iteration
};

inline __global__ void __launch_bounds__(sum_threads) start(OfBicgstab m) {
    Sums<2> mine = {};
    for_each_entry(m.all.n, [&](unsigned i) {
        const double r = m.all.b[i];
        m.all.x[i] = 0;
        m.all.r[i] = m.p[i] = r;
        add(mine, {r * r, r * r});
    });
    publish(m.rho_and_rr, mine);
}

inline __global__ void __launch_bounds__(sum_threads) multiply(OfBicgstab m) {
    if (blockIdx.x == 0) {
        const double rho = sums_of_grid(m.rho_and_rr, gridDim.x).of[0];
        if (threadIdx.x == 0) *m.rho = rho;
    }
    Sums<1> mine = {};
    for_each_entry(m.all.n, [&](unsigned i) { mine.of[0] += m.all.b[i] * m.v[i]; });
    publish(m.bv, mine);
}

inline __device__ double alpha_of(const OfBicgstab& m) { return ratio(*m.rho, sums_of_grid(m.bv, gridDim.x).of[0]); }

inline __device__ double omega_of(const OfBicgstab& m) {
    const Sums<2> sums = sums_of_grid(m.ts_and_tt, gridDim.x);
    return ratio(sums.of[0], sums.of[1]);
}

inline __global__ void __launch_bounds__(sum_threads) half_step(OfBicgstab m) {
    const double alpha = alpha_of(m);
    for_each_entry(m.all.n, [&](unsigned i) { m.all.r[i] -= alpha * m.v[i]; });
}

inline __global__ void __launch_bounds__(sum_threads) multiply_again(OfBicgstab m) {
    Sums<2> mine = {};
    for_each_entry(m.all.n, [&](unsigned i) { add(mine, {m.t[i] * m.all.r[i], m.t[i] * m.t[i]}); });
    publish(m.ts_and_tt, mine);
}

inline __global__ void __launch_bounds__(sum_threads) step(OfBicgstab m) {
    const double alpha = alpha_of(m), omega = omega_of(m);
    Sums<2> mine = {};
    for_each_entry(m.all.n, [&](unsigned i) {
        const double s = m.all.r[i], r = s - omega * m.t[i];
        m.all.x[i] += m.all.inverse[i] * (alpha * m.p[i] + omega * s);
        m.all.r[i] = r;
        add(mine, {m.all.b[i] * r, r * r});
    });
    publish(m.rho_and_rr, mine);
}

inline __global__ void __launch_bounds__(sum_threads) turn(OfBicgstab m) {
    const double alpha = alpha_of(m), omega = omega_of(m);
    const double beta = ratio(sums_of_grid(m.rho_and_rr, gridDim.x).of[0], *m.rho) * ratio(alpha, omega);
    for_each_entry(m.all.n, [&](unsigned i) { m.p[i] = m.all.r[i] + beta * (m.p[i] - omega * m.v[i]); });
}

struct OfJacobi {
    Common all;   // r holds A x
    Sums<1>* rr;  // of the residual before the step
};

inline __global__ void __launch_bounds__(sum_threads) start(OfJacobi m) {
    for_each_entry(m.all.n, [&](unsigned i) { m.all.x[i] = 0; });
}

inline __global__ void __launch_bounds__(sum_threads) step(OfJacobi m) {
    Sums<1> mine = {};
    for_each_entry(m.all.n, [&](unsigned i) {
        const double r = m.all.b[i] - m.all.r[i];
        m.all.x[i] += m.all.inverse[i] * r;
        mine.of[0] += r * r;
    });
    publish(m.rr, mine);
}

template <int n>
__global__ void __launch_bounds__(sum_threads) sum_up(const Sums<n>* parts, unsigned blocks, double* last) {
    const double sum = sums_of_grid(parts, blocks).of[n - 1];
    if (threadIdx.x == 0) *last = sum;
}

}  // namespace peers
