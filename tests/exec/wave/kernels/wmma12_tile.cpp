// The kernel of gfx12 has the arguments of gfx11's.
#define wmma_tile wmma12_tile
#include "wmma_tile.cpp"
