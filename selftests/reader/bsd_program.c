/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A C program as one would write it on the BSDs, with nothing for Linux in it: that it
 * compiles without a warning is most of the test.
 */

#include <sys/param.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/ktrace.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int bsd_program(void);

/* Adds up the fixed parts of the records, by each structure's BSD name. */
static size_t fixed_size(const struct ktr_header *header)
{
	switch (header->ktr_type & ~KTR_TYPE) {
	case KTR_SYSCALL:
		return sizeof(struct ktr_syscall);
	case KTR_SYSRET:
		return sizeof(struct ktr_sysret);
	case KTR_GENIO:
		return sizeof(struct ktr_genio);
	case KTR_PSIG:
		return sizeof(struct ktr_psig);
	case KTR_CSW:
		return sizeof(struct ktr_csw);
	case KTR_PROCCTOR:
		return sizeof(struct ktr_proc_ctor);
	case KTR_FAULT:
		return sizeof(struct ktr_fault);
	case KTR_FAULTEND:
		return sizeof(struct ktr_faultend);
	default:
		return 0;
	}
}

static int read_header(const char *bytes)
{
	struct ktr_header header;
	struct timeval later = { 2, 0 }, difference;

	memcpy(&header, bytes, sizeof(header));
	timersub(&later, &header.ktr_time, &difference);
	return header.ktr_len == 0 && header.ktr_pid == 0 && header.ktr_comm[0] == '\0' &&
	       header.ktr_tid == 0 && difference.tv_sec == 2 && fixed_size(&header) == 8;
}

int bsd_program(void)
{
	struct ktr_header header;
	int points = KTRFAC_SYSCALL | KTRFAC_SYSRET | KTRFAC_NAMEI | KTRFAC_GENIO | KTRFAC_PSIG |
		     KTRFAC_USER | KTRFAC_STRUCT | KTRFAC_SYSCTL | KTRFAC_INHERIT;

	memset(&header, 0, sizeof(header));
	header.ktr_type = KTR_SYSCALL;
	if (!read_header((const char *)&header))
		return 1;
	if ((points & KTRFAC_MASK) == 0 || KTROP(KTROP_CLEARFILE | KTRFLAG_DESCEND) != KTROP_CLEARFILE)
		return 2;
	if ((KTRFAC_EXECARGS | KTRFAC_EXECENV) != (KTRFAC_ARGS | KTRFAC_ENVS))
		return 3;
	/* No file of that name: an error, whether or not there is a module. */
	if (ktrace("/nonexistent/ktrace.out", KTROP_SET, points, getpid()) != -1 || errno == 0)
		return 4;
	return 0;
}
