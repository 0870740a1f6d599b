// SPDX-License-Identifier: GPL-2.0-only
//
// Files, pipes and programs for the tests.

#include "files.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/mman.h>
#include <sys/wait.h>

namespace ktools::test {

namespace {

void write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(fd, bytes.data(), bytes.size());
        if (written <= 0)
            return;
        bytes.remove_prefix(static_cast<size_t>(written));
    }
}

[[noreturn]] void become(const std::vector<std::string> &words, int in, int out, int err) {
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    std::vector<char *> argv;
    for (const std::string &word : words)
        argv.push_back(const_cast<char *>(word.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    _exit(127);
}

} // namespace

UniqueFd file_with(std::string_view bytes) {
    UniqueFd fd(memfd_create("trace", MFD_CLOEXEC));
    write_all(fd.get(), bytes);
    lseek(fd.get(), 0, SEEK_SET);
    return fd;
}

std::string read_all(int fd) {
    std::string all;
    char chunk[4096];
    ssize_t got;
    while ((got = read(fd, chunk, sizeof(chunk))) > 0)
        all.append(chunk, static_cast<size_t>(got));
    return all;
}

TemporaryFolder::TemporaryFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "ktrace-test-XXXXXX";
    if (!mkdtemp(pattern.data()))
        abort();
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::path(std::string_view name) const { return path_ + "/" + std::string(name); }

std::string TemporaryFolder::write(std::string_view name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
}

Outcome run_program(std::vector<std::string> words, std::string_view input) {
    int in[2];
    if (pipe2(in, O_CLOEXEC) != 0)
        return {};
    const UniqueFd out = file_with("");
    const UniqueFd err = file_with("");
    const pid_t child = fork();
    if (child == 0)
        become(words, in[0], out.get(), err.get());
    close(in[0]);
    const auto old = signal(SIGPIPE, SIG_IGN);
    write_all(in[1], input);
    signal(SIGPIPE, old);
    close(in[1]);
    int status = 0;
    waitpid(child, &status, 0);
    lseek(out.get(), 0, SEEK_SET);
    lseek(err.get(), 0, SEEK_SET);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, read_all(out.get()), read_all(err.get())};
}

} // namespace ktools::test
