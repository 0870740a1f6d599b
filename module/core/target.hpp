// SPDX-License-Identifier: GPL-2.0-only
// What is traced: a Target for each process (thread group), a Thread for each of its threads,
// and the two tables through which probes find them.
//
// Life. A Thread is in the thread table from SET or clone until its exit (door) or CLEAR, and
// holds a reference on its target and on its task, whose address can therefore not be used
// again meanwhile. A Target is in the target table as long as it has threads there (or
// ktrace(2) is working on it). Both are freed by RCU after their last reference: a probe that
// found one in its RCU read section may use it until the end of that section.
#pragma once

#include <atomic>
#include <cstdint>

#include "../../uapi/ktrace.h"
#include "base/hash_table.hpp"
#include "base/owned.hpp"
#include "base/status.hpp"
#include "session.hpp"

namespace ktr {

struct Thread;

// Bits of a target's state beside the facilities; KTRFAC_INHERIT, KTRFAC_ROOT are others.
constexpr uint32_t kVersion1 = KTRFACv1;

class Target : NoCopy {
  public:
    // Adopts the session's reference. The leader is any task of the group. Context: any but the run-queue
    // lock.
    Target(kshim_task *leader, Session *session, uint32_t state);
    ~Target();

    void get() { refs_.get(); }
    void put();

    const void *key() const { return group_; }
    kshim_task *leader() const { return leader_; }
    uint32_t state() const { return state_.load(std::memory_order_relaxed); }
    bool wants(uint32_t type) const { return state() & (1u << type); }

    // Valid in the caller's RCU read section, or while the caller holds KSHIM_LOCK_CONTROL.
    Session &session() const { return *session_.load(std::memory_order_acquire); }
    // A reference, for callers that sleep.
    Ref<Session> share_session() const;

    // --- ktrace(2); KSHIM_LOCK_CONTROL held ---

    void add_state(uint32_t bits, uint32_t version);
    void remove_state(uint32_t bits);
    // Children are traced, too.
    bool is_inherited() const { return (state() & KTRFAC_INHERIT) && (state() & KTRFAC_MASK); }
    // A child's, while it is not listed.
    void copy_state(const Target &from) { state_.store(from.state(), std::memory_order_relaxed); }
    // Traces to another session from now on; gives back the old one, which probes may still use
    // until kshim_synchronize_rcu() has returned.
    [[nodiscard]] Session *replace_session(Session *session);

    // --- losses (record.hpp) ---

    void count_lost(uint32_t type);
    bool has_lost() const { return drop_.load(std::memory_order_relaxed); }
    // Takes the mark away; true for the one who got it.
    bool take_drop() { return drop_.exchange(false, std::memory_order_acquire); }
    uint32_t take_lost(uint32_t type) { return lost_[type].exchange(0, std::memory_order_relaxed); }
    void give_back_lost(uint32_t type, uint32_t count);
    void mark_drop() { drop_.store(true, std::memory_order_release); }

    // The last call that looked at this target while it went through all of them.
    // KSHIM_LOCK_CONTROL.
    uint32_t visit = 0;

    // The signal delivered last that had its default action; gives the one before.
    int32_t swap_default_signal(int32_t signo) {
        return default_signal_.exchange(signo, std::memory_order_relaxed);
    }

    // True for one caller only: the one that records the end of the process.
    bool claim_end() { return !ended_.exchange(true, std::memory_order_relaxed); }

    std::atomic<Target *> hash_next{nullptr};
    // Of the table of targets. KSHIM_LOCK_TABLE.
    Thread *threads = nullptr;
    uint32_t holds = 0; // threads in the table, and calls that keep the target there
    bool listed = false;

  private:
    static void release(kshim_rcu *rcu);

    Embedded<kshim_rcu, Target> rcu_{this};
    RefCount refs_;
    const void *const group_;
    kshim_task *const leader_; // referenced: group_ stays the identity of this process only
    std::atomic<Session *> session_;
    std::atomic<uint32_t> state_; // KTRFAC_* wanted, INHERIT, ROOT, kVersion1
    std::atomic<bool> drop_{false};
    std::atomic<bool> ended_{false};
    std::atomic<int32_t> default_signal_{0};
    std::atomic<uint32_t> lost_[KTR_NTYPES]{};
};

// Why a thread's door is open: what it does before it returns to user mode or its parent is told.
enum DoorReason : uint32_t {
    kDoorLateReturn = 1, // records of a system call whose data was not resident in the probe
    kDoorRoom = 2,       // back-pressure
    kDoorExit = 4,       // the exit barrier
    kDoorWritten = 8,    // tracing has ended: what there is goes into the file first
};

// The system call whose end is recorded in the door.
struct LateReturn {
    uint64_t args[6];
    long number;
    long result;
    uint32_t abi;
    uint32_t structs_done;  // arguments whose structures are out
    uint32_t messages_done; // of a vector of messages: those whose record is out
};

// The system call that a thread is in.
struct CurrentCall {
    long number = -1;
    uint32_t abi = 0; // 0: in none
};

struct Thread : NoCopy {
    Thread(kshim_task *task, Target *target);
    ~Thread();

    // False when it is on its way out; a reader of the table may still find it then.
    [[nodiscard]] bool try_get() { return refs.get_unless_zero(); }
    void get() { refs.get(); }
    void put();
    const void *key() const { return task; }
    void refresh_ids();

    Embedded<kshim_door, Thread> door{this};
    Embedded<kshim_rcu, Thread> rcu{this};
    RefCount refs;
    kshim_task *const task; // referenced
    Target *const target;   // referenced
    std::atomic<Thread *> hash_next{nullptr};
    // In the tracer's pid namespace.
    std::atomic<int32_t> pid{0};
    std::atomic<int32_t> tid{0};

    // Only the thread itself, and the scheduler on its behalf:
    std::atomic<uint32_t> door_reasons{0};
    bool door_queued = false;
    LateReturn late{};
    CurrentCall call{};
    ktr_csw switched{};                // how it left the processor
    uint64_t missing_capabilities = 0; // asked for in this call, and not there
    bool has_called = false;           // a system call of it was seen from its beginning

    // KSHIM_LOCK_TABLE.
    bool listed = false;
    Thread *target_next = nullptr;
};

// The tables. find_*: RCU read section; the rest takes KSHIM_LOCK_TABLE. Context: any but the run-queue lock.
Thread *find_thread(const kshim_task *task);
Target *find_target(const void *group);

// Lists a new target with one hold, which is the caller's; false if its process has one already.
bool list_target(Target &target);
// The same for a child, with its parent's state now; false, too, if the parent is listed no more: then
// a CLEAR came first, which has not seen the child, and hooks may be going away.
bool list_child(Target &child, const Target &parent);
// Lists a thread, if its target is listed and the task has no Thread yet; takes a reference then.
bool list_thread(Thread &thread);
// Makes a Thread for the task and lists it, unless the task is on its way out. False without memory.
bool add_thread(Target &target, kshim_task *task);
// Takes the thread out; the last one takes its target along. True if this call did it.
bool unlist_thread(Thread &thread);
// Takes out the target with all its threads.
void unlist_target(Target &target);
// A hold keeps a target without threads in the table. False if it is there no more.
bool hold_target(Target &target);
void release_hold(Target &target);
// A task of the process, referenced: a thread that is traced, if there is one yet.
kshim_task *get_task(const Target &target);
// After the target has got another session, whose pid namespace may be another.
void refresh_threads(Target &target);
// All facilities that some target wants, in one consistent look; 0 without targets.
uint32_t wanted_facilities();
// The listed target of the process.
Ref<Target> get_target(const void *group);
// A listed target that `match` accepts, or none. match is called under the table lock.
template <typename Match> Ref<Target> get_target_if(Match &&match);

extern constinit HashTable<Target, 10> targets;

template <typename Match> Ref<Target> get_target_if(Match &&match) {
    TableLock lock;
    Target *found = nullptr;
    targets.for_each([&](Target &target) {
        if (!found && match(target))
            found = &target;
    });
    return Ref<Target>::share(found);
}

} // namespace ktr
