// A kernel that needs no header.
__attribute__((global)) void scale(float *x, float f)
{
	x[__builtin_amdgcn_workitem_id_x()] *= f;
}
