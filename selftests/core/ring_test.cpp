// SPDX-License-Identifier: GPL-2.0-only
// The ring by itself: places, fillers, nesting, and a consumer in another thread.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <deque>
#include <random>
#include <thread>

#include "../../module/core/ring.hpp"
#include "fake_kshim.hpp"

using ktr::Entry;
using ktr::Ring;

namespace {

constexpr size_t kBytes = 4096;
constexpr auto kPause = std::chrono::microseconds(20); // a yield does little on a busy machine

class RingTest : public testing::Test {
  protected:
    Entry *put(size_t length, uint16_t type = KTR_USER) {
        Entry *entry = ring.reserve(length);
        if (!entry)
            return nullptr;
        entry->type = type;
        ring.commit();
        return entry;
    }
    const Entry *front() { return ring.front(ring.head()); }

    alignas(64) std::byte memory[kBytes]{};
    Ring ring{memory, kBytes};
};

TEST_F(RingTest, a_new_ring_is_empty) {
    EXPECT_TRUE(ring.empty());
    EXPECT_EQ(front(), nullptr);
    EXPECT_EQ(ring.used(), 0u);
    EXPECT_TRUE(ring.under_half());
}

TEST_F(RingTest, an_entry_takes_header_and_payload_rounded_up) {
    ASSERT_NE(put(1), nullptr);
    EXPECT_EQ(ring.head(), 48u + 8u);
    ASSERT_NE(put(8), nullptr);
    EXPECT_EQ(ring.head(), 2 * (48u + 8u));
    ASSERT_NE(put(0), nullptr);
    EXPECT_EQ(ring.head(), 2 * (48u + 8u) + 48u);
}

TEST_F(RingTest, reserve_sets_size_time_length_and_leaves_a_filler) {
    fake::set_clock(77, 1);
    Entry *entry = ring.reserve(5);
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->size, 56u);
    EXPECT_EQ(entry->length, 5u);
    EXPECT_EQ(entry->time, 77u);
    EXPECT_EQ(entry->type, Entry::kFiller);
    ring.commit();
    EXPECT_EQ(front(), nullptr) << "an entry that stays a filler is skipped";
    EXPECT_TRUE(ring.empty());
}

TEST_F(RingTest, an_entry_is_not_committed_before_commit) {
    Entry *entry = ring.reserve(8);
    ASSERT_NE(entry, nullptr);
    EXPECT_FALSE(ring.committed_to(ring.head()));
    ring.commit();
    EXPECT_TRUE(ring.committed_to(ring.head()));
}

TEST_F(RingTest, entries_come_out_in_the_order_of_their_places) {
    const Entry *first = put(8), *second = put(16);
    EXPECT_EQ(front(), first);
    ring.pop(*front());
    EXPECT_EQ(front(), second);
    ring.pop(*front());
    EXPECT_TRUE(ring.empty());
}

TEST_F(RingTest, a_payload_over_a_quarter_of_the_ring_is_refused) {
    EXPECT_EQ(put(kBytes / 4 + 1), nullptr);
    EXPECT_NE(put(kBytes / 4), nullptr);
}

TEST_F(RingTest, a_full_ring_refuses_and_takes_again_after_a_pop) {
    size_t count = 0;
    while (put(16))
        count++;
    EXPECT_EQ(count, kBytes / 64);
    EXPECT_EQ(ring.used(), kBytes);
    EXPECT_TRUE(ring.over_three_quarters());
    EXPECT_TRUE(ring.committed_to(ring.head())) << "a refusal leaves nothing open";
    ring.pop(*front());
    EXPECT_NE(put(16), nullptr);
    EXPECT_EQ(put(16), nullptr);
}

TEST_F(RingTest, an_entry_that_does_not_fit_the_end_starts_at_the_beginning_after_a_filler) {
    for (int i = 0; i < 63; i++) // 63 * 64 = 4032, 64 are left
        ASSERT_NE(put(16), nullptr);
    for (int i = 0; i < 4; i++)
        ring.pop(*front());
    const Entry *wrapped = put(100); // 48 + 104 = 152
    ASSERT_NE(wrapped, nullptr);
    EXPECT_EQ(reinterpret_cast<const std::byte *>(wrapped), memory);
    EXPECT_EQ(ring.head(), kBytes + 152u);
    for (int i = 4; i < 63; i++)
        ring.pop(*front());
    EXPECT_EQ(front(), wrapped) << "the filler is skipped";
    ring.pop(*wrapped);
    EXPECT_TRUE(ring.empty());
}

TEST_F(RingTest, a_filler_may_be_as_short_as_eight_bytes) {
    for (int i = 0; i < 73; i++) // 73 * 56 = 4088
        ASSERT_NE(put(8), nullptr);
    for (int i = 0; i < 73; i++)
        ring.pop(*front());
    const Entry *wrapped = put(8);
    EXPECT_EQ(reinterpret_cast<const std::byte *>(wrapped), memory);
    EXPECT_EQ(ring.used(), 8u + 56u);
    EXPECT_EQ(front(), wrapped);
}

TEST_F(RingTest, an_interrupt_between_place_and_commit_is_published_by_the_outermost) {
    Entry *outer = ring.reserve(8);
    Entry *inner = put(8);
    ASSERT_TRUE(outer && inner);
    EXPECT_FALSE(ring.committed_to(56)) << "the outer entry is not filled yet";
    outer->type = KTR_USER;
    ring.commit();
    EXPECT_TRUE(ring.committed_to(112));
    EXPECT_EQ(front(), outer);
}

TEST_F(RingTest, an_interrupt_at_the_clock_gets_the_later_place) {
    const Entry *inner = nullptr;
    fake::interrupt_at_clock([&] { inner = put(8); });
    const Entry *outer = put(8);
    EXPECT_LT(outer, inner);
    EXPECT_GT(outer->time, inner->time) << "which is why the writer clamps times";
    EXPECT_TRUE(ring.committed_to(ring.head()));
}

TEST_F(RingTest, an_interrupt_that_finds_the_ring_full_leaves_the_outer_entry_open) {
    while (ring.used() < kBytes - 64)
        ASSERT_NE(put(16), nullptr);
    Entry *outer = ring.reserve(16);
    ASSERT_NE(outer, nullptr);
    EXPECT_EQ(put(16), nullptr);
    EXPECT_FALSE(ring.committed_to(ring.head()));
    outer->type = KTR_USER;
    ring.commit();
    EXPECT_TRUE(ring.committed_to(ring.head()));
}

TEST_F(RingTest, an_end_below_the_head_limits_what_is_seen) {
    const Entry *first = put(8);
    const uint64_t end = ring.head();
    put(8);
    EXPECT_EQ(ring.front(end), first);
    ring.pop(*first);
    EXPECT_EQ(ring.front(end), nullptr);
}

TEST_F(RingTest, random_sizes_agree_with_a_model_over_many_wraps) {
    std::mt19937 random(4711);
    std::deque<std::pair<uint32_t, uint32_t>> model; // sequence number, length
    uint32_t next = 0;
    for (int step = 0; step < 60000; step++) {
        if (random() % 2) {
            const uint32_t length = 4 + random() % 600;
            if (Entry *entry = ring.reserve(length)) {
                std::memset(entry->payload(), static_cast<int>(next & 0xff), length);
                std::memcpy(entry->payload(), &next, sizeof(next));
                const bool kept = random() % 10 != 0;
                if (kept)
                    entry->type = KTR_USER;
                ring.commit();
                if (kept)
                    model.emplace_back(next, length);
                next++;
            } else {
                ASSERT_GT(ring.used() + 2 * (48 + 608), kBytes) << "refused with room left";
            }
        } else if (const Entry *entry = front()) {
            ASSERT_FALSE(model.empty());
            uint32_t number = 0;
            std::memcpy(&number, entry->payload(), sizeof(number));
            ASSERT_EQ(number, model.front().first);
            ASSERT_EQ(entry->length, model.front().second);
            if (entry->length > 4) {
                ASSERT_EQ(entry->payload()[entry->length - 1], static_cast<std::byte>(number & 0xff));
            }
            ring.pop(*entry);
            model.pop_front();
        } else {
            ASSERT_TRUE(model.empty());
        }
    }
    EXPECT_GT(ring.head(), 100 * kBytes);
}

TEST_F(RingTest, a_consumer_thread_gets_every_entry_whole_and_in_order) {
    constexpr uint32_t kCount = 10000;
    std::thread producer([&] {
        std::mt19937 random(1);
        for (uint32_t i = 0; i < kCount;) {
            const uint32_t length = 4 + random() % 200;
            Entry *entry = ring.reserve(length);
            if (!entry) {
                std::this_thread::sleep_for(kPause);
                continue;
            }
            std::memset(entry->payload(), static_cast<int>(i & 0xff), length);
            std::memcpy(entry->payload(), &i, sizeof(i));
            entry->type = KTR_USER;
            if (i % 7 == 0) { // an interrupt inside, whose entry is taken back
                if (ring.reserve(8))
                    ring.commit();
            }
            ring.commit();
            i++;
        }
    });
    uint32_t expected = 0;
    uint64_t time = 0;
    while (expected < kCount) {
        const uint64_t end = ring.head();
        while (!ring.committed_to(end))
            std::this_thread::sleep_for(kPause);
        while (const Entry *entry = ring.front(end)) {
            uint32_t number = 0;
            std::memcpy(&number, entry->payload(), sizeof(number));
            ASSERT_EQ(number, expected);
            ASSERT_GE(entry->time, time);
            time = entry->time;
            expected++;
            ring.pop(*entry);
        }
    }
    producer.join();
    EXPECT_EQ(front(), nullptr);
}

} // namespace
