// SPDX-License-Identifier: BSD-2-Clause
//
// Trace file -> RecordViews.

#include "reader.hpp"

#include "header.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>

namespace ktools {

namespace {

constexpr size_t kReadSize = size_t{256} << 10;

Error system_error(const std::string &file, int error) {
    return Error{file, std::nullopt, strerrordesc_np(error)};
}

} // namespace

Reader::Reader(UniqueFd fd, std::string name, Wait wait)
    : fd_(std::move(fd)), name_(std::move(name)), wait_(std::move(wait)), buffer_(kReadSize) {}

Result<Reader> Reader::open(const std::string &path) {
    if (path == "-")
        return Reader(UniqueFd(dup(STDIN_FILENO)), "standard input");
    UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd.valid())
        return system_error(path, errno);
    return Reader(std::move(fd), path);
}

Bytes Reader::available() const { return Bytes(buffer_).subspan(begin_, end_ - begin_); }

Error Reader::damage(std::string message) const { return Error{name_, offset_, std::move(message)}; }

Error Reader::not_a_record(std::string message) const {
    return damage((offset_ == 0 ? "not a ktrace file: " : "damaged record: ") + std::move(message));
}

Error Reader::cut_short(const char *what, size_t expected, size_t found) const {
    std::string text = std::string("cut short in a ") + what + ": expected " + std::to_string(expected) +
                       " bytes, found " + std::to_string(found);
    return found < kHeaderStart && offset_ == 0 ? not_a_record(std::move(text)) : damage(std::move(text));
}

// Moves what is left to the front only when the buffer's end is reached, so that each
// byte is moved once per buffer, not once per record.
void Reader::make_room(size_t wanted) {
    if (begin_ + wanted <= buffer_.size() && end_ < buffer_.size())
        return;
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (wanted > buffer_.size())
        buffer_.resize(wanted);
}

// Bytes that read(2) gave; 0 at the end of the file.
Result<size_t> Reader::read_more() {
    for (;;) {
        const ssize_t got = ::read(fd_.get(), buffer_.data() + end_, buffer_.size() - end_);
        if (got > 0) {
            end_ += static_cast<size_t>(got);
            return static_cast<size_t>(got);
        }
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return system_error(name_, errno);
        if (!wait_ || !wait_())
            return size_t{0};
    }
}

// How many of the wanted bytes are in the buffer now: fewer only at the end of the file.
Result<size_t> Reader::fill(size_t wanted) {
    while (end_ - begin_ < wanted) {
        make_room(wanted);
        Result<size_t> got = read_more();
        if (!got.ok())
            return got.error();
        if (got.value() == 0)
            break;
    }
    return std::min(wanted, end_ - begin_);
}

// The header of the record at begin_ in the buffer: its size, or 0 at the end of the file.
Result<size_t> Reader::fill_header() {
    Result<size_t> start = fill(kHeaderStart);
    if (!start.ok() || start.value() == 0)
        return start;
    if (start.value() < kHeaderStart)
        return cut_short("record header", sizeof(ktr_header), start.value());
    if (std::string message = implausibility(available(), kMaxPayload); !message.empty())
        return not_a_record(std::move(message));
    const size_t size = header_size(available());
    Result<size_t> whole = fill(size);
    if (!whole.ok())
        return whole;
    if (whole.value() < size)
        return cut_short("record header", size, whole.value());
    if (std::string message = implausibility(available(), kMaxPayload); !message.empty())
        return not_a_record(std::move(message));
    return size;
}

Result<const RecordView *> Reader::next() {
    begin_ += in_view_;
    offset_ += in_view_;
    in_view_ = 0;
    Result<size_t> head = fill_header();
    if (!head.ok())
        return head.error();
    if (head.value() == 0)
        return nullptr;
    const size_t payload = static_cast<size_t>(load<int32_t>(available()));
    Result<size_t> whole = fill(head.value() + payload);
    if (!whole.ok())
        return whole.error();
    if (whole.value() < head.value() + payload)
        return cut_short("record's payload", payload, whole.value() - head.value());
    in_view_ = whole.value();
    view_ = parse_header(available().first(head.value()));
    view_.offset = offset_;
    view_.payload = available().subspan(head.value(), payload);
    return &view_;
}

} // namespace ktools
