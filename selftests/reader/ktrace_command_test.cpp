// SPDX-License-Identifier: GPL-2.0-only
//
// ktrace(1): which calls of ktrace(2) each command line makes, and what becomes of the
// trace file.

#include "fake_ktrace.hpp"
#include "files.hpp"
#include "options.hpp"
#include "trace.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <sys/ktrace.h>
#include <sys/stat.h>
#include <sys/wait.h>

namespace ktools::test {

namespace {

constexpr uint32_t kDefaults = 0x783be;
constexpr uint32_t kAll = 0x7ffffe; // what -c without letters clears (FreeBSD: the defaults, so some stay)
// Always recorded beside what is asked for: PROCCTOR, PROCDTOR, LOST.
constexpr uint32_t kAlways = 0x100c00;
constexpr uint32_t kV1 = 0x01000000;

class ktrace_command : public testing::Test {
  protected:
    void SetUp() override {
        fake().reset();
        file_ = folder_.path("F");
    }

    static FakeKtrace &fake() { return FakeKtrace::instance(); }

    // Runs main() without its last step; "F" stands for the trace file.
    int ktrace(std::vector<std::string> words) {
        words.insert(words.begin(), "ktrace");
        std::vector<char *> argv;
        for (std::string &word : words) {
            if (word == "F")
                word = file_;
            argv.push_back(word.data());
        }
        argv.push_back(nullptr);
        optind = 0; // of getopt: from the start
        testing::internal::CaptureStderr();
        const Options options = parse_options(static_cast<int>(words.size()), argv.data());
        if (options.action == Action::Fail)
            print_usage(false);
        const int status = options.action == Action::Fail ? 2 : run(options);
        err_ = testing::internal::GetCapturedStderr();
        return status;
    }

    void expect_call(const KtraceCall &expected) {
        ASSERT_GE(fake().calls.size(), 1u);
        const KtraceCall &call = fake().calls[0];
        EXPECT_EQ(call.file, expected.file);
        EXPECT_EQ(call.ops, expected.ops);
        EXPECT_EQ(call.points, expected.points) << std::hex << call.points;
        EXPECT_EQ(call.pid, expected.pid);
    }

    [[nodiscard]] bool exists() const { return std::filesystem::exists(file_); }

    TemporaryFolder folder_;
    std::string file_;
    std::string err_;
};

// ---- the vectors of FreeBSD's ktrace(1), with our own version and LOST bits -------------

TEST_F(ktrace_command, command_with_inherit_and_letters) {
    EXPECT_EQ(ktrace({"-i", "-t", "cn", "-f", "F", "/nonexistent/command"}), 1);
    expect_call({file_, 0, 0x40000c0e | kAlways | kV1, getpid()});
}

TEST_F(ktrace_command, clear_all) {
    EXPECT_EQ(ktrace({"-C"}), 0);
    expect_call({"ktrace.out", 5, 0x7ffffe, 1});
    EXPECT_EQ(fake().calls.size(), 1u);
}

TEST_F(ktrace_command, clear_file) {
    EXPECT_EQ(ktrace({"-c", "-f", "F"}), 0);
    expect_call({file_, 2, kAll, 0});
    EXPECT_FALSE(exists());
}

TEST_F(ktrace_command, clear_process) {
    EXPECT_EQ(ktrace({"-cp", "65"}), 0);
    expect_call({"ktrace.out", 1, kAll, 65});
}

TEST_F(ktrace_command, clear_with_inherit) {
    EXPECT_EQ(ktrace({"-cip", "65"}), 0);
    expect_call({"ktrace.out", 1, kAll | KTRFAC_INHERIT, 65});
}

TEST_F(ktrace_command, group_with_inherit_and_descend) {
    EXPECT_EQ(ktrace({"-f", "F", "-idg", "15"}), 0);
    expect_call({file_, 4, 0x40078fbe | kAlways | kV1, -15});
}

TEST_F(ktrace_command, clear_some_of_process_and_children) {
    EXPECT_EQ(ktrace({"-t", "s", "-cdp", "70"}), 0);
    expect_call({"ktrace.out", 5, 0x20, 70});
}

TEST_F(ktrace_command, process_with_letters) {
    EXPECT_EQ(ktrace({"-f", "F", "-ti", "-p", "67"}), 0);
    expect_call({file_, 0, 0xc10 | kAlways | kV1, 67});
}

TEST_F(ktrace_command, classic_records) {
    EXPECT_EQ(ktrace({"-v", "0", "-f", "F", "-p", "67"}), 0);
    expect_call({file_, 0, kDefaults | kAlways, 67});
    EXPECT_EQ(ktrace({"-v0", "-v1", "-f", "F", "-p", "67"}), 0);
    EXPECT_EQ(fake().calls[1].points, kDefaults | kAlways | kV1);
}

TEST_F(ktrace_command, letters_taken_away) {
    EXPECT_EQ(ktrace({"-t", "-i", "-f", "F", "-p", "67"}), 0);
    expect_call({file_, 0, (kDefaults & ~uint32_t{KTRFAC_GENIO}) | kAlways | kV1, 67});
}

TEST_F(ktrace_command, every_letter_alone) {
    const std::pair<const char *, uint32_t> letters[] = {
        {"c", 0x6},     {"n", 0x8},     {"i", 0x10},     {"s", 0x20},     {"w", 0x40},      {"u", 0x80},
        {"t", 0x8100},  {"y", 0x200},   {"p", 0x1000},   {"f", 0x6000},   {"a", 0x10000},   {"e", 0x20000},
        {"x", 0x40000}, {"E", 0x80000}, {"U", 0x200000}, {"k", 0x400000}, {"+", kDefaults},
    };
    for (const auto &[letter, points] : letters) {
        fake().reset();
        EXPECT_EQ(ktrace({"-c", "-p", "1", "-t", letter}), 0);
        expect_call({"ktrace.out", 1, points, 1});
    }
}

// ---- the command ------------------------------------------------------------------------

TEST_F(ktrace_command, options_after_the_command_are_its_own) {
    const pid_t child = fork();
    if (child == 0)
        _exit(ktrace({"-f", "F", "sh", "-c", "exit $1", "-a", "7"}));
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 7);
    EXPECT_TRUE(exists());
}

TEST_F(ktrace_command, command_that_is_not_there_leaves_nothing_traced) {
    EXPECT_EQ(ktrace({"-f", "F", "/nonexistent/command"}), 1);
    EXPECT_EQ(err_, "ktrace: exec of '/nonexistent/command' failed: No such file or directory\n");
    ASSERT_EQ(fake().calls.size(), 2u);
    EXPECT_EQ(fake().calls[1], (KtraceCall{"NULL", KTROP_CLEAR, 0x7ffffe, getpid()}));
}

// ---- the trace file ---------------------------------------------------------------------

TEST_F(ktrace_command, file_is_new_and_private) {
    folder_.write("F", "old");
    EXPECT_EQ(ktrace({"-f", "F", "-p", "67"}), 0);
    struct stat status {};
    ASSERT_EQ(stat(file_.c_str(), &status), 0);
    EXPECT_EQ(status.st_size, 0);
    EXPECT_EQ(status.st_mode, S_IFREG | 0600u);
}

TEST_F(ktrace_command, appended_file_is_kept) {
    folder_.write("F", "old");
    EXPECT_EQ(ktrace({"-a", "-f", "F", "-p", "67"}), 0);
    EXPECT_EQ(std::filesystem::file_size(file_), 3u);
}

TEST_F(ktrace_command, append_makes_what_is_not_there) {
    EXPECT_EQ(ktrace({"-a", "-f", "F", "-p", "67"}), 0);
    EXPECT_TRUE(exists());
}

TEST_F(ktrace_command, append_refuses_what_is_no_file) {
    std::filesystem::create_directory(file_);
    EXPECT_EQ(ktrace({"-a", "-f", "F", "-p", "67"}), 1);
    EXPECT_EQ(err_, "ktrace: " + file_ + ": Is a directory\n");
    EXPECT_EQ(ktrace({"-a", "-f", "/dev/null", "-p", "67"}), 1);
    EXPECT_EQ(err_, "ktrace: /dev/null: not a regular file\n");
    EXPECT_TRUE(fake().calls.empty());
}

TEST_F(ktrace_command, append_refuses_the_file_of_another) {
    if (getuid() != 0)
        GTEST_SKIP() << "only root can give a file away";
    folder_.write("F", "");
    ASSERT_EQ(chown(file_.c_str(), 65534, 65534), 0);
    EXPECT_EQ(ktrace({"-a", "-f", "F", "-p", "67"}), 1);
    EXPECT_EQ(err_, "ktrace: " + file_ + ": not yours: refusing to append\n");
}

TEST_F(ktrace_command, append_refuses_a_link) {
    folder_.write("other", "old");
    std::filesystem::create_symlink("other", file_);
    EXPECT_EQ(ktrace({"-a", "-f", "F", "-p", "67"}), 1);
    EXPECT_TRUE(fake().calls.empty());
}

TEST_F(ktrace_command, device_is_not_deleted) {
    ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
    EXPECT_EQ(ktrace({"-f", "F", "-p", "67"}), 1);
    EXPECT_EQ(err_, "ktrace: " + file_ + ": not a regular file\n");
    EXPECT_TRUE(exists());
}

TEST_F(ktrace_command, link_is_replaced_not_followed) {
    folder_.write("other", "old");
    std::filesystem::create_symlink("other", file_);
    EXPECT_EQ(ktrace({"-f", "F", "-p", "67"}), 0);
    EXPECT_FALSE(std::filesystem::is_symlink(file_));
    EXPECT_EQ(std::filesystem::file_size(folder_.path("other")), 3u);
}

TEST_F(ktrace_command, file_of_a_failure_is_removed) {
    fake().set_error = ESRCH;
    EXPECT_EQ(ktrace({"-f", "F", "-p", "67"}), 1);
    EXPECT_EQ(err_, "ktrace: process 67: No such process\n");
    EXPECT_FALSE(exists());
}

TEST_F(ktrace_command, appended_file_survives_a_failure) {
    folder_.write("F", "old");
    fake().set_error = EPERM;
    EXPECT_EQ(ktrace({"-a", "-f", "F", "-g", "67"}), 1);
    EXPECT_EQ(err_, "ktrace: process group 67: Operation not permitted\n");
    EXPECT_EQ(std::filesystem::file_size(file_), 3u);
}

TEST_F(ktrace_command, failure_about_the_file_names_it) {
    fake().set_error = EROFS;
    EXPECT_EQ(ktrace({"-f", "F", "true"}), 1);
    EXPECT_EQ(err_, "ktrace: " + file_ + ": Read-only file system\n");
}

TEST_F(ktrace_command, absent_module_is_explained_and_nothing_is_deleted) {
    folder_.write("F", "old");
    fake().is_loaded = false;
    const std::string expected = "ktrace: the ktrace module is not loaded; load it with \"modprobe ktrace\" "
                                 "(or \"insmod ktrace.ko\") as root\n";
    EXPECT_EQ(ktrace({"-f", "F", "true"}), 1);
    EXPECT_EQ(err_, expected);
    EXPECT_EQ(ktrace({"-C"}), 1);
    EXPECT_EQ(err_, expected);
    EXPECT_EQ(std::filesystem::file_size(file_), 3u);
}

// ---- usage errors -----------------------------------------------------------------------

TEST_F(ktrace_command, mistakes) {
    const std::pair<std::vector<std::string>, std::string> mistakes[] = {
        {{}, "ktrace: nothing to trace: no command, no -p, no -g\n"},
        {{"-i"}, "ktrace: nothing to trace: no command, no -p, no -g\n"},
        {{"-p", "0"}, "ktrace: not a process or group id: '0'\n"},
        {{"-p", "-5"}, "ktrace: not a process or group id: '-5'\n"},
        {{"-p", " 5"}, "ktrace: not a process or group id: ' 5'\n"},
        {{"-p", "5x"}, "ktrace: not a process or group id: '5x'\n"},
        {{"-p", ""}, "ktrace: not a process or group id: ''\n"},
        {{"-g", "2147483648"}, "ktrace: not a process or group id: '2147483648'\n"},
        {{"-g", "99999999999999999999"}, "ktrace: not a process or group id: '99999999999999999999'\n"},
        {{"-p", "5", "-g", "6"}, "ktrace: only one -p or -g\n"},
        {{"-p", "5", "true"}, "ktrace: -p and -g go without a command\n"},
        {{"-c", "true"}, "ktrace: -c and -C go without a command\n"},
        {{"-C", "-p", "5"}, "ktrace: -C goes without -p and -g\n"},
        {{"-t", "cq", "true"}, "ktrace: unknown facility in 'cq'\n"},
        {{"-t", "", "true"}, "ktrace: unknown facility in ''\n"},
        {{"-t", "c-c", "true"}, "ktrace: no facility is left to trace\n"},
        {{"-v", "2", "true"}, "ktrace: not a record version (0 or 1): '2'\n"},
        {{"-v", "1x", "true"}, "ktrace: not a record version (0 or 1): '1x'\n"},
    };
    for (const auto &[words, message] : mistakes) {
        EXPECT_EQ(ktrace(words), 2);
        EXPECT_EQ(err_.substr(0, message.size()), message);
        EXPECT_EQ(err_.substr(message.size(), 13), "usage: ktrace");
    }
    EXPECT_EQ(ktrace({"-Z"}), 2);
    EXPECT_TRUE(fake().calls.empty());
}

} // namespace

} // namespace ktools::test
