// SPDX-License-Identifier: GPL-2.0-only
// A thread's door: what its probes have put off until it may sleep, on its way back to user mode
// or in its exit.
#include "capture.hpp"

#include "base/poison.hpp"

namespace ktr {

namespace {

void enter(kshim_door *door) {
    // Takes over the reference of open_door(). Only this thread touches these members.
    Ref<Thread> thread = Ref<Thread>::adopt(Embedded<kshim_door, Thread>::owner_of(door));
    thread->door_queued = false;
    const uint32_t reasons = thread->door_reasons.exchange(0, std::memory_order_relaxed);
    if (reasons & kDoorLateReturn)
        finish_late_return(*thread);
    if (reasons & kDoorRoom)
        thread->target->share_session()->wait_room();
    if (reasons & kDoorWritten)
        thread->target->share_session()->wait_written();
    if (reasons & kDoorExit)
        finish_exit(*thread);
}

} // namespace

bool open_door(Thread &thread, DoorReason reason) {
    thread.door_reasons.fetch_or(reason, std::memory_order_relaxed);
    if (thread.door_queued)
        return true;
    if (!thread.try_get())
        return false; // CLEAR has just taken it away
    thread.door_queued = true;
    if (kshim_door_queue(&thread.door, enter))
        return true;
    thread.door_queued = false;
    thread.door_reasons.fetch_and(~static_cast<uint32_t>(reason), std::memory_order_relaxed);
    thread.put();
    return false;
}

} // namespace ktr
