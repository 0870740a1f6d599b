// SPDX-License-Identifier: GPL-2.0-only
// Tasks, credentials, namespaces, hooks: what the core asks of them.
#include "fake_task.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace fake {

Counts counts;
std::atomic<uint32_t> hooks{0};
std::atomic<uint32_t> hooks_set_calls{0};
std::atomic<int> hooks_error{0};
std::atomic<bool> reap_wanted{false};

std::mutex tasks_mutex;
std::vector<kshim_task *> tasks;
thread_local kshim_task *running = nullptr;

kshim_task *current() { return running; }

std::vector<kshim_task *> living() {
    std::lock_guard lock(tasks_mutex);
    return tasks;
}

Running::Running(kshim_task *task) : before_(running) { running = task; }

Running::~Running() { running = before_; }

void put_cred(kshim_cred *cred) {
    if (cred && --cred->refs == 0)
        delete cred;
}

void put_namespace(kshim_pid_ns *ns) {
    if (ns && --ns->refs == 0)
        delete ns;
}

void put_task(kshim_task *task) {
    if (--task->refs == 0)
        delete task;
}

Process::~Process() {
    put_cred(cred);
    put_namespace(ns);
}

kshim_cred *new_cred(uint32_t uid, bool privileged) {
    auto *cred = new kshim_cred;
    cred->uid = uid;
    cred->privileged = privileged;
    return cred;
}

kshim_pid_ns *new_namespace(int32_t offset) {
    auto *ns = new kshim_pid_ns;
    ns->offset = offset;
    return ns;
}

void run_work() {
    if (reap_wanted.exchange(false))
        ktrace_core_reap();
}

namespace {
// Tasks are in the order of their birth; the leader of a process is the one whose numbers are equal.
bool selected(const kshim_task *task, kshim_task_set set, int32_t id, const kshim_task *leader) {
    const bool leads = task->pid != 0 && task->pid == task->tid;
    switch (set) {
    case KSHIM_TASK_PROCESS:
        return leads && task->pid + running->process->ns->offset == id;
    case KSHIM_TASK_PGRP:
        return leads && task->process->pgrp == id;
    case KSHIM_TASK_ALL:
        return leads;
    case KSHIM_TASK_THREADS:
        return task->process == leader->process;
    }
    return false;
}
} // namespace

} // namespace fake

using namespace fake;

struct kshim_task *kshim_current() {
    return running;
}

void kshim_task_get(struct kshim_task *task) {
    check(task->refs++ > 0, "a reference on a task that is gone");
    counts.tasks++;
}

void kshim_task_put(struct kshim_task *task) {
    counts.tasks--;
    put_task(task);
}

const void *kshim_task_group(const struct kshim_task *task) { return task->process.get(); }

const char *kshim_task_comm(const struct kshim_task *task) { return task->comm; }

uint32_t kshim_task_abi(const struct kshim_task *task) { return task->process->abi; }

int32_t kshim_task_pid(struct kshim_task *task, struct kshim_pid_ns *ns) {
    const int32_t pid = task->pid;
    return pid ? pid + ns->offset : 0;
}

int32_t kshim_task_tid(struct kshim_task *task, struct kshim_pid_ns *ns) {
    const int32_t tid = task->tid;
    return tid ? tid + ns->offset : 0;
}

bool kshim_task_exiting(const struct kshim_task *task) { return task->exiting; }

bool kshim_group_dead(const struct kshim_task *task) { return task->process->alive == 0; }

int kshim_tasks(enum kshim_task_set set, int32_t id, struct kshim_task *leader, struct kshim_task_item **list,
                size_t *count) {
    std::lock_guard lock(tasks_mutex);
    std::vector<kshim_task *> found;
    std::copy_if(tasks.begin(), tasks.end(), std::back_inserter(found),
                 [&](const kshim_task *task) { return selected(task, set, id, leader); });
    *list = nullptr;
    *count = 0;
    if (found.empty())
        return 0;
    auto *items = static_cast<kshim_task_item *>(kshim_alloc(found.size() * sizeof(kshim_task_item)));
    if (!items)
        return -ENOMEM;
    for (kshim_task *task : found) {
        kshim_task_get(task);
        items[(*count)++] = {task, task->process.get(), task->process->parent};
    }
    *list = items;
    return 0;
}

void kshim_tasks_free(struct kshim_task_item *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        kshim_task_put(list[i].task);
    kshim_free(list);
}

bool kshim_door_queue(struct kshim_door *door, void (*fn)(struct kshim_door *door)) {
    check(running != nullptr, "a door without a thread");
    if (running->refuse_doors)
        return false;
    for (const auto &[queued, unused] : running->doors)
        check(queued != door, "a door queued twice");
    running->doors.emplace_back(door, fn);
    return true;
}

int kshim_may_trace(struct kshim_task *task) {
    might_sleep("kshim_may_trace");
    const kshim_cred *caller = running->process->cred;
    const kshim_cred *other = task->process->cred;
    return caller->privileged || (caller->uid == other->uid && !other->privileged) ? 0 : -EPERM;
}

bool kshim_privileged_over(struct kshim_task *) {
    might_sleep("kshim_privileged_over");
    return running->process->cred.load()->privileged;
}

bool kshim_has_seccomp_filter(void) { return false; }

bool kshim_cred_privileged_over_current(const struct kshim_cred *cred) { return cred->privileged; }

const struct kshim_cred *kshim_cred_get_current() {
    might_sleep("kshim_cred_get_current");
    kshim_cred *cred = running->process->cred;
    cred->refs++;
    counts.creds++;
    return cred;
}

void kshim_cred_put(const struct kshim_cred *cred) {
    counts.creds--;
    put_cred(const_cast<kshim_cred *>(cred));
}

bool kshim_cred_same_user(const struct kshim_cred *a, const struct kshim_cred *b) { return a->uid == b->uid; }

struct kshim_pid_ns *kshim_pid_ns_get_current() {
    might_sleep("kshim_pid_ns_get_current");
    running->process->ns->refs++;
    counts.namespaces++;
    return running->process->ns;
}

void kshim_pid_ns_put(struct kshim_pid_ns *ns) {
    counts.namespaces--;
    put_namespace(ns);
}

int kshim_hooks_set(uint32_t facilities) {
    kshim_assert_held(KSHIM_LOCK_CONTROL);
    hooks_set_calls++;
    if (const int error = hooks_error)
        return -error;
    if (facilities & ~hooks) {
        void *memory = kshim_alloc(1);
        if (!memory)
            return -ENOMEM;
        kshim_free(memory);
    }
    if (hooks.exchange(facilities) & ~facilities)
        kshim_synchronize_rcu();
    return 0;
}

uint32_t kshim_hooks_available() {
    return KTRFAC_SYSCALL | KTRFAC_SYSRET | KTRFAC_NAMEI | KTRFAC_GENIO | KTRFAC_PSIG;
}

uint64_t kshim_features() { return KTRACE_FEATURE_COMPAT; }

void kshim_schedule_reap() { reap_wanted = true; }
