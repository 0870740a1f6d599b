// SPDX-License-Identifier: GPL-2.0-only
// The writer of one session: a kernel thread that merges the rings by time, makes the records
// of the file from their entries, and appends them in large pieces.
//
// A pass writes everything up to its mark, the time at which it began: once the clock is read,
// no processor can place an earlier entry (ring.hpp, "Order"). Between passes it sleeps: until
// the first record when the rings are empty, then kLingerMs to let more gather, and not at all
// while somebody waits for it or a ring is half full.
//
// A piece of the file always ends on a record boundary. On an error (ENOSPC, EIO, EFBIG ...)
// the part of a record that got into the file is cut off again, and tracing to it ends.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/status.hpp"
#include "ring.hpp"

namespace ktr {

class Session;
struct Epilogue;

class Writer : NoCopy {
  public:
    explicit Writer(Session &session) : session_(session) {}
    ~Writer();
    Status init();

    // Body of the kernel thread; frees the session, and with it this writer, at the end.
    static void main(void *writer);

    static constexpr unsigned int kLingerMs = 50;
    static constexpr size_t kBufferBytes = 256 * 1024;

  private:
    void run();
    void sleep();
    void pass();
    bool snapshot();
    Ring *earliest(uint64_t mark, const Entry **ret);
    void write_epilogues(Epilogue *first, uint64_t mark);
    void put_back(Epilogue *first);
    void write_entry(const Entry &entry);
    void flush();
    size_t within_limit(size_t bytes) const;
    size_t whole_records(size_t bytes) const;
    void cut_partial(size_t written, size_t whole);
    void fail(int error);

    Session &session_;
    uint64_t *ends_ = nullptr;    // by processor: how far this pass reads the ring
    std::byte *buffer_ = nullptr; // records on their way to the file
    size_t used_ = 0;             // bytes of them
    uint64_t count_ = 0;          // records of them
    uint64_t last_time_ = 0;      // of the record written last
};

} // namespace ktr
