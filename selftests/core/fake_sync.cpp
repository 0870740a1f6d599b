// SPDX-License-Identifier: GPL-2.0-only
// Locks, RCU, processors and time.
//
// RCU: a reader publishes the epoch in which it began; a grace period raises the epoch and waits for
// the readers of earlier ones. Only that orders a reader before a free, so TSan and ASan see
// whatever relies on less. Processors: a mutex each, held while a thread is pinned, as with
// preemption off; an "interrupt" is a call from the thread that is pinned already.
#include "fake_kshim.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <thread>
#include <utility>

namespace fake {

std::atomic<int64_t> realtime_offset{0};
std::atomic<int> warnings{0};

namespace {

// --- contexts of a thread ---

struct Reader {
    std::atomic<uint64_t> since{0}; // epoch, 0: not reading
    unsigned int depth = 0;
};

std::mutex readers_mutex;
std::set<Reader *> readers;
std::atomic<uint64_t> epoch{1};

struct Context {
    Context() {
        std::lock_guard lock(readers_mutex);
        readers.insert(&reader);
    }
    ~Context() {
        std::lock_guard lock(readers_mutex);
        readers.erase(&reader);
    }
    Reader reader;
    unsigned int cpu = 0;
    unsigned int pinned = 0;
    unsigned int spinning = 0;
    bool callback = false;
    std::function<void()> at_clock;
};
thread_local Context context;

struct Lock {
    std::mutex mutex;
    std::atomic<std::thread::id> owner{};
};
Lock locks[KSHIM_NLOCKS];
std::mutex cpus[kCpus];

std::atomic<uint64_t> clock_now{1000}, clock_step{1};

// --- call_rcu ---

struct Callback {
    kshim_rcu *head;
    void (*fn)(kshim_rcu *);
};
std::mutex queue_mutex;
std::condition_variable queue_changed;
std::deque<Callback> queue;
bool queue_busy = false, queue_stops = false;
std::thread queue_thread;

void run_callbacks() {
    std::unique_lock lock(queue_mutex);
    for (;;) {
        queue_busy = false;
        queue_changed.notify_all();
        queue_changed.wait(lock, [] { return queue_stops || !queue.empty(); });
        if (queue.empty())
            return;
        queue_busy = true;
        std::deque<Callback> batch;
        batch.swap(queue);
        lock.unlock();
        kshim_synchronize_rcu();
        context.callback = true;
        for (const Callback &callback : batch)
            callback.fn(callback.head);
        context.callback = false;
        lock.lock();
    }
}

} // namespace

void check(bool good, const char *what) {
    if (good)
        return;
    std::fprintf(stderr, "fake kernel: %s\n", what);
    std::abort();
}

void might_sleep(const char *what) {
    if (context.reader.depth == 0 && context.pinned == 0 && context.spinning == 0 && !context.callback)
        return;
    std::fprintf(stderr,
                 "fake kernel: %s in an atomic context (rcu %u, pinned %u, spinning %u, callback %d)\n", what,
                 context.reader.depth, context.pinned, context.spinning, context.callback);
    std::abort();
}

void set_cpu(unsigned int number) {
    check(context.pinned == 0 && number < kCpus && number != kImpossibleCpu, "set_cpu");
    context.cpu = number;
}

unsigned int cpu() { return context.cpu; }

void set_clock(uint64_t time, uint64_t step) {
    clock_now = time;
    clock_step = step;
}

uint64_t now() { return clock_now; }

void interrupt_at_clock(std::function<void()> handler) { context.at_clock = std::move(handler); }

void rcu_barrier() {
    std::unique_lock lock(queue_mutex);
    queue_changed.wait(lock, [] { return queue.empty() && !queue_busy; });
}

void start_rcu() {
    queue_stops = false;
    queue_thread = std::thread(run_callbacks);
}

void stop_rcu() {
    {
        std::lock_guard lock(queue_mutex);
        queue_stops = true;
    }
    queue_changed.notify_all();
    queue_thread.join();
}

} // namespace fake

using namespace fake;

void kshim_mutex_lock(enum kshim_lock which) {
    might_sleep("kshim_mutex_lock");
    check(locks[which].owner != std::this_thread::get_id(), "mutex taken twice");
    locks[which].mutex.lock();
    locks[which].owner = std::this_thread::get_id();
}

void kshim_mutex_unlock(enum kshim_lock which) {
    kshim_assert_held(which);
    locks[which].owner = std::thread::id();
    locks[which].mutex.unlock();
}

unsigned long kshim_spin_lock(enum kshim_lock which) {
    check(locks[which].owner != std::this_thread::get_id(), "spinlock taken twice");
    locks[which].mutex.lock();
    locks[which].owner = std::this_thread::get_id();
    context.spinning++;
    return 0x200;
}

void kshim_spin_unlock(enum kshim_lock which, unsigned long irq) {
    kshim_assert_held(which);
    check(irq == 0x200, "wrong interrupt state");
    context.spinning--;
    locks[which].owner = std::thread::id();
    locks[which].mutex.unlock();
}

void kshim_assert_held(enum kshim_lock which) {
    check(locks[which].owner == std::this_thread::get_id(), "lock is not held");
}

void kshim_rcu_read_lock() {
    if (context.reader.depth++ == 0)
        context.reader.since.store(epoch.load());
}

void kshim_rcu_read_unlock() {
    check(context.reader.depth > 0, "rcu_read_unlock without a lock");
    if (--context.reader.depth == 0)
        context.reader.since.store(0);
}

void kshim_synchronize_rcu() {
    might_sleep("kshim_synchronize_rcu");
    const uint64_t mine = epoch.fetch_add(1) + 1;
    for (;;) {
        bool quiet = true;
        {
            std::lock_guard lock(readers_mutex);
            for (const Reader *reader : readers) {
                const uint64_t since = reader->since.load();
                quiet &= since == 0 || since >= mine;
            }
        }
        if (quiet)
            return;
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
}

void kshim_call_rcu(struct kshim_rcu *rcu, void (*fn)(struct kshim_rcu *rcu)) {
    {
        std::lock_guard lock(queue_mutex);
        queue.push_back({rcu, fn});
    }
    queue_changed.notify_all();
}

unsigned int kshim_cpu_limit() { return kCpus; }

bool kshim_cpu_possible(unsigned int number) { return number != kImpossibleCpu; }

unsigned int kshim_get_cpu() {
    if (context.pinned++ == 0)
        cpus[context.cpu].lock();
    kshim_rcu_read_lock();
    return context.cpu;
}

void kshim_put_cpu() {
    check(context.pinned > 0, "put_cpu without get_cpu");
    kshim_rcu_read_unlock();
    if (--context.pinned == 0)
        cpus[context.cpu].unlock();
}

uint64_t kshim_clock_ns() {
    if (auto handler = std::exchange(context.at_clock, nullptr))
        handler();
    return clock_now.fetch_add(clock_step.load());
}

int64_t kshim_realtime_offset_ns() { return realtime_offset; }

void kshim_cpu_relax() { std::this_thread::yield(); }

void kshim_cond_resched() { might_sleep("kshim_cond_resched"); }

void kshim_warn(const char *what) {
    std::fprintf(stderr, "fake kernel: warning: %s\n", what);
    warnings++;
}
