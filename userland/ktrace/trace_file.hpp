// SPDX-License-Identifier: GPL-2.0-only
//
// The file that ktrace(2) wants to exist.

#pragma once

namespace ktools {

class TraceFile {
  public:
    explicit TraceFile(const char *path) : path_(path) {}

    // Makes an empty file that only its owner can read, in place of one that was there;
    // with append, keeps one that is there. False after a message on stderr.
    [[nodiscard]] bool prepare(bool append);

    // Takes back what prepare() made.
    void remove_if_created();

  private:
    bool create();
    bool open_existing();
    bool replace();
    bool fail(const char *problem) const;

    const char *path_;
    bool created_ = false;
};

} // namespace ktools
