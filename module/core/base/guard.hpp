// SPDX-License-Identifier: GPL-2.0-only
// Locks, RCU and processor pinning as scopes; nothing in the core takes one by hand.
#pragma once

#include "../../shim/kshim.h"

namespace ktr {

struct NoCopy {
    NoCopy() = default;
    NoCopy(const NoCopy &) = delete;
    NoCopy &operator=(const NoCopy &) = delete;
};

// KSHIM_LOCK_CONTROL: lock 1 of Documentation/locking.rst.
class ControlLock : NoCopy {
  public:
    ControlLock() { kshim_mutex_lock(KSHIM_LOCK_CONTROL); }
    ~ControlLock() { kshim_mutex_unlock(KSHIM_LOCK_CONTROL); }
};

// KSHIM_LOCK_TABLE: lock 2, an irq-safe leaf.
class TableLock : NoCopy {
  public:
    TableLock() : irq_(kshim_spin_lock(KSHIM_LOCK_TABLE)) {}
    ~TableLock() { kshim_spin_unlock(KSHIM_LOCK_TABLE, irq_); }

  private:
    unsigned long irq_;
};

class RcuReader : NoCopy {
  public:
    RcuReader() { kshim_rcu_read_lock(); }
    ~RcuReader() { kshim_rcu_read_unlock(); }
};

// Stays on one processor, which is an RCU read section, too.
class OnCpu : NoCopy {
  public:
    OnCpu() : number_(kshim_get_cpu()) {}
    ~OnCpu() { kshim_put_cpu(); }
    unsigned int number() const { return number_; }

  private:
    unsigned int number_;
};

} // namespace ktr
