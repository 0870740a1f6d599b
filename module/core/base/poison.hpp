// SPDX-License-Identifier: GPL-2.0-only
// Last include of every core .cpp: what the kernel cannot run does not compile.
#pragma GCC poison throw typeid dynamic_cast thread_local
