#define GLOBAL __attribute__((global))
