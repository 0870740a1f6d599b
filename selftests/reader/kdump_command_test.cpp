// SPDX-License-Identifier: GPL-2.0-only
//
// kdump(1) as a command: messages, exit statuses, standard input, pipes, -l.

#include "files.hpp"
#include "sample_traces.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

namespace ktools::test {

namespace {

using Version = TraceBuilder::Version;

constexpr const char *kKdump = KDUMP_PATH;

std::string one_path(std::string_view path) {
    TraceBuilder trace(Version::V1);
    trace.add(KTR_NAMEI, path);
    return trace.bytes();
}

class kdump_command : public testing::Test {
  protected:
    Outcome kdump(std::vector<std::string> args, std::string_view input = {}) {
        args.insert(args.begin(), kKdump);
        return run_program(args, input);
    }

    TemporaryFolder folder_;
};

TEST_F(kdump_command, prints_a_file) {
    const std::string file = folder_.write("t", one_path("/x"));
    const Outcome outcome = kdump({"-f", file});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out, "   100 sh       NAMI  \"/x\"\n");
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(kdump({file}).out, outcome.out);
}

TEST_F(kdump_command, reads_standard_input) {
    EXPECT_EQ(kdump({"-f", "-"}, one_path("/x")).out, "   100 sh       NAMI  \"/x\"\n");
    EXPECT_EQ(kdump({"-f", "-"}, "").err, "kdump: standard input: empty file, no records\n");
}

TEST_F(kdump_command, absent_file) {
    const Outcome outcome = kdump({"-f", folder_.path("none")});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "kdump: " + folder_.path("none") + ": No such file or directory\n");
}

TEST_F(kdump_command, folder) {
    const Outcome outcome = kdump({"-f", folder_.path("")});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "kdump: " + folder_.path("") + ": Is a directory\n");
}

TEST_F(kdump_command, empty_file) {
    const std::string file = folder_.write("t", "");
    const Outcome outcome = kdump({"-f", file});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "kdump: " + file + ": empty file, no records\n");
}

TEST_F(kdump_command, foreign_file) {
    const Outcome outcome = kdump({"-f", kKdump});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, std::string("kdump: ") + kKdump +
                               ": offset 0: not a ktrace file: expected a record length from 0 to 16777216, "
                               "found 1179403647\n");
}

TEST_F(kdump_command, damage_comes_after_what_is_good) {
    std::string bytes = one_path("/x") + one_path("/y");
    bytes.pop_back();
    const std::string file = folder_.write("t", bytes);
    const Outcome outcome = kdump({"-f", file});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out, "   100 sh       NAMI  \"/x\"\n");
    EXPECT_EQ(outcome.err,
              "kdump: " + file + ": offset 66: cut short in a record's payload: expected 2 bytes, found 1\n");
}

TEST_F(kdump_command, payload_that_does_not_fit) {
    TraceBuilder trace(Version::V1);
    trace.add(KTR_NAMEI, "/x");
    trace.add(KTR_SYSRET, "short");
    const std::string file = folder_.write("t", trace.bytes());
    const Outcome outcome = kdump({"-f", file});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out, "   100 sh       NAMI  \"/x\"\n");
    EXPECT_EQ(outcome.err, "kdump: " + file +
                               ": offset 66: the RET record's 5 bytes do not fit its structure (at least 16 "
                               "bytes, and as many as its own counts say)\n");
}

TEST_F(kdump_command, usage_errors) {
    const std::string usage =
        "usage: kdump [-AcdEHlnRrSsT] [-f trfile] [-m maxdata] [-p pid] [-t trstr] [trfile]\n";
    const Outcome letters = kdump({"-t", "cz"});
    EXPECT_EQ(letters.status, 2);
    EXPECT_EQ(letters.err, "kdump: unknown trace point in 'cz'\n" + usage);
    EXPECT_EQ(kdump({"-m", "many"}).err, "kdump: -m many: expected a number of bytes\n" + usage);
    EXPECT_EQ(kdump({"-m", "-1"}).status, 2);
    EXPECT_EQ(kdump({"-p", "12x"}).err, "kdump: -p 12x: expected a process id\n" + usage);
    EXPECT_EQ(kdump({"a", "b"}).err, "kdump: what is 'b' for?\n" + usage);
    EXPECT_EQ(kdump({"-f", "a", "b"}).status, 2);
    EXPECT_EQ(kdump({"-Z"}).status, 2);
}

TEST_F(kdump_command, help_is_no_error) {
    const Outcome outcome = kdump({"--help"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out.substr(0, 12), "usage: kdump");
    EXPECT_EQ(outcome.err, "");
}

TEST_F(kdump_command, full_disk_is_an_error) {
    const std::string file = folder_.write("t", one_path("/x"));
    const Outcome outcome = run_program({"sh", "-c", std::string(kKdump) + " -f " + file + " >/dev/full"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "kdump: standard output: No space left on device\n");
}

// The reader of the pipe leaves before the long output does; SIGPIPE is ignored or not.
TEST_F(kdump_command, closed_pipe_ends_it_quietly) {
    TraceBuilder trace(Version::V1);
    for (int i = 0; i < 10000; ++i)
        trace.add(KTR_NAMEI, "/a/path/of/some/length");
    const std::string command = std::string(kKdump) + " -f " + folder_.write("t", trace.bytes());
    for (const std::string trap : {"", "trap '' PIPE; "}) {
        const Outcome outcome =
            run_program({"bash", "-c", trap + command + " | true; echo ${PIPESTATUS[0]}"});
        EXPECT_EQ(outcome.out, std::to_string(128 + SIGPIPE) + "\n");
        EXPECT_EQ(outcome.err, "");
    }
}

// ---- -l ------------------------------------------------------------------------------

// kdump -l of a file, and what it prints as it goes.
class Follower {
  public:
    explicit Follower(const std::string &file) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            return;
        out_ = UniqueFd(ends[0]);
        child_ = fork();
        if (child_ == 0) {
            dup2(ends[1], STDOUT_FILENO);
            dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
            execl(kKdump, "kdump", "-l", "-f", file.c_str(), nullptr);
            _exit(127);
        }
        close(ends[1]);
    }

    ~Follower() {
        if (child_ > 0) {
            kill(child_, SIGKILL);
            waitpid(child_, nullptr, 0);
        }
    }

    // The next line, or what there is of it after ten seconds.
    std::string line() {
        std::string text;
        char byte;
        pollfd ready{out_.get(), POLLIN, 0};
        while (poll(&ready, 1, 10'000) > 0 && read(out_.get(), &byte, 1) == 1) {
            text += byte;
            if (byte == '\n')
                break;
        }
        return text;
    }

    int exit_status() {
        int status = 0;
        waitpid(std::exchange(child_, -1), &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

  private:
    UniqueFd out_;
    pid_t child_ = -1;
};

void append(const std::string &file, std::string_view bytes) {
    const UniqueFd fd(open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    ASSERT_EQ(write(fd.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
}

TEST_F(kdump_command, follows_a_growing_file) {
    const std::string file = folder_.write("t", "");
    Follower follower(file);
    append(file, one_path("/first"));
    EXPECT_EQ(follower.line(), "   100 sh       NAMI  \"/first\"\n");
    append(file, one_path("/second"));
    EXPECT_EQ(follower.line(), "   100 sh       NAMI  \"/second\"\n");
}

TEST_F(kdump_command, follows_through_a_torn_record) {
    const std::string record = one_path("/torn");
    const std::string file = folder_.write("t", one_path("/whole") + record.substr(0, 20));
    Follower follower(file);
    EXPECT_EQ(follower.line(), "   100 sh       NAMI  \"/whole\"\n");
    append(file, record.substr(20));
    EXPECT_EQ(follower.line(), "   100 sh       NAMI  \"/torn\"\n");
}

TEST_F(kdump_command, following_ends_at_damage) {
    const std::string file = folder_.write("t", one_path("/x"));
    Follower follower(file);
    EXPECT_EQ(follower.line(), "   100 sh       NAMI  \"/x\"\n");
    append(file, std::string(64, '\xff'));
    EXPECT_EQ(follower.exit_status(), 1);
}

TEST_F(kdump_command, following_a_pipe_ends_with_it) {
    const Outcome outcome = kdump({"-l", "-f", "-"}, one_path("/x"));
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out, "   100 sh       NAMI  \"/x\"\n");
}

} // namespace

} // namespace ktools::test
