// The addresses of a case's buffers on the CPU.
#pragma GCC system_header
#include <unistd.h>
#include <launch.hpp>

namespace unphi_verify
{

constexpr size_t ALIGNMENT = 256;

// A buffer ends at the end of its last page (up to alignment), so that an access past its end or
// far before its start faults. Addresses are the same in every run.
struct placed {
	char *pages;
	size_t size; // of the pages
	char *at;
	size_t bytes;
};

inline size_t page_size()
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

inline placed place_of(size_t i, size_t bytes)
{
	const size_t page = page_size();
	const size_t used = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	const size_t size = (used + page - 1) / page * page;
	char *const pages = (char *)0x200000000000 + (i << 33) + page;
	return placed{pages, size, pages + size - used, bytes};
}

} // namespace unphi_verify
