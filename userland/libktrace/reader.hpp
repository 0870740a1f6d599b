// SPDX-License-Identifier: BSD-2-Clause
//
// Trace file -> RecordViews.
//
//     fd --read(2)--> buffer_ [ done | the record given out | not yet looked at | free ]
//                                    begin_                                   end_
//
// Works on pipes as on files, holds no more than one record and one read in memory, and
// believes nothing: what cannot be a record is damage, and ends the reading with an Error
// that says where and what was expected.

#pragma once

#include "record.hpp"
#include "result.hpp"
#include "unique_fd.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ktools {

class Reader {
  public:
    // Longer records do not exist: the kernel writes at most 64 KiB at once.
    static constexpr size_t kMaxPayload = size_t{16} << 20;

    // Called at the end of the file: true to read on, as there may be more by now.
    using Wait = std::function<bool()>;

    // name is for messages.
    Reader(UniqueFd fd, std::string name, Wait wait = {});

    // path "-" is the standard input.
    static Result<Reader> open(const std::string &path);

    void set_wait(Wait wait) { wait_ = std::move(wait); }
    [[nodiscard]] int fd() const { return fd_.get(); }
    [[nodiscard]] const std::string &name() const { return name_; }

    // The next record, good until the next call; nullptr at the end of the file.
    Result<const RecordView *> next();

    // The Error for something wrong with the record that next() gave last.
    [[nodiscard]] Error damage(std::string message) const;

  private:
    Result<size_t> fill(size_t wanted);
    Result<size_t> fill_header();
    Result<size_t> read_more();
    void make_room(size_t wanted);
    [[nodiscard]] Bytes available() const;
    [[nodiscard]] Error not_a_record(std::string message) const;
    [[nodiscard]] Error cut_short(const char *what, size_t expected, size_t found) const;

    UniqueFd fd_;
    std::string name_;
    Wait wait_;
    std::vector<std::byte> buffer_;
    size_t begin_ = 0;    // of the record in view
    size_t end_ = 0;      // of the bytes read
    size_t in_view_ = 0;  // size of the record in view
    uint64_t offset_ = 0; // of begin_ in the file
    RecordView view_;
};

} // namespace ktools
