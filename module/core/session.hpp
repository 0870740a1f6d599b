// SPDX-License-Identifier: GPL-2.0-only
// A session: one trace file, with its rings, its writer and the rights of who asked for it.
//
// Life. control.cpp makes a session for the first target that traces to a file; each target
// holds a reference, and so does whoever waits for it. When the last is given back the writer
// drains what is left, takes the session out of the list, and frees it:
//
//   put() of the last reference   no target points here, and a grace period has passed since
//                                 one did (targets are freed by RCU), so no probe is in a ring
//   -> closing_, kick             inside an RCU read section, the last touch by others
//   -> writer: last pass          everything committed is in the file
//   -> writer: leave the list     under the control mutex; lookups fail on the count of zero before
//   -> writer: synchronize_rcu    the kick above has returned
//   -> free
#pragma once

#include <atomic>
#include <cstdint>

#include "../../uapi/ktrace.h"
#include "base/owned.hpp"
#include "base/status.hpp"
#include "epilogue.hpp"
#include "ring.hpp"

namespace ktr {

class Writer;

class Session : NoCopy {
  public:
    // The running session of the caller's user on the file, or a new one. Takes over `file` in
    // either case. Context: may sleep, control mutex held.
    static Result<Session *> join_or_create(kshim_file *file);

    // The first session on the file's inode that is not closing, or none.
    // Context: may sleep, control mutex held.
    static Ref<Session> find(const kshim_file *file);

    void get() { refs_.get(); }
    [[nodiscard]] bool try_get() { return refs_.get_unless_zero(); }
    void put();

    // --- probes ---

    // Ring of the processor that the caller is on.
    Ring &ring(unsigned int cpu) { return *rings_[cpu]; }
    // To be called after a commit: wakes the writer if it is time. Context: any.
    void committed(const Ring &ring);
    // For the writer to write after what is committed now. Context: any.
    void leave(Epilogue *epilogue) {
        epilogues_.add(epilogue);
        kick_now();
    }
    // The file cannot be written any more; nothing is recorded.
    bool failed() const { return failed_.load(std::memory_order_relaxed); }

    // --- threads that wait, may sleep ---

    // Returns when every record committed before the call is in the file, or the writer has
    // made no progress for kern.ktrace.wait_ms, or the file has failed.
    void wait_written();
    // Returns when the ring of every processor is less than half full, likewise, or when the
    // thread is being killed.
    void wait_room();

    const kshim_file *file() const { return file_; }
    const kshim_cred *cred() const { return cred_; }
    kshim_pid_ns *pid_ns() const { return pid_ns_; }

    void count_lost(uint32_t type) { lost_[type].fetch_add(1, std::memory_order_relaxed); }
    void count_wait() { waits_.fetch_add(1, std::memory_order_relaxed); }
    void read_stats(ktrace_stats *ret) const;

    // Bytes of rings of a session made now.
    static uint64_t ring_bytes();

  private:
    friend class Writer;
    template <typename T, typename... Args> friend T *make(Args &&...args);
    template <typename T> friend void destroy(T *object);

    explicit Session(kshim_file *file);
    ~Session();
    Status start();
    Status make_rings();
    bool joinable(const kshim_file *file, const kshim_cred *cred) const;
    void unlist();

    void kick_now();
    bool is_done(uint64_t pass) const { return done_.load(std::memory_order_acquire) >= pass; }
    bool rings_under_half() const;
    bool rings_empty() const;
    template <typename Done> void wait(Done &done, bool killable);

    RefCount refs_;

    // Constant after start().
    kshim_file *const file_;
    const kshim_cred *cred_ = nullptr; // of who asked for the trace
    kshim_pid_ns *pid_ns_ = nullptr;   // pids in the file are those of this namespace
    kshim_worker *worker_ = nullptr;
    Writer *writer_ = nullptr;
    Ring **rings_ = nullptr; // by processor; nullptr where none can be
    std::byte *ring_memory_ = nullptr;
    unsigned int cpus_ = 0;
    uint64_t limit_ = 0;          // RLIMIT_FSIZE of who asked
    int64_t realtime_offset_ = 0; // a file's clock does not step, so it never goes backwards

    // Between probes and the writer.
    Epilogues epilogues_;
    std::atomic<bool> idle_{false};   // the writer sleeps until the first record
    std::atomic<bool> urgent_{false}; // somebody waits: no batching
    std::atomic<bool> closing_{false};
    std::atomic<bool> failed_{false};

    // Between waiting threads and the writer.
    std::atomic<uint64_t> begun_{0};    // passes of the writer that have begun
    std::atomic<uint64_t> done_{0};     // the last pass whose records are in the file
    std::atomic<uint32_t> progress_{0}; // grows with each write
    std::atomic<bool> stalled_{false};  // somebody waited in vain; nobody else will, until progress

    // Counters.
    std::atomic<uint64_t> records_{0}, bytes_{0}, waits_{0}, timeouts_{0};
    std::atomic<uint64_t> lost_[KTR_NTYPES]{};

    // The list of sessions. KSHIM_LOCK_CONTROL.
    Session *next_ = nullptr;
    static constinit Session *sessions_;
};

} // namespace ktr
