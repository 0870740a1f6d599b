// SPDX-License-Identifier: GPL-2.0-only
//
// The file that ktrace(2) wants to exist.

#include "trace_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ktools {

bool TraceFile::fail(const char *problem) const {
    std::fprintf(stderr, "ktrace: %s: %s\n", path_, problem);
    return false;
}

bool TraceFile::create() {
    const int fd = open(path_, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd < 0)
        return fail(std::strerror(errno));
    close(fd);
    created_ = true;
    return true;
}

// A new file instead of a truncated one: someone may be reading the old one, or be traced
// to it. What is not a file stays: nobody wants to lose a device by a mistyped -f.
bool TraceFile::replace() {
    struct stat status {};
    if (lstat(path_, &status) == 0) {
        if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode))
            return fail("not a regular file");
        if (unlink(path_) != 0)
            return fail(std::strerror(errno));
    }
    return create();
}

bool TraceFile::open_existing() {
    // O_NONBLOCK so that a FIFO without a reader is an error, not a wait.
    const int fd = open(path_, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? create() : fail(std::strerror(errno));
    struct stat status {};
    const bool known = fstat(fd, &status) == 0;
    close(fd);
    if (!known || !S_ISREG(status.st_mode))
        return fail("not a regular file");
    if (status.st_uid != getuid())
        return fail("not yours: refusing to append");
    return true;
}

bool TraceFile::prepare(bool append) { return append ? open_existing() : replace(); }

void TraceFile::remove_if_created() {
    if (created_)
        unlink(path_);
}

} // namespace ktools
