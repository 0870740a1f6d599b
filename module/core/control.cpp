// SPDX-License-Identifier: GPL-2.0-only
// SET, CLEAR and CLEARFILE. Everything here runs with KSHIM_LOCK_CONTROL held but the waiting
// for files, so that a file that hangs holds up only those who trace to it.
#include "control.hpp"

#include "base/pointer_set.hpp"
#include "capture.hpp"
#include "process_walk.hpp"
#include "session.hpp"
#include "target.hpp"

#include "base/poison.hpp"

namespace ktr {

namespace {

constexpr int kOpMask = 3;
constexpr uint32_t kKept = KTRFAC_MASK | KTRFAC_INHERIT;
constexpr uint32_t kFirst = KTRFAC_PROCCTOR | KTRFAC_EMUL; // a process's first records

// One reference on an open file.
class FileRef : NoCopy {
  public:
    ~FileRef() {
        if (file_)
            kshim_file_put(file_);
    }
    Status open(const ktrace_args &args) {
        return Status(args.flags & KTRACE_BY_FD ? kshim_file_from_fd(args.fd, &file_)
                                                : kshim_file_open(args.file, &file_));
    }
    kshim_file *get() const { return file_; }
    [[nodiscard]] kshim_file *release() { return std::exchange(file_, nullptr); }

  private:
    kshim_file *file_ = nullptr;
};

// Sessions that have lost a target: after a grace period no probe writes on its behalf; then what
// it has recorded can be waited for, and the reference that it had can go.
class Stopped : NoCopy {
  public:
    // Takes over the reference.
    void add(Ref<Session> session) {
        any_ = true;
        if (sessions_.contains(session.get()))
            return;
        if (sessions_.insert(session.get()).ok())
            static_cast<void>(session.release());
        else // nobody waits, the records are written all the same; but first probes leave the session
            kshim_synchronize_rcu();
    }
    // Context: may sleep, KSHIM_LOCK_CONTROL not held.
    void wait() {
        if (any_)
            kshim_synchronize_rcu();
        sessions_.for_each([](Session *session) { session->wait_written(); });
    }
    ~Stopped() {
        sessions_.for_each([](Session *session) { session->put(); });
    }

  private:
    PointerSet<Session> sessions_;
    bool any_ = false;
};

// The caller may change how this process is traced.
bool may_change(const Target *target, kshim_task *task) {
    if (target && (target->state() & KTRFAC_ROOT) && !kshim_privileged_over(task))
        return false;
    return kshim_may_trace(task) == 0;
}

// --- SET ---

class SetOperation : NoCopy {
  public:
    SetOperation(const ktrace_args &args, FileRef &file, Stopped &stopped)
        : bits_(args.trpoints & kKept), version_(args.trpoints & KTRFAC_VER_MASK), file_(file),
          stopped_(stopped) {}

    Status visit(kshim_task *task) {
        if (kshim_group_dead(task)) {
            changed_ = true; // as FreeBSD: success, and nothing to do
            return {};
        }
        Ref<Target> target = get_target(kshim_task_group(task));
        if (!may_change(target.get(), task))
            return {};
        if (!target && !(bits_ & KTRFAC_MASK)) {
            changed_ = true; // INHERIT alone: nothing to record, and no hook would see it exit
            return {};
        }
        KTR_TRY(prepare());
        return target ? change(*target, task) : begin(task);
    }

    bool changed() const { return changed_; }

  private:
    // The session and the hooks are made for the first process that may be traced.
    Status prepare() {
        if (session_)
            return {};
        Result<Session *> session = Session::join_or_create(file_.release());
        KTR_TRY(session.status());
        session_ = Ref<Session>::adopt(session.value());
        return Status(kshim_hooks_set(wanted_facilities() | (bits_ & KTRFAC_MASK)));
    }

    uint32_t bits_for(kshim_task *task) const {
        return bits_ | (kshim_privileged_over(task) ? KTRFAC_ROOT : 0);
    }

    // Listed without any facility, checked again, and only then traced: an exec that gains rights
    // is either seen by the check, or by the exec probe, which finds the target.
    Status begin(kshim_task *task) {
        session_->get();
        Target *made = make<Target>(task, session_.get(), version_);
        if (!made) {
            session_->put();
            return Status::error(kEnomem);
        }
        Ref<Target> target = Ref<Target>::adopt(made);
        if (!list_target(*target)) // a fork has made one meanwhile
            return visit(task);
        Status status = add_threads(*target);
        if (status.ok() && may_change(target.get(), task)) {
            activate(*target, task);
            changed_ = true;
        } else {
            unlist_target(*target);
        }
        release_hold(*target);
        return status;
    }

    // What says what kind of process it is comes before all that its threads record.
    void activate(Target &target, kshim_task *task) {
        const uint32_t bits = bits_for(task);
        target.add_state(bits & kFirst, version_);
        capture_begin(target, task);
        target.add_state(bits, version_);
    }

    Status change(Target &target, kshim_task *task) {
        if (!hold_target(target))
            return {};                             // it has just ended
        if (&target.session() != session_.get()) { // another file, one that failed, or another user's
            session_->get();
            stopped_.add(Ref<Session>::adopt(target.replace_session(session_.get())));
            refresh_threads(target);
        }
        target.add_state(bits_for(task), version_);
        capture_begin(target, task);
        Status status = add_threads(target);
        release_hold(target);
        changed_ = true;
        return status;
    }

    // Threads that are cloned meanwhile are listed by the fork probe, which finds the target.
    static Status add_threads(Target &target) {
        TaskList tasks;
        KTR_TRY(tasks.take(KSHIM_TASK_THREADS, 0, target.leader()));
        for (const kshim_task_item &item : tasks)
            if (!kshim_task_exiting(item.task) && !add_thread(target, item.task))
                return Status::error(kEnomem);
        return {};
    }

    const uint32_t bits_;
    const uint32_t version_;
    FileRef &file_;
    Stopped &stopped_;
    Ref<Session> session_;
    bool changed_ = false;
};

// --- CLEAR ---

void clear_target(Target &target, kshim_task *task, uint32_t bits, Stopped &stopped) {
    if (!(target.state() & KTRFAC_MASK & ~bits))
        capture_last_losses(target, task);
    target.remove_state(bits);
    if (target.state() & KTRFAC_MASK)
        capture_begin(target, task);
    else
        unlist_target(target);
    stopped.add(target.share_session());
}

class ClearOperation : NoCopy {
  public:
    ClearOperation(uint32_t trpoints, Stopped &stopped) : bits_(trpoints & kKept), stopped_(stopped) {}

    Status visit(kshim_task *task) {
        Ref<Target> target = get_target(kshim_task_group(task));
        if (!may_change(target.get(), task) && !kshim_group_dead(task))
            return {};
        changed_ = true;
        if (target)
            clear_target(*target, task, bits_, stopped_);
        return {};
    }

    bool changed() const { return changed_; }

  private:
    const uint32_t bits_;
    Stopped &stopped_;
    bool changed_ = false;
};

template <typename Operation> Status walk(Operation &operation, const ktrace_args &args) {
    ControlLock lock;
    ProcessWalk processes(args.pid, args.ops & KTRFLAG_DESCEND);
    Status status = processes.run([&](const kshim_task_item &item) { return operation.visit(item.task); });
    kshim_schedule_reap(); // hooks that a failed call has registered, or CLEAR made needless
    KTR_TRY(status);
    return operation.changed() ? Status() : Status::error(kEperm);
}

// --- CLEARFILE ---

constinit uint32_t visits = 0; // number of the call that goes through all targets; KSHIM_LOCK_CONTROL

Status clear_file(const kshim_file *file, Stopped &stopped) {
    ControlLock lock;
    const uint32_t visit = ++visits;
    const auto is_next = [&](const Target &target) {
        return target.visit != visit && kshim_file_same(target.session().file(), file);
    };
    bool refused = false;
    while (Ref<Target> target = get_target_if(is_next)) {
        target->visit = visit;
        kshim_task *task = get_task(*target);
        if (may_change(target.get(), task))
            clear_target(*target, task, kKept, stopped);
        else
            refused = true;
        kshim_task_put(task);
    }
    return refused ? Status::error(kEperm) : Status();
}

Status check(const ktrace_args &args) {
    const uint32_t facilities = args.trpoints & ~(KTRFAC_ROOT | KTRFAC_VER_MASK);
    if (args.ops & ~(kOpMask | KTRFLAG_DESCEND) || KTROP(args.ops) > KTROP_CLEARFILE ||
        args.flags & ~KTRACE_BY_FD)
        return Status::error(kEinval);
    if (args.trpoints & KTRFAC_VER_MASK & ~KTRFACv1)
        return Status::error(kEinval);
    if (KTROP(args.ops) != KTROP_CLEARFILE && facilities == 0)
        return Status::error(kEinval);
    return {};
}

Status perform(const ktrace_args &args, FileRef &file, Stopped &stopped) {
    if (KTROP(args.ops) == KTROP_CLEAR) {
        ClearOperation clear(args.trpoints, stopped);
        return walk(clear, args);
    }
    KTR_TRY(file.open(args));
    if (KTROP(args.ops) == KTROP_CLEARFILE)
        return clear_file(file.get(), stopped);
    SetOperation set(args, file, stopped);
    return walk(set, args);
}

} // namespace

Status control_ktrace(const ktrace_args &args) {
    KTR_TRY(check(args));
    FileRef file;
    Stopped stopped;
    Status status = perform(args, file, stopped);
    stopped.wait();
    return status;
}

Status control_stats(const kshim_file *file, ktrace_stats *ret) {
    ControlLock lock;
    Ref<Session> session = Session::find(file);
    if (!session)
        return Status::error(kEnoent);
    session->read_stats(ret);
    return {};
}

void control_reap() {
    ControlLock lock;
    const auto failed = [](const Target &target) { return target.session().failed(); };
    while (Ref<Target> target = get_target_if(failed))
        unlist_target(*target);
    if (kshim_hooks_set(wanted_facilities()) != 0)
        kshim_warn("hooks could not be reduced");
}

} // namespace ktr
