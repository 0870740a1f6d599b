// SPDX-License-Identifier: GPL-2.0-only
//
// Bytes of the traced program as text that is safe on a terminal.

#include "text.hpp"

#include <algorithm>

namespace ktools {

namespace {

bool is_printable(char byte) { return byte >= ' ' && byte <= '~'; }
bool is_octal_digit(char byte) { return byte >= '0' && byte <= '7'; }

// The letter after the backslash, or NUL when C has none.
char escape_letter(char byte) {
    switch (byte) {
    case '\a':
        return 'a';
    case '\b':
        return 'b';
    case '\t':
        return 't';
    case '\n':
        return 'n';
    case '\v':
        return 'v';
    case '\f':
        return 'f';
    case '\r':
        return 'r';
    default:
        return '\0';
    }
}

// One byte as printed, with room for \ooo.
struct Shown {
    char bytes[4];
    uint8_t size;

    [[nodiscard]] std::string_view text() const { return {bytes, size}; }
};

Shown octal(char byte) {
    const auto value = static_cast<uint8_t>(byte);
    return {{'\\', static_cast<char>('0' + (value >> 6)), static_cast<char>('0' + ((value >> 3) & 7)),
             static_cast<char>('0' + (value & 7))},
            4};
}

Shown show(char byte) {
    if (byte == '\\')
        return {{'\\', '\\'}, 2};
    if (is_printable(byte))
        return {{byte}, 1};
    if (const char letter = escape_letter(byte))
        return {{'\\', letter}, 2};
    return octal(byte);
}

// In the text of GENIO tabs stay, and a NUL is as short as what follows allows.
Shown show_in_text(char byte, char following) {
    if (byte == '\t')
        return {{byte}, 1};
    if (byte == '\0' && !is_octal_digit(following))
        return {{'\\', '0'}, 2};
    return show(byte);
}

bool is_text(std::string_view data) {
    return std::all_of(data.begin(), data.end(), [](char byte) {
        return is_printable(byte) || byte == '\n' || byte == '\r' || byte == '\0' || byte == '\t';
    });
}

constexpr std::string_view kIndent = "       ";
constexpr size_t kTab = 8;

// Lines of text in quotes. A newline in the data ends a line; a longer line than the
// screen is folded with a backslash. Lines but the first begin with a tab.
class TextLines {
  public:
    TextLines(Output &out, size_t screen_width) : out_(out), last_column_(screen_width - 2) {}

    void put(std::string_view data) {
        out_.put(kIndent);
        out_.put('"');
        for (size_t at = 0; at < data.size(); ++at)
            put_byte(data[at], at + 1 < data.size() ? data[at + 1] : '\0');
        if (at_line_start_)
            out_.put(kIndent);
        out_.put("\"\n");
    }

  private:
    void put_byte(char byte, char following) {
        if (at_line_start_)
            start_line("\t");
        if (byte == '\n') {
            out_.put('\n');
            at_line_start_ = true;
            return;
        }
        const Shown shown = show_in_text(byte, following);
        const size_t width = byte == '\t' ? kTab - column_ % kTab : shown.size;
        if (column_ + width > last_column_)
            start_line("\\\n\t");
        column_ += width;
        out_.put(shown.text());
    }

    void start_line(std::string_view lead) {
        out_.put(lead);
        column_ = kTab;
        at_line_start_ = false;
    }

    Output &out_;
    size_t last_column_;
    size_t column_ = kTab;
    bool at_line_start_ = false;
};

// As many bytes to a line as leave the line shorter than the screen: an even number. Each
// pair takes 4 digits, a space and 2 characters beside 18 columns of frame.
size_t dump_width(size_t screen_width) {
    constexpr size_t kFrame = 18;
    constexpr size_t kPair = 7;
    return screen_width <= kFrame + kPair ? 2 : (screen_width - kFrame - 1) / kPair * 2;
}

void put_dump_line(Output &out, std::string_view data, size_t offset, size_t width) {
    const std::string_view line = data.substr(offset, width);
    out.print("{}0x{:04x}", kIndent, offset);
    for (size_t at = 0; at < width; ++at) {
        if (at % 2 == 0)
            out.put(' ');
        if (at < line.size())
            out.print("{:02x}", static_cast<uint8_t>(line[at]));
        else
            out.put("  ");
    }
    out.put("  |");
    for (const char byte : line)
        out.put(is_printable(byte) ? byte : '.');
    out.put("|\n");
}

} // namespace

void put_quoted(Output &out, std::string_view text) {
    out.put('"');
    for (const char byte : text) {
        if (byte == '"')
            out.put('\\');
        out.put(show(byte).text());
    }
    out.put('"');
}

size_t put_escaped(Output &out, std::string_view text) {
    size_t columns = 0;
    for (const char byte : text) {
        const Shown shown = show(byte);
        out.put(shown.text());
        columns += shown.size;
    }
    return columns;
}

void put_dump(Output &out, std::string_view data, size_t screen_width) {
    const size_t width = dump_width(screen_width);
    for (size_t offset = 0; offset < data.size(); offset += width)
        put_dump_line(out, data, offset, width);
    if (data.size() % width != 0)
        out.put('\n');
}

void put_data(Output &out, Bytes data, size_t screen_width) {
    const std::string_view bytes = as_text(data);
    if (is_text(bytes))
        TextLines(out, screen_width).put(bytes);
    else
        put_dump(out, bytes, screen_width);
}

} // namespace ktools
