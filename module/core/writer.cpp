// SPDX-License-Identifier: GPL-2.0-only
// Rings to file; the contract is in writer.hpp.
#include "writer.hpp"

#include <algorithm>
#include <cstring>

#include "file_record.hpp"
#include "session.hpp"

#include "base/poison.hpp"

namespace ktr {

static_assert(Writer::kBufferBytes >= kMaxFileRecord);

Writer::~Writer() {
    kshim_free(ends_);
    kshim_free_pages(buffer_);
}

Status Writer::init() {
    ends_ = static_cast<uint64_t *>(kshim_alloc(session_.cpus_ * sizeof(uint64_t)));
    buffer_ = static_cast<std::byte *>(kshim_alloc_pages(kBufferBytes));
    return ends_ && buffer_ ? Status() : Status::error(kEnomem);
}

void Writer::main(void *arg) {
    Writer *writer = static_cast<Writer *>(arg);
    Session *session = &writer->session_;
    writer->run();
    session->unlist();
    kshim_synchronize_rcu(); // whoever set closing_ has left Session::put()
    destroy(session);
}

void Writer::run() {
    // closing_ before the pass: what was committed by then is in it.
    for (bool last = false; !last;) {
        last = session_.closing_.load(std::memory_order_seq_cst);
        session_.urgent_.store(false, std::memory_order_seq_cst);
        pass();
        if (!last)
            sleep();
    }
}

void Writer::sleep() {
    if (session_.urgent_.load(std::memory_order_seq_cst))
        return;
    if (session_.rings_empty()) {
        session_.idle_.store(true, std::memory_order_seq_cst); // pairs with Session::committed()
        if (session_.rings_empty() && !session_.closing_.load(std::memory_order_seq_cst) &&
            !session_.urgent_.load(std::memory_order_seq_cst))
            kshim_worker_sleep(session_.worker_, 0);
        session_.idle_.store(false, std::memory_order_seq_cst);
    }
    if (!session_.urgent_.load(std::memory_order_seq_cst) &&
        !session_.closing_.load(std::memory_order_seq_cst))
        kshim_worker_sleep(session_.worker_, kLingerMs);
}

void Writer::pass() {
    const uint64_t number = session_.begun_.fetch_add(1, std::memory_order_seq_cst) + 1;
    Epilogue *epilogues =
        session_.epilogues_.take(); // what they come after is committed, and before the mark
    const uint64_t mark = kshim_clock_ns();
    std::atomic_thread_fence(std::memory_order_seq_cst); // the clock before the heads
    if (!snapshot()) {
        put_back(epilogues);
        return;
    }
    const Entry *entry = nullptr;
    while (Ring *ring = earliest(mark, &entry)) {
        write_entry(*entry);
        ring->pop(*entry);
    }
    write_epilogues(epilogues, mark);
    flush();
    session_.done_.store(session_.failed() ? UINT64_MAX : number, std::memory_order_release);
    kshim_worker_notify(session_.worker_);
}

// Notes how far each ring goes and waits until that much is filled. Producers have preemption
// off, so that is a matter of microseconds; under a hypervisor that took their processor away
// it is not, and the pass is put off.
bool Writer::snapshot() {
    for (unsigned int cpu = 0; cpu < session_.cpus_; cpu++)
        if (const Ring *ring = session_.rings_[cpu])
            ends_[cpu] = ring->head();
    for (unsigned int cpu = 0; cpu < session_.cpus_; cpu++) {
        const Ring *ring = session_.rings_[cpu];
        for (unsigned int spins = 0; ring && !ring->committed_to(ends_[cpu]); spins++) {
            if (spins == 10000) {
                session_.urgent_.store(true, std::memory_order_relaxed);
                kshim_worker_sleep(session_.worker_, 1);
                return false;
            }
            kshim_cpu_relax();
        }
    }
    return true;
}

// The ring whose next entry is the earliest of all, and not later than the mark.
Ring *Writer::earliest(uint64_t mark, const Entry **ret) {
    Ring *best = nullptr;
    uint64_t best_time = mark;
    for (unsigned int cpu = 0; cpu < session_.cpus_; cpu++) {
        Ring *ring = session_.rings_[cpu];
        const Entry *entry = ring ? ring->front(ends_[cpu]) : nullptr;
        if (entry && (entry->time < best_time || (!best && entry->time == best_time))) {
            best = ring;
            best_time = entry->time;
            *ret = entry;
        }
    }
    return best;
}

void Writer::write_epilogues(Epilogue *first, uint64_t mark) {
    while (Epilogue *epilogue = first) {
        first = epilogue->next;
        epilogue->entry.time = mark;
        write_entry(epilogue->entry);
        destroy(epilogue);
    }
}

void Writer::put_back(Epilogue *first) {
    while (Epilogue *epilogue = first) {
        first = epilogue->next;
        session_.leave(epilogue);
    }
}

void Writer::write_entry(const Entry &entry) {
    if (session_.failed())
        return;
    const size_t size = file_record_size(entry);
    if (used_ + size > kBufferBytes)
        flush();
    // An interrupt inside another reservation has the later place and the earlier time.
    last_time_ = std::max(last_time_, entry.time);
    const int64_t when = static_cast<int64_t>(last_time_) + session_.realtime_offset_;
    put_file_record(buffer_ + used_, entry, static_cast<uint64_t>(std::max<int64_t>(when, 0)));
    used_ += size;
    count_++;
}

void Writer::flush() {
    if (used_ == 0 || session_.failed())
        return;
    const size_t allowed = within_limit(used_);
    const int64_t result = allowed ? kshim_file_write(session_.file_, buffer_, allowed) : 0;
    const size_t written = result > 0 ? static_cast<size_t>(result) : 0;
    session_.bytes_.fetch_add(written, std::memory_order_relaxed);
    session_.progress_.fetch_add(1, std::memory_order_relaxed);
    if (written == used_) {
        session_.records_.fetch_add(count_, std::memory_order_relaxed);
        session_.stalled_.store(false, std::memory_order_relaxed);
    } else {
        cut_partial(written, whole_records(written));
        fail(result < 0 ? static_cast<int>(-result) : allowed < used_ ? kEfbig : kEnospc);
    }
    used_ = 0;
    count_ = 0;
}

// The kernel does not apply RLIMIT_FSIZE to kernel_write(): how many bytes, in whole records, still fit.
size_t Writer::within_limit(size_t bytes) const {
    if (session_.limit_ == UINT64_MAX || !kshim_file_is_regular(session_.file_))
        return bytes;
    const uint64_t size = static_cast<uint64_t>(kshim_file_size(session_.file_));
    const uint64_t left = session_.limit_ > size ? session_.limit_ - size : 0;
    return left >= bytes ? bytes : whole_records(static_cast<size_t>(left));
}

// The greatest number of the buffer's first bytes, not over `bytes`, that ends on a record boundary.
size_t Writer::whole_records(size_t bytes) const {
    size_t whole = 0;
    while (whole < used_) {
        const size_t next = whole + file_record_at(buffer_ + whole);
        if (next > bytes)
            break;
        whole = next;
    }
    return whole;
}

void Writer::cut_partial(size_t written, size_t whole) {
    for (size_t at = 0; at < whole; at += file_record_at(buffer_ + at))
        session_.records_.fetch_add(1, std::memory_order_relaxed);
    session_.bytes_.fetch_sub(written - whole, std::memory_order_relaxed);
    if (written == whole || !kshim_file_is_regular(session_.file_))
        return;
    const int64_t size = kshim_file_size(session_.file_);
    kshim_file_truncate(session_.file_, size - static_cast<int64_t>(written - whole));
}

// Probes see failed_ and record nothing more; the reaper takes the targets away.
void Writer::fail(int error) {
    session_.failed_.store(true, std::memory_order_seq_cst);
    kshim_file_log_stopped(session_.file_, error);
    kshim_schedule_reap();
}

} // namespace ktr
