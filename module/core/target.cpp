// SPDX-License-Identifier: GPL-2.0-only
// Threads and targets, and the tables of both; the life cycle is in target.hpp.
#include "target.hpp"

#include "ktrace_core.h"

#include "base/poison.hpp"

namespace ktr {

constinit HashTable<Target, 10> targets;

// The shim looks whether a bucket is empty: its buckets are plain pointers there.
extern "C" {
constinit HashTable<Thread, KTRACE_THREAD_BITS> ktrace_core_threads;
}
static_assert(sizeof(ktrace_core_threads) == sizeof(void *) << KTRACE_THREAD_BITS);

namespace {

constexpr auto &threads = ktrace_core_threads;

void unlink_from_target_locked(Thread &thread) {
    Thread **link = &thread.target->threads;
    while (*link != &thread)
        link = &(*link)->target_next;
    *link = thread.target_next;
}

void unlist_thread_locked(Thread &thread) {
    thread.listed = false;
    threads.remove_locked(&thread);
    unlink_from_target_locked(thread);
}

// True if the target left the table; the caller then puts the table's reference.
bool drop_hold_locked(Target &target) {
    if (--target.holds != 0 || !target.listed)
        return false;
    target.listed = false;
    targets.remove_locked(&target);
    return true;
}

bool list_target_locked(Target &target) {
    if (targets.find(target.key()))
        return false;
    target.get();
    target.listed = true;
    target.holds = 1;
    targets.insert_locked(&target);
    return true;
}

bool list_thread_locked(Thread &thread) {
    Target &target = *thread.target;
    if (!target.listed || threads.find(thread.task))
        return false;
    thread.get();
    thread.listed = true;
    thread.target_next = target.threads;
    target.threads = &thread;
    target.holds++;
    threads.insert_locked(&thread);
    return true;
}

// Gives the table's reference back. A target that leaves may change what hooks are needed.
void delisted(Target &target) {
    target.put();
    kshim_schedule_reap();
}

} // namespace

Target::Target(kshim_task *leader, Session *session, uint32_t state)
    : group_(kshim_task_group(leader)), leader_(leader), session_(session), state_(state) {
    kshim_task_get(leader);
}

Target::~Target() {
    kshim_task_put(leader_);
    session_.load(std::memory_order_relaxed)->put();
}

void Target::put() {
    if (refs_.put())
        kshim_call_rcu(&rcu_, release);
}

// No probe can be on the target any more, nor in a ring of its session on its behalf.
void Target::release(kshim_rcu *rcu) { destroy(Embedded<kshim_rcu, Target>::owner_of(rcu)); }

void Target::add_state(uint32_t bits, uint32_t version) {
    state_.store((state() & ~kVersion1) | bits | version, std::memory_order_relaxed);
}

void Target::remove_state(uint32_t bits) { state_.store(state() & ~bits, std::memory_order_relaxed); }

Session *Target::replace_session(Session *session) {
    return session_.exchange(session, std::memory_order_acq_rel);
}

Ref<Session> Target::share_session() const {
    RcuReader reader;
    // Ends: session_ has a reference on what it points to, so only a replaced one can be at zero.
    for (;;) {
        Session &now = session();
        if (now.try_get())
            return Ref<Session>::adopt(&now);
    }
}

void Target::count_lost(uint32_t type) {
    RcuReader reader;
    session().count_lost(type);
    give_back_lost(type, 1);
}

void Target::give_back_lost(uint32_t type, uint32_t count) {
    lost_[type].fetch_add(count, std::memory_order_relaxed);
    mark_drop(); // pairs with take_drop(): the count before the mark
}

Thread::Thread(kshim_task *thread_task, Target *thread_target) : task(thread_task), target(thread_target) {
    kshim_task_get(task);
    target->get();
    refresh_ids();
}

Thread::~Thread() {
    kshim_task_put(task);
    target->put();
}

void Thread::put() {
    if (refs.put())
        kshim_call_rcu(&rcu, [](kshim_rcu *head) { destroy(Embedded<kshim_rcu, Thread>::owner_of(head)); });
}

// Exec in a thread that is not the leader makes it the leader, with the leader's numbers.
void Thread::refresh_ids() {
    kshim_pid_ns *ns = target->session().pid_ns();
    pid.store(kshim_task_pid(task, ns), std::memory_order_relaxed);
    tid.store(kshim_task_tid(task, ns), std::memory_order_relaxed);
}

Thread *find_thread(const kshim_task *task) { return threads.find(task); }

Target *find_target(const void *group) { return targets.find(group); }

bool list_target(Target &target) {
    TableLock lock;
    return list_target_locked(target);
}

bool list_child(Target &child, const Target &parent) {
    TableLock lock;
    if (!parent.listed || !parent.is_inherited())
        return false;
    child.copy_state(parent);
    return list_target_locked(child);
}

bool list_thread(Thread &thread) {
    TableLock lock;
    return list_thread_locked(thread);
}

bool add_thread(Target &target, kshim_task *task) {
    Ref<Thread> thread = Ref<Thread>::adopt(make_atomic<Thread>(task, &target));
    if (!thread)
        return false;
    if (!list_thread(*thread))
        return true;
    // The task says that it exits, then has its last probe; we have listed it, then look. Either
    // that probe finds the thread, or we find that it exits.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (kshim_task_exiting(task))
        unlist_thread(*thread);
    return true;
}

bool unlist_thread(Thread &thread) {
    bool last = false;
    {
        TableLock lock;
        if (!thread.listed)
            return false;
        unlist_thread_locked(thread);
        last = drop_hold_locked(*thread.target);
    }
    if (last)
        delisted(*thread.target);
    thread.put();
    return true;
}

void unlist_target(Target &target) {
    Thread *left = nullptr;
    {
        TableLock lock;
        if (!target.listed)
            return;
        target.listed = false;
        targets.remove_locked(&target);
        left = target.threads;
        target.threads = nullptr;
        for (Thread *at = left; at; at = at->target_next) {
            at->listed = false;
            threads.remove_locked(at);
            target.holds--;
        }
    }
    // target_next is ours now: only listed threads are linked by others.
    while (left) {
        Thread *next = left->target_next;
        left->put();
        left = next;
    }
    delisted(target);
}

bool hold_target(Target &target) {
    TableLock lock;
    if (!target.listed)
        return false;
    target.holds++;
    return true;
}

void release_hold(Target &target) {
    bool last = false;
    {
        TableLock lock;
        last = drop_hold_locked(target);
    }
    if (last)
        delisted(target);
}

kshim_task *get_task(const Target &target) {
    TableLock lock;
    kshim_task *task = target.threads ? target.threads->task : target.leader();
    kshim_task_get(task);
    return task;
}

void refresh_threads(Target &target) {
    TableLock lock;
    for (Thread *at = target.threads; at; at = at->target_next)
        at->refresh_ids();
}

uint32_t wanted_facilities() {
    TableLock lock; // a child is listed before its parent can leave: a look in between sees one of them
    uint32_t wanted = 0;
    targets.for_each([&](const Target &target) { wanted |= target.state() & KTRFAC_MASK; });
    return wanted;
}

Ref<Target> get_target(const void *group) {
    TableLock lock;
    return Ref<Target>::share(targets.find(group));
}

} // namespace ktr
