// SPDX-License-Identifier: GPL-2.0-only
//
// Waiting for a file to grow.

#include "follow.hpp"

#include <poll.h>
#include <string>
#include <sys/inotify.h>
#include <sys/stat.h>

namespace ktools {

namespace {

constexpr int kPollMilliseconds = 1000;

bool is_regular(int fd) {
    struct stat status {};
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

// By its descriptor, so that it is the file being read even if its name now means another.
UniqueFd watch(int fd) {
    UniqueFd notify(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    const std::string path = "/proc/self/fd/" + std::to_string(fd);
    if (notify.valid() && inotify_add_watch(notify.get(), path.c_str(), IN_MODIFY) < 0)
        return {};
    return notify;
}

void drain(int fd) {
    alignas(inotify_event) char events[4096];
    while (read(fd, events, sizeof(events)) > 0)
        continue;
}

} // namespace

Follow::Follow(int fd) : notify_(watch(fd)), can_grow_(is_regular(fd)) {}

bool Follow::wait() {
    if (!can_grow_)
        return false;
    // The time-out also bounds what a change between the last read and now can cost: it
    // has left its event, which ends the poll at once, or there is no inotify.
    pollfd event{notify_.get(), POLLIN, 0};
    if (poll(&event, 1, kPollMilliseconds) > 0)
        drain(notify_.get());
    return true;
}

} // namespace ktools
