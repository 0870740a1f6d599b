// SPDX-License-Identifier: GPL-2.0-only
//
// Files, pipes and programs for the tests.

#pragma once

#include "unique_fd.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ktools::test {

// An open file with these bytes, at its start, without a name.
[[nodiscard]] UniqueFd file_with(std::string_view bytes);

[[nodiscard]] std::string read_all(int fd);

// A folder that is deleted at the end.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;

    [[nodiscard]] std::string path(std::string_view name) const;
    std::string write(std::string_view name, std::string_view bytes) const;

  private:
    std::string path_;
};

struct Outcome {
    int status = -1; // exit status, or 128 + the signal
    std::string out;
    std::string err;
};

// Runs a program to its end, with these bytes on its standard input through a pipe.
[[nodiscard]] Outcome run_program(std::vector<std::string> words, std::string_view input = {});

} // namespace ktools::test
