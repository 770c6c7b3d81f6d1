// A call through a pointer, which no compiler can remove.
__attribute__((global)) void apply(float *x, float (*f)(float))
{
	x[0] = f(x[0]);
}
