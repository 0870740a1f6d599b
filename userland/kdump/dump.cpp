// SPDX-License-Identifier: GPL-2.0-only
//
// The whole of kdump.

#include "dump.hpp"

#include "decoder.hpp"
#include "follow.hpp"
#include "printer.hpp"
#include "reader.hpp"

#include <optional>

namespace ktools {

namespace {

bool is_of_wanted_process(const Options &options, const RecordView &view) {
    return !options.id || view.pid == *options.id || view.tid == *options.id;
}

bool is_of_wanted_type(const Options &options, const RecordView &view) {
    constexpr uint32_t kBits = 32;
    if (view.type >= kBits)
        return options.all_points;
    return options.points & (1u << view.type);
}

// One record; true until the file ends.
Result<bool> dump_next(Reader &reader, Printer &printer, const Options &options) {
    Result<const RecordView *> next = reader.next();
    if (!next.ok())
        return next.error();
    if (!next.value())
        return false;
    const RecordView &view = *next.value();
    Result<Record> record = decode(view);
    if (!record.ok())
        return reader.damage(record.error().message);
    printer.note(view, record.value());
    if (!is_of_wanted_process(options, view))
        return true;
    printer.announce_drop(view); // whatever the type: any could have been lost
    if (is_of_wanted_type(options, view))
        printer.print_record(view, record.value());
    return true;
}

Result<uint64_t> dump_all(Reader &reader, Printer &printer, const Options &options, Output &out) {
    for (uint64_t count = 0;; ++count) {
        Result<bool> more = dump_next(reader, printer, options);
        if (!more.ok())
            return more.error();
        if (!more.value())
            return count;
        if (out.error())
            return Error{"standard output", std::nullopt, strerrordesc_np(out.error())};
    }
}

} // namespace

Result<uint64_t> dump(const Options &options, Output &out) {
    Result<Reader> opened = Reader::open(options.file);
    if (!opened.ok())
        return opened.error();
    Reader &reader = opened.value();
    std::optional<Follow> follow;
    if (options.follow) {
        follow.emplace(reader.fd());
        reader.set_wait([&] {
            out.flush();
            return follow->wait();
        });
    }
    Printer printer(out, options);
    Result<uint64_t> count = dump_all(reader, printer, options, out);
    out.flush();
    if (count.ok() && out.error())
        return Error{"standard output", std::nullopt, strerrordesc_np(out.error())};
    if (count.ok() && count.value() == 0)
        return Error{reader.name(), std::nullopt, "empty file, no records"};
    return count;
}

} // namespace ktools
