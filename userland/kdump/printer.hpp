// SPDX-License-Identifier: GPL-2.0-only
//
// A record as kdump's lines: who and when, the label, and what print() makes of the rest.

#pragma once

#include "options.hpp"
#include "output.hpp"
#include "record.hpp"
#include "syscalls.hpp"

#include <optional>
#include <unordered_map>

namespace ktools {

class Printer {
  public:
    Printer(Output &out, const Options &options) : out_(out), options_(options) {}

    // Every record has to pass here, printed or not: some tell how to read others.
    void note(const RecordView &view, const Record &record);
    // Says so, once until a record is printed, if something was lost before this one.
    void announce_drop(const RecordView &view);
    void print_record(const RecordView &view, const Record &record);

  private:
    void put_process(const RecordView &view);
    void put_times(const RecordView &view);
    void put_label(const RecordView &view);
    void put_abi(std::optional<uint32_t> flags);
    void note_call(const RecordView &view, const SyscallRecord &call);
    [[nodiscard]] std::optional<uint32_t> abi_flags(const RecordView &view, const Record &record) const;

    Output &out_;
    const Options &options_;
    std::unordered_map<int32_t, uint32_t> process_abi_;  // sv_flags by process
    std::unordered_map<int64_t, uint32_t> foreign_call_; // ktr_abi of threads in a call of another ABI
    std::optional<Timestamp> first_;
    std::optional<Timestamp> previous_;
    bool drop_announced_ = false; // since the last record printed
};

} // namespace ktools
