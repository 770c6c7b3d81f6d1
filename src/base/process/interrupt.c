#include "base/process/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked, caught;
static struct sigaction ever;

static void ask(int sig)
{
	asked = 1;
	caught = 0;
	sigaction(sig, &ever, NULL);
}

void interrupt_catch(void)
{
	struct sigaction act = {.sa_handler = ask};

	sigemptyset(&act.sa_mask);
	if (!caught && !asked && sigaction(SIGINT, NULL, &ever) == 0 &&
		ever.sa_handler != SIG_IGN) {
		caught = 1;
		sigaction(SIGINT, &act, NULL);
	}
}

void interrupt_let(void)
{
	if (caught) {
		caught = 0;
		sigaction(SIGINT, &ever, NULL);
	}
}

bool interrupt_asked(void)
{
	return asked;
}
