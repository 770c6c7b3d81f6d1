// RUN: %S/Inputs/form %unphi sequentialize %s %t.hip
//
// Braces on lines of their own and four spaces, as the file has them.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
    float v[64];
};

__device__ inline void add(tile &t, float x)
{
    for (int i = 0; i < 64; i++) {
        t.v[i] += x + i;
    }
}

__device__ inline void scale(tile &t, float x)
{
    for (int i = 0; i < 64; i++) {
        t.v[i] = t.v[i] * 0.75f - x;
    }
}

__device__ inline void store(float *p, const tile &t)
{
    for (int i = 0; i < 64; i++) {
        p[i] = t.v[i];
    }
}

__global__ void braces(float *p, int n, int c, int d)
{
    tile acc = {};
    for (int i = 0; i < n; i++)
        if (c > i)
        {
            add(acc, 1);
        }
        else if (d > i)
        {
            scale(acc, 2);
        }
        else
            add(acc, 3);
    if (int x = c - d)
    {
        add(acc, x);
    }
    else
    {
        scale(acc, x);
    }
    switch (d)
    {
        case 0:
            add(acc, 4);
            break;
        case 1:
        {
            scale(acc, 5);
            break;
        }
    }
    store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {braces};
#endif
