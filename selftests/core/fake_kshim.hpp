// SPDX-License-Identifier: GPL-2.0-only
// What a test sees of the fake shim: kshim.h on plain user space, with the kernel's objects in the
// open. fake_memory.cpp, fake_sync.cpp, fake_worker.cpp, fake_task.cpp and fake_file.cpp implement it.
//
// The fake is as strict as a debug kernel: sleeping where that is forbidden, a lock that is not held,
// a processor used by two threads at once end the test; memory that is freed too early is ASan's.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "../../module/core/ktrace_core.h"

struct kshim_cred {
    std::atomic<int> refs{1};
    uint32_t uid = 1000;
    bool privileged = false;
};

struct kshim_pid_ns {
    std::atomic<int> refs{1};
    int32_t offset = 0; // of its numbers to those of the first namespace
};

struct kshim_regs {
    uint64_t args[6];
};

namespace fake {

// A thread group; its memory, its place in the tree.
struct Process {
    ~Process();
    int32_t pid = 0;
    std::atomic<int32_t> pgrp{0};
    std::atomic<uint32_t> abi{KTR_SV_LINUX64};
    std::atomic<const void *> parent{nullptr};
    std::atomic<int> alive{0}; // threads that do not exit
    std::atomic<kshim_cred *> cred{nullptr};
    kshim_pid_ns *ns = nullptr;
    uint64_t file_limit = UINT64_MAX;

    // Memory, in pieces of any size.
    struct Page {
        std::vector<std::byte> bytes;
        bool resident = true;
    };
    std::mutex memory_mutex;
    std::map<uint64_t, Page> memory;
    void map(uint64_t address, const std::string &bytes, bool resident = true);
    template <typename T> void map_value(uint64_t address, const T &value, bool resident = true) {
        map(address, std::string(reinterpret_cast<const char *>(&value), sizeof(value)), resident);
    }
    bool copy(void *to, uint64_t from, size_t length, bool may_fault);
};

} // namespace fake

struct kshim_task {
    std::atomic<int> refs{1};
    std::atomic<int32_t> pid{0}; // of the process; 0 after the end
    std::atomic<int32_t> tid{0};
    char comm[16] = {};
    std::shared_ptr<fake::Process> process;
    std::atomic<bool> exiting{false};
    std::atomic<bool> killed{false}; // a fatal signal is pending
    // Doors; the thread itself.
    std::vector<std::pair<kshim_door *, void (*)(kshim_door *)>> doors;
    bool refuse_doors = false;
};

namespace fake {

// What a trace file is: bytes in memory, and how it misbehaves.
struct Inode {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::byte> data;
    bool regular = true;
    uint64_t capacity = UINT64_MAX;  // a write that goes beyond is short, then fails with full_errno
    int full_errno = 28;             // ENOSPC
    int write_errno = 0;             // every write fails
    size_t longest_write = SIZE_MAX; // in one call
    bool hangs = false;              // writes wait
    std::atomic<int> waiting{0};     // that many
    std::vector<size_t> writes;
    std::vector<uint32_t> writer_uids;
    int truncations = 0;

    void set_hangs(bool value);
    std::vector<std::byte> snapshot();
    size_t size();
    void wait_size(size_t bytes); // until it has so many
};
using File = std::shared_ptr<Inode>;

// --- the world (fake_task.cpp) ---

void start(); // before a test
void stop();  // after it: everything that lives on is an error of the test

// Runs RCU callbacks and the reaper until nothing is left to do; with `ends` waits for the writers to end,
// too.
void settle(bool ends = false);
void run_work(); // what kshim_schedule_reap() has asked for

extern std::atomic<bool> reap_wanted;
extern std::atomic<int> warnings;
extern std::atomic<int> logged_errors; // kshim_file_log_stopped()
extern std::atomic<int> last_logged_error;

// Objects of the kernel that are referenced.
struct Counts {
    std::atomic<long> tasks{0}, creds{0}, namespaces{0}, files{0}, workers{0};
};
extern Counts counts;

// --- memory (fake_memory.cpp) ---

extern std::atomic<long> live_allocations;
extern std::atomic<long> allocations; // so far
// The k-th allocation from now fails (1: the next); with `ever` all after it, too. 0: none.
void fail_allocation(long k, bool ever = false);
bool allocation_failed(); // since fail_allocation()

// --- processors, clock, contexts (fake_sync.cpp) ---

constexpr unsigned int kCpus = 5;
constexpr unsigned int kImpossibleCpu = 2; // there is a hole in the numbers
void set_cpu(unsigned int cpu);            // of the calling thread
unsigned int cpu();

// Each look at the clock moves it on by `step` ns; 0: it stands.
void set_clock(uint64_t now, uint64_t step = 1);
uint64_t now();
extern std::atomic<int64_t> realtime_offset;
// Called in the thread's next look at the clock, or its next atomic allocation: like an interrupt there.
void interrupt_at_clock(std::function<void()> handler);
void interrupt_at_atomic_alloc(std::function<void()> handler);

// Ends the test if the caller must not sleep.
void might_sleep(const char *what);
void check(bool good, const char *what);

// Frees what call_rcu() was given, after a grace period; waits for it.
void rcu_barrier();
void start_rcu();
void stop_rcu();

void join_workers();

// --- hooks (fake_task.cpp) ---

extern std::atomic<uint32_t> hooks;
extern std::atomic<uint32_t> hooks_set_calls;
extern std::atomic<int> hooks_error; // kshim_hooks_set() fails

// --- files (fake_file.cpp) ---

void add_path(const std::string &path, File file);
void add_fd(int32_t fd, File file);
extern std::atomic<int> open_error;      // kshim_file_open() fails with this
kshim_file *open_file(const File &file); // as kshim_file_open() gives it
void close_all();

// --- tasks (fake_task.cpp) ---

kshim_cred *new_cred(uint32_t uid, bool privileged);
kshim_pid_ns *new_namespace(int32_t offset);
kshim_task *current();
std::vector<kshim_task *> living(); // referenced by the world as long as they live

// Makes the calling thread the task for the time of a scope.
class Running {
  public:
    explicit Running(kshim_task *task);
    ~Running();
    Running(const Running &) = delete;
    Running &operator=(const Running &) = delete;

  private:
    kshim_task *const before_;
};

// What processes do, with the hooks that the kernel would call. Each runs as the task.
kshim_task *spawn(const char *comm, uint32_t uid = 1000, bool privileged = false);
kshim_task *fork(kshim_task *parent);
kshim_task *clone(kshim_task *parent);
void exec(kshim_task *task, bool gained = false);
// Execs in a thread that is not the leader: it becomes the leader, the other threads end.
void exec_in_thread(kshim_task *thread, kshim_task *leader);
void exit(kshim_task *task);
void exit_probe(kshim_task *task);  // without its door
void finish_exit(kshim_task *task); // the rest
void syscall(kshim_task *task, long number, const std::vector<uint64_t> &args, long result,
             uint32_t abi = KTR_SV_LINUX64);
// The parts of it.
void sys_enter(kshim_task *task, long number, const std::vector<uint64_t> &args,
               uint32_t abi = KTR_SV_LINUX64);
void sys_exit(kshim_task *task, long number, const std::vector<uint64_t> &args, long result,
              uint32_t abi = KTR_SV_LINUX64);
void return_to_user(kshim_task *task);
void namei(kshim_task *task, const std::string &path);
void signal(kshim_task *task, int32_t number);
int utrace(kshim_task *task, uint64_t address, uint64_t length);

} // namespace fake
