// SPDX-License-Identifier: GPL-2.0-only
// What a walk over processes remembers.
#include "process_walk.hpp"

#include "base/poison.hpp"

namespace ktr {

ProcessWalk::~ProcessWalk() {
    tasks_.for_each([](kshim_task *task) { kshim_task_put(task); });
}

Status ProcessWalk::remember(const kshim_task_item &item) {
    KTR_TRY(groups_.insert(item.group));
    KTR_TRY(tasks_.insert(item.task));
    kshim_task_get(item.task);
    return {};
}

} // namespace ktr
