// SPDX-License-Identifier: GPL-2.0-only
/*
 * The settings kern.ktrace.*: /proc/sys/kern/ktrace, where the BSDs have them.
 */
#include "shim.h"

#include <linux/sysctl.h>

#include "../core/ktrace_core.h"
#include "compat.h"

static unsigned int geniosize_max = KTRACE_GENIOSIZE_MAX;
static unsigned int request_pool_min = KTRACE_REQUEST_POOL_MIN;
static unsigned int request_pool_max = KTRACE_REQUEST_POOL_MAX;
static unsigned int wait_ms_max = KTRACE_WAIT_MS_MAX;

/* proc_douintvec_minmax() stores whole words, and only what is within the limits. */
/* clang-format off */
#define SETTING(_name, _member, _min, _max) {			\
	.procname = _name,					\
	.data = &ktrace_settings._member,			\
	.maxlen = sizeof(ktrace_settings._member),		\
	.mode = 0644,						\
	.proc_handler = proc_douintvec_minmax,			\
	.extra1 = _min,						\
	.extra2 = _max,						\
}
/* clang-format on */

static struct ctl_table settings[] = {
	/* The manual page's name, and that of FreeBSD's kernel. */
	SETTING("geniosize", geniosize, SYSCTL_ZERO, &geniosize_max),
	SETTING("genio_size", geniosize, SYSCTL_ZERO, &geniosize_max),
	SETTING("request_pool", request_pool, &request_pool_min, &request_pool_max),
	SETTING("lossless", lossless, SYSCTL_ZERO, SYSCTL_ONE),
	SETTING("wait_ms", wait_ms, SYSCTL_ZERO, &wait_ms_max),
	COMPAT_SYSCTL_END
};

static struct ctl_table_header *settings_header;

/**
 * kt_sysctl_init() - make the settings visible
 *
 * Context: May sleep.
 * Return: 0 or -ENOMEM.
 */
int kt_sysctl_init(void)
{
	settings_header = register_sysctl("kern/ktrace", settings);
	return settings_header ? 0 : -ENOMEM;
}

/**
 * kt_sysctl_exit() - take them away; returns when no handler is running
 *
 * Context: May sleep.
 */
void kt_sysctl_exit(void)
{
	unregister_sysctl_table(settings_header);
}
