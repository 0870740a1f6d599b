// SPDX-License-Identifier: GPL-2.0-only
// Kernel threads. A worker is freed after its main() and a grace period, so a later kick is a use
// after free that ASan finds.
#include "fake_kshim.hpp"

#include <cerrno>
#include <chrono>
#include <list>
#include <thread>
#include <utility>

struct kshim_worker {
    void (*main)(void *arg);
    void *arg;
    const kshim_cred *cred;
    std::mutex mutex;
    std::condition_variable kicks, notices;
    bool kicked = false;
    std::thread::id thread;
};

namespace fake {

thread_local const kshim_cred *worker_cred = nullptr; // of the running worker

namespace {
std::mutex threads_mutex;
std::list<std::thread> threads;

void run(kshim_worker *worker) {
    worker_cred = worker->cred;
    {
        std::lock_guard lock(worker->mutex);
        worker->thread = std::this_thread::get_id();
    }
    worker->main(worker->arg);
    kshim_synchronize_rcu();
    kshim_cred_put(worker->cred);
    delete worker;
    counts.workers--;
}
} // namespace

void join_workers() {
    std::list<std::thread> all;
    {
        std::lock_guard lock(threads_mutex);
        all.swap(threads);
    }
    for (std::thread &thread : all)
        thread.join();
}

} // namespace fake

int kshim_worker_start(void (*main)(void *arg), void *arg, const struct kshim_cred *cred,
                       struct kshim_worker **ret) {
    void *memory = kshim_alloc(1); // can fail like everything
    if (!memory)
        return -ENOMEM;
    kshim_free(memory);
    const_cast<kshim_cred *>(cred)->refs++;
    fake::counts.creds++;
    fake::counts.workers++;
    *ret = new kshim_worker{main, arg, cred, {}, {}, {}, false, {}};
    std::lock_guard lock(fake::threads_mutex);
    fake::threads.emplace_back(fake::run, *ret);
    return 0;
}

void kshim_worker_kick(struct kshim_worker *worker) {
    std::lock_guard lock(worker->mutex);
    worker->kicked = true;
    worker->kicks.notify_all();
}

bool kshim_worker_sleep(struct kshim_worker *worker, unsigned int ms) {
    fake::might_sleep("kshim_worker_sleep");
    std::unique_lock lock(worker->mutex);
    fake::check(worker->thread == std::this_thread::get_id(), "another thread sleeps as the worker");
    const auto kicked = [&] { return worker->kicked; };
    if (ms == 0)
        worker->kicks.wait(lock, kicked);
    else
        worker->kicks.wait_for(lock, std::chrono::milliseconds(ms), kicked);
    return std::exchange(worker->kicked, false);
}

void kshim_worker_notify(struct kshim_worker *worker) {
    fake::might_sleep("kshim_worker_notify");
    std::lock_guard lock(worker->mutex);
    worker->notices.notify_all();
}

int kshim_worker_wait(struct kshim_worker *worker, bool (*done)(void *arg), void *arg, unsigned int ms,
                      bool killable) {
    fake::might_sleep("kshim_worker_wait");
    using clock = std::chrono::steady_clock;
    const auto end = clock::now() + std::chrono::milliseconds(ms);
    std::unique_lock lock(worker->mutex);
    while (!done(arg)) {
        if (killable && fake::current() && fake::current()->killed)
            return -EINTR;
        if (clock::now() >= end)
            return -ETIMEDOUT;
        // A fatal signal does not notify here, so look for it now and then.
        const auto slice = clock::now() + std::chrono::milliseconds(killable ? 5 : ms);
        worker->notices.wait_until(lock, std::min(slice, end));
    }
    return 0;
}
