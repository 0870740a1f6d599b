// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory for the core. What a user's call makes us allocate is charged to the user's memory
 * cgroup, so that tracing is no way around its limit.
 */
#include "shim.h"

#include <linux/slab.h>
#include <linux/vmalloc.h>

/**
 * kshim_alloc() - zeroed memory
 * @size: bytes
 *
 * Context: May sleep.
 * Return: the memory or NULL.
 */
void *kshim_alloc(size_t size)
{
	return kzalloc(size, GFP_KERNEL_ACCOUNT);
}

/**
 * kshim_alloc_atomic() - zeroed memory, from a probe
 * @size: bytes
 *
 * Context: Any but the run-queue lock.
 * Return: the memory or NULL, without a warning.
 */
void *kshim_alloc_atomic(size_t size)
{
	return kzalloc(size, GFP_ATOMIC | __GFP_NOWARN | __GFP_ACCOUNT);
}

/**
 * kshim_free() - give back what kshim_alloc() or kshim_alloc_atomic() gave
 * @ptr: the memory or NULL
 *
 * Context: Any but the run-queue lock.
 */
void kshim_free(void *ptr)
{
	kfree(ptr);
}

/**
 * kshim_alloc_pages() - zeroed pages for big buffers
 * @bytes: size
 *
 * Context: May sleep.
 * Return: the memory or NULL.
 */
void *kshim_alloc_pages(size_t bytes)
{
	return __vmalloc(bytes, GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN);
}

/**
 * kshim_free_pages() - give back what kshim_alloc_pages() gave
 * @ptr: the memory or NULL
 *
 * Context: May sleep.
 */
void kshim_free_pages(void *ptr)
{
	vfree(ptr);
}
