#pragma once
/* The files of runtime/ and launch.hpp, embedded at build time; names are relative to
 * src/verify: "runtime/wave.cpp". */
#include "config/embed.h"

extern const struct embed_file runtime_files[];
extern const size_t runtime_files_n;
