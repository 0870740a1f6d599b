/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hooks on functions of the kernel that have no tracepoint.
 */
#ifndef KTRACE_HOOK_KPROBE_H
#define KTRACE_HOOK_KPROBE_H

#include <linux/kprobes.h>

/* How many calls of traced threads may be in a probed function at one time. */
#define KT_MAXACTIVE (64 + 4 * num_possible_cpus())

bool kt_can_probe(const char *name);
int kt_kretprobe_register(struct kretprobe *probe, const struct kretprobe *template);
void kt_kretprobe_unregister(struct kretprobe *probe, const char *what);

#endif
