// Does not parse.
__attribute__((global)) void scale(float *x, float f) { x[0] *= }
