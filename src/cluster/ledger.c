#include "cluster/ledger.h"
#include "cluster/lease.h"

/* Differences below this part are those of rounding. */
#define LEDGER_ROUNDING 1e-9

/* A part of what is wanted is given at once if it is at least this much of it. */
#define LEDGER_PART 0.1

static void ledger_hold(struct channel_ledger *ledger, struct holding *holding, double rate)
{
    if (!holding->uncounted)
        sum_add(&ledger->held, rate - holding->held);
    holding->held = rate;
}

void ledger_lower(struct holding *holding, double wanted)
{
    if (wanted >= holding->chosen)
        return;
    holding->chosen = wanted;
    holding->pending = true;
}

bool ledger_wants_more(const struct holding *holding, double wanted)
{
    return wanted > holding->chosen * (1 + LEDGER_ROUNDING);
}

bool ledger_raise(struct channel_ledger *ledger, struct holding *holding, double wanted)
{
    double rate = wanted;
    if (!holding->uncounted && lease_holds(LEASE_LOWER_FIRST)) {
        double room = ledger->bandwidth - ledger->unseen - sum_value(&ledger->held);
        rate = maths_min(wanted, holding->held + maths_max(0, room));
    }
    bool all = rate >= wanted * (1 - LEDGER_ROUNDING);
    if (!all && rate - holding->chosen < LEDGER_PART * wanted)
        return false;
    holding->chosen = rate;
    ledger_hold(ledger, holding, maths_max(holding->held, rate));
    holding->pending = true;
    return all;
}

void ledger_sent(struct channel_ledger *ledger, struct holding *holding, uint64_t sequence)
{
    holding->pending = false;
    holding->sequence = sequence;
    if (!lease_holds(LEASE_ACKNOWLEDGE))
        ledger_hold(ledger, holding, holding->chosen);
}

void ledger_acknowledge(struct channel_ledger *ledger, struct holding *holding, uint64_t sequence)
{
    if (!holding->pending && holding->sequence <= sequence && holding->held != holding->chosen)
        ledger_hold(ledger, holding, holding->chosen);
}

void ledger_report(struct channel_ledger *ledger, struct holding *holding, double rate)
{
    holding->chosen = rate;
    ledger_hold(ledger, holding, rate);
    holding->pending = false;
    holding->sequence = 0;
}

void ledger_see(struct channel_ledger *ledger, const struct holding *holding)
{
    if (!holding->uncounted)
        ledger->unseen = maths_max(0, ledger->unseen - holding->held);
}

void ledger_count(struct channel_ledger *ledger, struct holding *holding, bool counted)
{
    if (holding->uncounted == counted)
        ledger_report(ledger, holding, 0);
    holding->uncounted = !counted;
}
