// NOLINT()
// NOLINTNEXTLINE(): why
int a; // NOLINT(,)
