#define KERNEL_OF(N) template __global__ void from_header<N>(float *, int)
#define KERNELS_OF(N) \
	KERNEL_OF(N);  \
	KERNEL_OF(N + 8)
