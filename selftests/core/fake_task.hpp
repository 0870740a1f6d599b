// SPDX-License-Identifier: GPL-2.0-only
// Between the two halves of the fake's tasks.
#pragma once

#include "fake_kshim.hpp"

namespace fake {

extern std::mutex tasks_mutex;
extern std::vector<kshim_task *> tasks; // the world's references

void put_cred(kshim_cred *cred);
void put_namespace(kshim_pid_ns *ns);
void put_task(kshim_task *task);

} // namespace fake
