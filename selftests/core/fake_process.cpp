// SPDX-License-Identifier: GPL-2.0-only
// What processes do, and the hooks that the kernel calls meanwhile; a world of them for each test.
#include "fake_task.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace fake {

namespace {

std::atomic<int32_t> next_pid{100};

// A probe: an RCU read section, in which hooks do not go away.
class Probe {
  public:
    explicit Probe(uint32_t facilities) {
        kshim_rcu_read_lock();
        on_ = hooks & facilities;
    }
    ~Probe() { kshim_rcu_read_unlock(); }
    explicit operator bool() const { return on_; }

  private:
    bool on_;
};
constexpr uint32_t kAny = ~0u;

kshim_task *new_task(std::shared_ptr<Process> process, const char *comm, int32_t tid) {
    auto *task = new kshim_task;
    task->process = std::move(process);
    task->pid = task->process->pid;
    task->tid = tid;
    std::strncpy(task->comm, comm, sizeof(task->comm) - 1);
    task->process->alive++;
    std::lock_guard lock(tasks_mutex);
    tasks.push_back(task);
    return task;
}

std::shared_ptr<Process> new_process(kshim_cred *cred, kshim_pid_ns *ns, const Process *parent) {
    auto process = std::make_shared<Process>();
    process->pid = next_pid++;
    process->pgrp = process->pid;
    process->cred = cred;
    process->ns = ns;
    process->parent = parent;
    return process;
}

kshim_regs regs_of(const std::vector<uint64_t> &args) {
    kshim_regs regs{};
    std::copy(args.begin(), args.end(), regs.args);
    return regs;
}

void forget_locked(kshim_task *task) {
    tasks.erase(std::remove(tasks.begin(), tasks.end(), task), tasks.end());
    task->pid = 0;
    task->tid = 0;
    put_task(task);
}

} // namespace

kshim_task *spawn(const char *comm, uint32_t uid, bool privileged) {
    const auto process = new_process(new_cred(uid, privileged), new_namespace(0), nullptr);
    return new_task(process, comm, process->pid);
}

kshim_task *fork(kshim_task *parent) {
    Running run(parent);
    Process &from = *parent->process;
    from.cred.load()->refs++;
    from.ns->refs++;
    const auto process = new_process(from.cred, from.ns, &from);
    process->pgrp = from.pgrp.load();
    process->abi = from.abi.load();
    {
        std::lock_guard lock(from.memory_mutex);
        process->memory = from.memory;
    }
    kshim_task *child = new_task(process, parent->comm, process->pid);
    if (Probe probe(kAny); probe)
        ktrace_core_fork(parent, child, false);
    return_to_user(parent);
    return child;
}

kshim_task *clone(kshim_task *parent) {
    Running run(parent);
    kshim_task *child = new_task(parent->process, parent->comm, next_pid++);
    if (Probe probe(kAny); probe)
        ktrace_core_fork(parent, child, true);
    return_to_user(parent);
    return child;
}

void exec(kshim_task *task, bool gained) {
    Running run(task);
    ktrace_image image{};
    image.gained = gained;
    if (Probe probe(kAny); probe)
        ktrace_core_exec(task, &image);
    return_to_user(task);
}

void exec_in_thread(kshim_task *thread, kshim_task *leader) {
    for (kshim_task *other : living())
        if (other->process == thread->process && other != thread)
            exit(other);
    {
        std::lock_guard lock(tasks_mutex);
        thread->tid = leader->tid.load();
        forget_locked(leader);
    }
    exec(thread);
}

void exit_probe(kshim_task *task) {
    Running run(task);
    task->exiting = true;
    task->process->alive--;
    if (Probe probe(kAny); probe)
        ktrace_core_exit_task(task);
}

// A leader whose threads live on is a zombie until they have ended.
void finish_exit(kshim_task *task) {
    return_to_user(task);
    std::lock_guard lock(tasks_mutex);
    const auto process = task->process;
    const auto others = std::count_if(tasks.begin(), tasks.end(), [&](const kshim_task *other) {
        return other != task && other->process == process;
    });
    if (task->tid == task->pid && others != 0)
        return;
    forget_locked(task);
    const auto zombie = std::find_if(tasks.begin(), tasks.end(), [&](const kshim_task *other) {
        return other->process == process && other->exiting && other->tid == other->pid;
    });
    if (others == 1 && zombie != tasks.end())
        forget_locked(*zombie);
}

void exit(kshim_task *task) {
    exit_probe(task);
    finish_exit(task);
}

void sys_enter(kshim_task *task, long number, const std::vector<uint64_t> &args, uint32_t abi) {
    Running run(task);
    const kshim_regs regs = regs_of(args);
    if (Probe probe(KTRFAC_SYSCALL); probe)
        ktrace_core_sys_enter(task, &regs, number, abi);
}

void sys_exit(kshim_task *task, long number, const std::vector<uint64_t> &args, long result, uint32_t abi) {
    Running run(task);
    const kshim_regs regs = regs_of(args);
    if (Probe probe(KTRFAC_SYSRET | KTRFAC_GENIO); probe)
        ktrace_core_sys_exit(task, &regs, number, abi, result);
}

void return_to_user(kshim_task *task) {
    Running run(task);
    while (!task->doors.empty()) {
        auto doors = std::move(task->doors);
        task->doors.clear();
        for (auto &[door, fn] : doors)
            fn(door);
    }
}

void syscall(kshim_task *task, long number, const std::vector<uint64_t> &args, long result, uint32_t abi) {
    sys_enter(task, number, args, abi);
    sys_exit(task, number, args, result, abi);
    return_to_user(task);
}

void namei(kshim_task *task, const std::string &path) {
    Running run(task);
    if (Probe probe(KTRFAC_NAMEI); probe)
        ktrace_core_namei(task, path.data(), path.size());
}

void signal(kshim_task *task, int32_t number) {
    Running run(task);
    if (Probe probe(KTRFAC_PSIG); probe)
        ktrace_core_signal(task, number, 0x401000, 0, 0x1'0000'0002, false);
}

int utrace(kshim_task *task, uint64_t address, uint64_t length) {
    Running run(task);
    return ktrace_core_utrace(address, length);
}

void start() {
    start_rcu();
    set_clock(1'000'000, 1);
    set_cpu(0);
    realtime_offset = 0;
    fail_allocation(0);
    warnings = logged_errors = last_logged_error = open_error = hooks_error = 0;
    ktrace_settings = {.geniosize = 4096, .request_pool = 256, .lossless = 1, .wait_ms = 5000};
    check(ktrace_core_init() == 0, "ktrace_core_init");
}

void settle(bool ends) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(8);
    do {
        run_work();
        rcu_barrier();
        rcu_barrier(); // callbacks queue callbacks
        if (!ends || counts.workers == 0) {
            if (!reap_wanted)
                break;
        } else {
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
    } while (std::chrono::steady_clock::now() < end);
    if (ends && counts.workers == 0)
        join_workers();
}

void stop() {
    for (kshim_task *task : living())
        if (!task->exiting)
            exit(task);
    settle(true);
    ktrace_core_exit();
    close_all();
    stop_rcu();
}

} // namespace fake
