typedef float f32x4 __attribute__((ext_vector_type(4)));
