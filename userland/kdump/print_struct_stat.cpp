// SPDX-License-Identifier: GPL-2.0-only
//
// STRU: stat and its relatives, in FreeBSD's format.

#include "print_struct.hpp"

#include <ctime>
#include <grp.h>
#include <pwd.h>
#include <string>
#include <sys/stat.h>

namespace ktools {

namespace {

constexpr std::string_view kTypeLetters = "?pc?d?b?-?l?s???";

// As ls -l shows it, with a space for what may follow the permissions.
std::string mode_text(uint64_t mode) {
    std::string text = "?rwxrwxrwx ";
    text[0] = kTypeLetters[(mode & S_IFMT) >> 12];
    for (size_t i = 0; i < 9; ++i) {
        if (!(mode & (0400u >> i)))
            text[i + 1] = '-';
    }
    const auto special = [&](mode_t bit, size_t at, char set, char alone) {
        if (mode & bit)
            text[at] = text[at] == 'x' ? set : alone;
    };
    special(S_ISUID, 3, 's', 'S');
    special(S_ISGID, 6, 's', 'S');
    special(S_ISVTX, 9, 't', 'T');
    return text;
}

// One status, whatever its layout. Members that the oldest of them lacks are not printed.
class Status {
  public:
    Status(PrintContext context, std::string_view type, Bytes data)
        : context_(context), fields_(find_fields(type)), data_(data) {}

    void put_number(std::string_view name, std::string_view end = ", ") const {
        if (const Field *field = find(name)) {
            context_.out.print("{}=", name);
            put_field_value(context_, *field, *field->in(data_, context_.abi));
            context_.out.put(end);
        }
    }

    void put_mode() const {
        const uint64_t mode = number("mode");
        context_.out.put("mode=");
        if (context_.options.symbolic)
            context_.out.put(mode_text(mode));
        else
            context_.out.print("0{:o}", mode);
        context_.out.put(", ");
    }

    void put_owner() const {
        const auto uid = static_cast<uid_t>(number("uid"));
        const passwd *user = context_.options.symbolic ? getpwuid(uid) : nullptr;
        put_name("uid", user ? user->pw_name : nullptr);
        const auto gid = static_cast<gid_t>(number("gid"));
        const group *owners = context_.options.symbolic ? getgrgid(gid) : nullptr;
        put_name("gid", owners ? owners->gr_name : nullptr);
    }

    void put_time(std::string_view name, std::string_view fraction, std::string_view end = ", ") const {
        const auto seconds = static_cast<time_t>(number(name));
        context_.out.print("{}=", name);
        tm parts{};
        if (context_.options.symbolic && localtime_r(&seconds, &parts)) {
            char text[64];
            const size_t size = strftime(text, sizeof(text), "%b %e %T %Y", &parts);
            context_.out.print("\"{}\"", std::string_view(text, size));
        } else {
            context_.out.print("{}", seconds);
        }
        if (const uint64_t nanoseconds = number(fraction))
            context_.out.print(".{:09}", nanoseconds);
        context_.out.put(end);
    }

  private:
    [[nodiscard]] const Field *find(std::string_view name) const {
        for (const Field &field : fields_) {
            if (field.name == name && field.in(data_, context_.abi))
                return &field;
        }
        return nullptr;
    }

    [[nodiscard]] uint64_t number(std::string_view name) const {
        const Field *field = find(name);
        if (!field)
            return 0;
        const Bytes bytes = *field->in(data_, context_.abi);
        return field->format == FieldFormat::DEC ? static_cast<uint64_t>(load_signed(bytes))
                                                 : load_unsigned(bytes);
    }

    void put_name(std::string_view member, const char *name) const {
        if (name)
            context_.out.print("{}=\"{}\", ", member, name);
        else
            put_number(member);
    }

    PrintContext context_;
    Fields fields_;
    Bytes data_;
};

} // namespace

void put_stat(PrintContext context, std::string_view type, Bytes data) {
    const Status status(context, type, data);
    context.out.put("{");
    status.put_number("dev");
    status.put_number("ino");
    status.put_mode();
    status.put_number("nlink");
    status.put_owner();
    status.put_number("rdev");
    status.put_time("atime", "atime_nsec");
    status.put_time("mtime", "mtime_nsec");
    status.put_time("ctime", "ctime_nsec");
    status.put_number("size", type == "old_stat" ? "" : ", ");
    status.put_number("blksize");
    status.put_number("blocks", "");
    context.out.put(" }");
}

} // namespace ktools
