#pragma once
/* Words that only macros and members bring into captures.hip. */
#define FROM_HEADER(t) add(t, arm)
#define MEMBER value
#define JOIN(x, y) x##y
#define NUMBERED(i) flag##i
#define SPLIT_STATE step_state
struct base_of_all {
	float value = 3;
	int state = 2;
};
