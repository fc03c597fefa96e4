/* A warning for people who compare single runs: congested sharing is chaotic (docs/explanation/model.md#chaos).
 */
#ifndef WEIR_CLI_SPREAD_NOTE_H
#define WEIR_CLI_SPREAD_NOTE_H

#include "answer/study.h"
#include "report/runs.h"

/* Where two strategies differ in a measure that is shown, runs both a few times more with an input
 * that differs by 1e-9, and prints one line if that moves them by as much as they differ.
 * So a line is always true; there is none if chance keeps them apart. Runs that are too long to be
 * repeated unnoticed are left out: those that differ least come first. The rows of the study are
 * those of the strategies, run with `options` and what the study says they know. Strategies that follow a plan and plug-ins are not
 * run again. Returns whether it printed. */
bool spread_note_print(const struct study *study, const struct policies *policies,
                       const struct sim_options *options, const struct selection *selection);

#endif
