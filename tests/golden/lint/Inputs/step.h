#pragma once

template <int N>
__attribute__((device)) void header_step(float (&acc)[N], float x, int c)
{
	if (c) {
		acc[3] += x;
	} else {
		acc[0] -= x;
	}
}
