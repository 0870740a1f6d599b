// SPDX-License-Identifier: GPL-2.0-only
// Which processes a ktrace(2) call is about: one, a group, and with DESCEND all their descendants.
#pragma once

#include <cstdint>

#include "base/pointer_set.hpp"
#include "base/status.hpp"

namespace ktr {

// An array of processes from the kernel.
class TaskList : NoCopy {
  public:
    ~TaskList() { kshim_tasks_free(items_, count_); }
    Status take(kshim_task_set set, int32_t id, kshim_task *leader = nullptr) {
        return Status(kshim_tasks(set, id, leader, &items_, &count_));
    }
    const kshim_task_item *begin() const { return items_; }
    const kshim_task_item *end() const { return items_ + count_; }
    bool empty() const { return count_ == 0; }

  private:
    kshim_task_item *items_ = nullptr;
    size_t count_ = 0;
};

// Visits each process once; visit returns a Status and ends the walk if that is not ok. ESRCH if
// there is none. With `descend` snapshots are taken until one brings no new descendant, so a child
// that is forked during the walk is found, or was forked by a parent that visit had seen.
// Context: may sleep.
class ProcessWalk : NoCopy {
  public:
    ProcessWalk(int32_t pid, bool descend) : pid_(pid), descend_(descend) {}
    ~ProcessWalk();

    template <typename Visit> Status run(Visit &&visit) {
        TaskList start;
        if (pid_ < 0) // unsigned, as there is no -INT_MIN
            KTR_TRY(start.take(KSHIM_TASK_PGRP, static_cast<int32_t>(0 - static_cast<uint32_t>(pid_))));
        else
            KTR_TRY(start.take(KSHIM_TASK_PROCESS, pid_));
        if (start.empty())
            return Status::error(kEsrch);
        for (const kshim_task_item &item : start)
            KTR_TRY(step(item, visit));
        for (bool more = descend_; more;)
            KTR_TRY(descend(visit, &more));
        return {};
    }

  private:
    template <typename Visit> Status step(const kshim_task_item &item, Visit &&visit) {
        KTR_TRY(remember(item));
        kshim_cond_resched();
        return visit(item);
    }

    // One generation or more; *more: something was new.
    template <typename Visit> Status descend(Visit &&visit, bool *more) {
        TaskList all;
        KTR_TRY(all.take(KSHIM_TASK_ALL, 0));
        *more = false;
        for (const kshim_task_item &item : all) {
            if (!groups_.contains(item.parent_group) || groups_.contains(item.group))
                continue;
            *more = true;
            KTR_TRY(step(item, visit));
        }
        return {};
    }

    Status remember(const kshim_task_item &item);

    const int32_t pid_;
    const bool descend_;
    PointerSet<const void> groups_;
    PointerSet<kshim_task> tasks_; // referenced, so that no address in groups_ is used again
};

} // namespace ktr
