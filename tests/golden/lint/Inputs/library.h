#pragma GCC system_header
/* stands in for a library: code that is not followed */
template <class T, int N> struct library_array {
	T elements[N];
	__attribute__((device)) T &operator[](int i) { return elements[i]; }
};
