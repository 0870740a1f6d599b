// SPDX-License-Identifier: GPL-2.0-only
// The k-th allocation fails, for every k of a whole life of a trace: nothing crashes, nothing leaks,
// the error is ENOMEM, and what is written is sound. Each k is a world of its own (TearDown's checks).
#include "core_test.hpp"

namespace {

class AllocationFailure : public CoreTest {
  protected:
    // True if a call failed with ENOMEM; any other error is wrong.
    bool failed(int result) {
        EXPECT_TRUE(result == 0 || result == -12) << result;
        return result != 0;
    }
    // Calls may fail; processes must not notice. Returns how many calls failed.
    int live() {
        int failures = 0;
        program->process->map(kBuffer, "resident");
        program->process->map(kBuffer + 0x1000, "late data", /*resident=*/false);
        kshim_task *thread = fake::clone(program), *child = fake::fork(program);
        failures += failed(ktrace(KTROP_SET | KTRFLAG_DESCEND, kUsual | KTRFAC_INHERIT, program->pid));
        kshim_task *heir = fake::fork(program), *other = fake::clone(heir);
        for (kshim_task *task : {program, thread, child, heir, other}) {
            getpid(task);
            fake::syscall(task, kWrite, {1, kBuffer, 8}, 8);
            fake::syscall(task, kWrite, {1, kBuffer + 0x1000, 9}, 9);
            failures += failed(fake::utrace(task, kBuffer, 8));
        }
        fake::exec(heir);
        fake::exec(child, /*gained=*/true);
        failures += failed(fktrace(KTROP_SET, kUsual, heir->pid, 8));
        fake::exit(heir);
        failures += failed(clear(program, KTRFAC_NAMEI));
        fake::exit(thread);
        failures += failed(clear_file());
        return failures;
    }
    // ... and nothing of the trace is left, before the processes end.
    void expect_the_end(const char *what, long k) {
        fake::fail_allocation(0);
        EXPECT_EQ(clear_file(), 0);
        EXPECT_EQ(fktrace(KTROP_CLEARFILE, 0, 0, 8), 0);
        fake::settle(true);
        EXPECT_EQ(fake::live_allocations, 0) << what << " " << k;
        EXPECT_EQ(fake::counts.workers, 0) << what << " " << k;
        EXPECT_EQ(fake::counts.files, 0) << what << " " << k;
        EXPECT_EQ(fake::counts.tasks, 0) << what << " " << k;
        EXPECT_TRUE(trace().whole && trace_of(second).whole);
    }
    void one_world(long k, bool ever) {
        fake::add_fd(8, second);
        fake::fail_allocation(k, ever);
        const int failures = live();
        const bool hit = fake::allocation_failed();
        if (failures != 0) {
            EXPECT_TRUE(hit);
        }
        if (ever && k == 1) {
            EXPECT_GT(failures, 0);
        }
        expect_the_end(ever ? "all from" : "only", k);
        more = hit;
    }
    void sweep(bool ever) {
        for (long k = 1; more; k++) {
            one_world(k, ever);
            ASSERT_LT(k, 1000);
            if (HasFailure())
                return;
            fake::stop();
            fake::start();
            file = std::make_shared<fake::Inode>();
            second = std::make_shared<fake::Inode>();
            fake::add_path("trace", file);
            tracer = new_tracer("tracer", 1000, false);
            program = fake::spawn("program");
        }
    }

    fake::File second = std::make_shared<fake::Inode>();
    bool more = true;
};

TEST_F(AllocationFailure, of_each_single_allocation_is_survived) { sweep(false); }

TEST_F(AllocationFailure, of_all_allocations_from_one_on_is_survived) { sweep(true); }

TEST_F(AllocationFailure, in_set_is_enomem_and_leaves_no_session) {
    for (long k = 1;; k++) {
        fake::fail_allocation(k);
        const int result = set(program);
        if (!fake::allocation_failed()) {
            EXPECT_EQ(result, 0);
            EXPECT_GT(k, 10) << "the session alone makes as many";
            break;
        }
        EXPECT_EQ(result, -12) << k;
        fake::settle(true);
        EXPECT_EQ(fake::counts.workers, 0) << k;
        EXPECT_EQ(fake::live_allocations, 0) << k;
    }
    fake::fail_allocation(0);
}

TEST_F(AllocationFailure, in_a_fork_s_probe_is_told_as_a_loss) {
    ASSERT_EQ(set(program, kUsual | KTRFAC_INHERIT), 0);
    for (long k = 1; k <= 2; k++) {
        fake::fail_allocation(k);
        kshim_task *child = fake::fork(program);
        EXPECT_TRUE(fake::allocation_failed());
        getpid(child);
    }
    getpid(program);
    EXPECT_EQ(clear(program), 0);
    EXPECT_EQ(trace().lost()[KTR_PROCCTOR], 2u);
}

// The set of old sessions gets no memory: the old session must still live while probes are in it.
TEST_F(AllocationFailure, while_a_file_is_replaced_is_survived) {
    fake::add_fd(8, second);
    for (long k = 1; more; k++) {
        ASSERT_EQ(set(program), 0);
        fake::fail_allocation(k);
        const int result = fktrace(KTROP_SET, kUsual, program->pid, 8);
        more = fake::allocation_failed();
        EXPECT_TRUE(result == 0 || result == -12);
        getpid(program);
        expect_the_end("replace", k);
    }
}

} // namespace
