#include "included.hip"

__attribute__((global)) void includes(float *p, int n, int c)
{
	included_step(p, n, c);
}
