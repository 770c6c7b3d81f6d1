// Has no kernel.
int twice(int x)
{
	return 2 * x;
}
