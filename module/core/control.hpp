// SPDX-License-Identifier: GPL-2.0-only
// ktrace(2): who is traced, for what, to which file.
#pragma once

#include "../../uapi/ktrace.h"
#include "base/status.hpp"
#include "ktrace_core.h"

namespace ktr {

// KTROP_SET, KTROP_CLEAR, KTROP_CLEARFILE. Errors in the order in which they are looked for:
//   EINVAL  unknown operation, flag or header version; SET or CLEAR without any facility
//   (of the open) ENOENT ENOTDIR ENAMETOOLONG EACCES ELOOP EISDIR EROFS ETXTBSY EFAULT; EBADF for a
//   descriptor ESRCH   no such process, an empty process group EPERM   none of the processes may be traced by
//   the caller; CLEARFILE: one of them may not ENOMEM  ENOSYS and what registering hooks gives
// CLEAR and CLEARFILE return when what they have stopped is in the file.
// Context: may sleep.
Status control_ktrace(const ktrace_args &args);

// Counters of the first session on the file; ENOENT if there is none. Context: may sleep.
Status control_stats(const kshim_file *file, ktrace_stats *ret);

// Takes away the targets of files that failed, and the hooks that nobody needs. Context: may sleep.
void control_reap();

} // namespace ktr
