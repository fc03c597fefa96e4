#include "terminal/interruption.h"
#include "base/stage.h"
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t interruption; /* the signal that came; 0 = none */

static void interruption_note(int signal)
{
    interruption = signal;
}

static int interruption_came(void *context)
{
    (void)context;
    return interruption;
}

void interruption_catch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    static struct stage_host host;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action = {.sa_handler = interruption_note, .sa_flags = (int)SA_RESETHAND};
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
    host = *stage_host();
    host.stop = interruption_came;
    host.ends = true;
    stage_enter(&host);
}

void interruption_end(void)
{
    int number = interruption;
    if (!number)
        return;
    fflush(stdout);
    signal(number, SIG_DFL);
    raise(number);
    _exit(128 + number); /* not reached, unless it is blocked */
}
