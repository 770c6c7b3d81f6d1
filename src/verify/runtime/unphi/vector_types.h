#pragma once
/*
 * float4 and similar: the layout, constructors and operators of HIP's vector types. Vectors of one,
 * two and four elements are aligned to their size, vectors of three to an element.
 */
#pragma GCC system_header
#include <unphi/wave.h>

template <class T, unsigned N> struct HIP_vector_base;

template <class T> struct HIP_vector_base<T, 1> {
	using Native_vec_ = T __attribute__((ext_vector_type(1)));
	union {
		Native_vec_ data;
		struct {
			T x;
		};
	};
	HIP_vector_base() = default;
	constexpr explicit HIP_vector_base(T x_) : x(x_)
	{
	}
};

template <class T> struct HIP_vector_base<T, 2> {
	using Native_vec_ = T __attribute__((ext_vector_type(2)));
	union {
		Native_vec_ data;
		struct {
			T x;
			T y;
		};
	};
	HIP_vector_base() = default;
	constexpr explicit HIP_vector_base(T x_) : x(x_), y(x_)
	{
	}
	constexpr HIP_vector_base(T x_, T y_) : x(x_), y(y_)
	{
	}
};

template <class T> struct HIP_vector_base<T, 3> {
	T x;
	T y;
	T z;
	HIP_vector_base() = default;
	constexpr explicit HIP_vector_base(T x_) : x(x_), y(x_), z(x_)
	{
	}
	constexpr HIP_vector_base(T x_, T y_, T z_) : x(x_), y(y_), z(z_)
	{
	}
};

template <class T> struct HIP_vector_base<T, 4> {
	using Native_vec_ = T __attribute__((ext_vector_type(4)));
	union {
		Native_vec_ data;
		struct {
			T x;
			T y;
			T z;
			T w;
		};
	};
	HIP_vector_base() = default;
	constexpr explicit HIP_vector_base(T x_) : x(x_), y(x_), z(x_), w(x_)
	{
	}
	constexpr HIP_vector_base(T x_, T y_, T z_, T w_) : x(x_), y(y_), z(z_), w(w_)
	{
	}
};

template <class T, unsigned N> struct HIP_vector_type : HIP_vector_base<T, N> {
	using value_type = T;
	HIP_vector_type() = default;
	using HIP_vector_base<T, N>::HIP_vector_base;
	template <class U, class = decltype((T) * (U *)nullptr)>
	constexpr HIP_vector_type(U x_) : HIP_vector_base<T, N>((T)x_)
	{
	}
	template <class U, class V>
	constexpr HIP_vector_type(U x_, V y_) : HIP_vector_base<T, N>((T)x_, (T)y_)
	{
	}
	template <class U, class V, class W>
	constexpr HIP_vector_type(U x_, V y_, W z_) : HIP_vector_base<T, N>((T)x_, (T)y_, (T)z_)
	{
	}
	template <class U, class V, class W, class X>
	constexpr HIP_vector_type(U x_, V y_, W z_, X w_)
	    : HIP_vector_base<T, N>((T)x_, (T)y_, (T)z_, (T)w_)
	{
	}
	UNPHI_FN(T &, operator[], (size_t i), (&this->x)[i])
	UNPHI_INLINE T operator[](size_t i) const
	{
		return (&this->x)[i];
	}

#define UNPHI_VECTOR_ASSIGN(op)                                                                    \
	UNPHI_INLINE HIP_vector_type &operator op(const HIP_vector_type & b)                       \
	{                                                                                          \
		for (unsigned i = 0; i < N; ++i) {                                                 \
			(*this)[i] op b[i];                                                        \
		}                                                                                  \
		return *this;                                                                      \
	}
	UNPHI_VECTOR_ASSIGN(+=)
	UNPHI_VECTOR_ASSIGN(-=)
	UNPHI_VECTOR_ASSIGN(*=)
	UNPHI_VECTOR_ASSIGN(/=)
	UNPHI_VECTOR_ASSIGN(%=)
	UNPHI_VECTOR_ASSIGN(&=)
	UNPHI_VECTOR_ASSIGN(|=)
	UNPHI_VECTOR_ASSIGN(^=)
	UNPHI_VECTOR_ASSIGN(<<=)
	UNPHI_VECTOR_ASSIGN(>>=)
#undef UNPHI_VECTOR_ASSIGN

	UNPHI_INLINE HIP_vector_type operator-() const
	{
		HIP_vector_type r;
		for (unsigned i = 0; i < N; ++i) {
			r[i] = -(*this)[i];
		}
		return r;
	}
	UNPHI_INLINE HIP_vector_type operator~() const
	{
		HIP_vector_type r;
		for (unsigned i = 0; i < N; ++i) {
			r[i] = ~(*this)[i];
		}
		return r;
	}
	UNPHI_FN(HIP_vector_type &, operator++, (), *this += HIP_vector_type((T)1))
	UNPHI_FN(HIP_vector_type &, operator--, (), *this -= HIP_vector_type((T)1))
};

#define UNPHI_VECTOR_OPERATOR(op, assign)                                                          \
	template <class T, unsigned N>                                                             \
	UNPHI_INLINE HIP_vector_type<T, N> operator op(                                            \
		const HIP_vector_type<T, N> &a, const HIP_vector_type<T, N> &b)                    \
	{                                                                                          \
		HIP_vector_type<T, N> r = a;                                                       \
		return r assign b;                                                                 \
	}                                                                                          \
	template <class T, unsigned N>                                                             \
	UNPHI_INLINE HIP_vector_type<T, N> operator op(                                            \
		const HIP_vector_type<T, N> &a, typename HIP_vector_type<T, N>::value_type b)      \
	{                                                                                          \
		HIP_vector_type<T, N> r = a;                                                       \
		return r assign HIP_vector_type<T, N>(b);                                          \
	}                                                                                          \
	template <class T, unsigned N>                                                             \
	UNPHI_INLINE HIP_vector_type<T, N> operator op(                                            \
		typename HIP_vector_type<T, N>::value_type a, const HIP_vector_type<T, N> &b)      \
	{                                                                                          \
		HIP_vector_type<T, N> r(a);                                                        \
		return r assign b;                                                                 \
	}
UNPHI_VECTOR_OPERATOR(+, +=)
UNPHI_VECTOR_OPERATOR(-, -=)
UNPHI_VECTOR_OPERATOR(*, *=)
UNPHI_VECTOR_OPERATOR(/, /=)
UNPHI_VECTOR_OPERATOR(%, %=)
UNPHI_VECTOR_OPERATOR(&, &=)
UNPHI_VECTOR_OPERATOR(|, |=)
UNPHI_VECTOR_OPERATOR(^, ^=)
UNPHI_VECTOR_OPERATOR(<<, <<=)
UNPHI_VECTOR_OPERATOR(>>, >>=)
#undef UNPHI_VECTOR_OPERATOR

template <class T, unsigned N>
UNPHI_INLINE bool operator==(const HIP_vector_type<T, N> &a, const HIP_vector_type<T, N> &b)
{
	bool same = true;
	for (unsigned i = 0; i < N; ++i) {
		same = same && a[i] == b[i];
	}
	return same;
}
template <class T, unsigned N>
UNPHI_FN(bool, operator!=, (const HIP_vector_type<T, N> &a, const HIP_vector_type<T, N> &b),
	!(a == b))

#define UNPHI_VECTORS(T, name)                                                                     \
	using name##1 = HIP_vector_type<T, 1>;                                                     \
	using name##2 = HIP_vector_type<T, 2>;                                                     \
	using name##3 = HIP_vector_type<T, 3>;                                                     \
	using name##4 = HIP_vector_type<T, 4>;                                                     \
	UNPHI_FN(name##1, make_##name##1, (T x), name##1(x))                                       \
	UNPHI_FN(name##2, make_##name##2, (T x, T y), name##2(x, y))                               \
	UNPHI_FN(name##3, make_##name##3, (T x, T y, T z), name##3(x, y, z))                       \
	UNPHI_FN(name##4, make_##name##4, (T x, T y, T z, T w), name##4(x, y, z, w))
UNPHI_VECTORS(char, char) UNPHI_VECTORS(unsigned char, uchar) UNPHI_VECTORS(short, short)
	UNPHI_VECTORS(unsigned short, ushort) UNPHI_VECTORS(int, int)
		UNPHI_VECTORS(unsigned int, uint) UNPHI_VECTORS(long, long)
			UNPHI_VECTORS(unsigned long, ulong) UNPHI_VECTORS(long long, longlong)
				UNPHI_VECTORS(unsigned long long, ulonglong)
					UNPHI_VECTORS(float, float) UNPHI_VECTORS(double, double)
#undef UNPHI_VECTORS
