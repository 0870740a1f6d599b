// SPDX-License-Identifier: GPL-2.0-only
// Making, finding, waiting for and ending sessions; the life cycle is in session.hpp.
#include "session.hpp"

#include <algorithm>
#include <bit>

#include "ktrace_core.h"
#include "writer.hpp"

#include "base/poison.hpp"

namespace ktr {

constinit Session *Session::sessions_ = nullptr;

namespace {

// A record with header, on average: what request_pool records take.
constexpr uint64_t kBytesPerRecord = 128;
constexpr uint64_t kMinRingBytes = 128 * 1024;
constexpr uint64_t kMaxRingBytes = 4 * 1024 * 1024;

unsigned int possible_cpus() {
    unsigned int count = 0;
    for (unsigned int cpu = 0; cpu < kshim_cpu_limit(); cpu++)
        count += kshim_cpu_possible(cpu);
    return std::max(count, 1U);
}

// The pool shared out among the processors, as a power of two.
uint64_t bytes_per_ring(unsigned int cpus) {
    const uint64_t share = ktrace_settings.request_pool * kBytesPerRecord / cpus;
    return std::bit_ceil(std::clamp(share, kMinRingBytes, kMaxRingBytes));
}

} // namespace

uint64_t Session::ring_bytes() {
    const unsigned int cpus = possible_cpus();
    return cpus * bytes_per_ring(cpus);
}

Session::Session(kshim_file *file) : file_(file) {}

Session::~Session() {
    if (rings_)
        for (unsigned int cpu = 0; cpu < cpus_; cpu++)
            destroy(rings_[cpu]);
    kshim_free(rings_);
    kshim_free_pages(ring_memory_);
    destroy(writer_);
    if (pid_ns_)
        kshim_pid_ns_put(pid_ns_);
    if (cred_)
        kshim_cred_put(cred_);
    kshim_file_put(file_);
}

bool Session::joinable(const kshim_file *file, const kshim_cred *cred) const {
    return kshim_file_same(file_, file) && kshim_cred_same_user(cred_, cred) && !failed();
}

Result<Session *> Session::join_or_create(kshim_file *file) {
    const kshim_cred *cred = kshim_cred_get_current();
    Session *found = nullptr;
    for (Session *at = sessions_; at && !found; at = at->next_)
        if (at->joinable(file, cred) && at->refs_.get_unless_zero())
            found = at;
    kshim_cred_put(cred);
    if (found) {
        kshim_file_put(file);
        return found;
    }
    Owned<Session> session(make<Session>(file));
    if (!session) {
        kshim_file_put(file);
        return Status::error(kEnomem);
    }
    if (Status status = session->start(); !status.ok())
        return status;
    session->next_ = sessions_;
    sessions_ = session.get();
    return session.release();
}

Ref<Session> Session::find(const kshim_file *file) {
    for (Session *at = sessions_; at; at = at->next_)
        if (kshim_file_same(at->file_, file) && at->refs_.get_unless_zero())
            return Ref<Session>::adopt(at);
    return {};
}

Status Session::start() {
    cred_ = kshim_cred_get_current();
    pid_ns_ = kshim_pid_ns_get_current();
    limit_ = kshim_file_limit();
    realtime_offset_ = kshim_realtime_offset_ns();
    KTR_TRY(make_rings());
    writer_ = make<Writer>(*this);
    if (!writer_)
        return Status::error(kEnomem);
    KTR_TRY(writer_->init());
    return Status(kshim_worker_start(Writer::main, writer_, cred_, &worker_));
}

Status Session::make_rings() {
    const unsigned int possible = possible_cpus();
    const uint64_t bytes = bytes_per_ring(possible);
    cpus_ = kshim_cpu_limit();
    rings_ = static_cast<Ring **>(kshim_alloc(cpus_ * sizeof(Ring *)));
    ring_memory_ = static_cast<std::byte *>(kshim_alloc_pages(possible * bytes));
    if (!rings_ || !ring_memory_)
        return Status::error(kEnomem);
    std::byte *memory = ring_memory_;
    for (unsigned int cpu = 0; cpu < cpus_; cpu++) {
        if (!kshim_cpu_possible(cpu))
            continue;
        rings_[cpu] = make<Ring>(memory, bytes);
        if (!rings_[cpu])
            return Status::error(kEnomem);
        memory += bytes;
    }
    return {};
}

void Session::put() {
    if (!refs_.put())
        return;
    RcuReader reader; // keeps the worker until the kick is over
    closing_.store(true, std::memory_order_seq_cst);
    kshim_worker_kick(worker_);
}

// The writer's farewell. Context: may sleep.
void Session::unlist() {
    ControlLock lock;
    Session **link = &sessions_;
    while (*link != this)
        link = &(*link)->next_;
    *link = next_;
}

void Session::committed(const Ring &ring) {
    // seq_cst: the writer stores idle_, then looks at the rings' heads; we have moved the head,
    // then look at idle_. One of us sees the other.
    if (idle_.load(std::memory_order_seq_cst)) {
        if (idle_.exchange(false, std::memory_order_seq_cst))
            kshim_worker_kick(worker_);
    } else if (!ring.under_half() && !urgent_.load(std::memory_order_relaxed)) {
        kick_now();
    }
}

void Session::kick_now() {
    urgent_.store(true, std::memory_order_seq_cst);
    kshim_worker_kick(worker_);
}

// Waits as long as the writer makes progress. A writer that hangs (a dead network file system,
// a file served by the traced process itself) holds up one thread once, and no other.
template <typename Done> void Session::wait(Done &done, bool killable) {
    const unsigned int ms = ktrace_settings.wait_ms;
    if (done() || ms == 0 || stalled_.load(std::memory_order_relaxed))
        return;
    count_wait();
    for (;;) {
        const uint32_t progress = progress_.load(std::memory_order_relaxed);
        kick_now();
        const auto call = [](void *arg) { return (*static_cast<Done *>(arg))(); };
        const int result = kshim_worker_wait(worker_, call, &done, ms, killable);
        if (result != -kEtimedout)
            return;
        if (progress_.load(std::memory_order_relaxed) == progress) {
            stalled_.store(true, std::memory_order_relaxed);
            timeouts_.fetch_add(1, std::memory_order_relaxed);
            return;
        }
    }
}

// seq_cst: a pass that has not begun yet looks at the rings after we have looked at the number.
void Session::wait_written() {
    const uint64_t next = begun_.load(std::memory_order_seq_cst) + 1;
    auto done = [this, next] { return is_done(next); };
    wait(done, /*killable=*/false);
}

void Session::wait_room() {
    auto done = [this] { return rings_under_half() || failed(); };
    wait(done, /*killable=*/true);
}

bool Session::rings_under_half() const {
    return std::all_of(rings_, rings_ + cpus_, [](const Ring *ring) { return !ring || ring->under_half(); });
}

bool Session::rings_empty() const {
    return std::all_of(rings_, rings_ + cpus_, [](const Ring *ring) { return !ring || ring->empty(); });
}

void Session::read_stats(ktrace_stats *ret) const {
    ret->records = records_.load(std::memory_order_relaxed);
    ret->bytes = bytes_.load(std::memory_order_relaxed);
    ret->waits = waits_.load(std::memory_order_relaxed);
    ret->timeouts = timeouts_.load(std::memory_order_relaxed);
    for (uint32_t type = 0; type < KTR_NTYPES; type++)
        ret->lost[type] = lost_[type].load(std::memory_order_relaxed);
}

} // namespace ktr
