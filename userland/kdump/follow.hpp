// SPDX-License-Identifier: GPL-2.0-only
//
// Waiting for a file to grow (kdump -l).

#pragma once

#include "unique_fd.hpp"

namespace ktools {

class Follow {
  public:
    // fd: of the file. What it is decides how to wait: a pipe has ended when it ends.
    explicit Follow(int fd);

    // Returns when there may be more to read: at once after a change, and now and then in
    // any case. False when there will be none.
    [[nodiscard]] bool wait();

  private:
    UniqueFd notify_; // not valid where inotify does not work
    bool can_grow_;
};

} // namespace ktools
