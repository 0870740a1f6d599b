// SPDX-License-Identifier: GPL-2.0-only
// Trace files in memory, and the memory of processes.
#include "fake_kshim.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

struct kshim_file {
    std::atomic<int> refs{1};
    fake::File inode;
};

namespace fake {

extern thread_local const kshim_cred *worker_cred;
std::atomic<int> open_error{0};
std::atomic<int> logged_errors{0};
std::atomic<int> last_logged_error{0};

namespace {
std::mutex names_mutex;
std::map<std::string, File> paths;
std::map<int32_t, File> fds;

std::string read_path(uint64_t address) {
    std::string path;
    for (char c = 0; kshim_copy_from_user(&c, address + path.size(), 1) == 0 && c != 0;)
        path += c;
    return path;
}

template <typename Map, typename Key>
int look_up(const Map &map, const Key &key, int error, kshim_file **ret) {
    std::lock_guard lock(names_mutex);
    const auto at = map.find(key);
    if (at == map.end())
        return -error;
    *ret = open_file(at->second);
    return 0;
}
} // namespace

void Inode::set_hangs(bool value) {
    std::lock_guard lock(mutex);
    hangs = value;
    changed.notify_all();
}

std::vector<std::byte> Inode::snapshot() {
    std::lock_guard lock(mutex);
    return data;
}

size_t Inode::size() {
    std::lock_guard lock(mutex);
    return data.size();
}

void Inode::wait_size(size_t bytes) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(20), [&] { return data.size() >= bytes; });
}

void add_path(const std::string &path, File file) {
    std::lock_guard lock(names_mutex);
    paths[path] = std::move(file);
}

void add_fd(int32_t fd, File file) {
    std::lock_guard lock(names_mutex);
    fds[fd] = std::move(file);
}

void close_all() {
    std::lock_guard lock(names_mutex);
    paths.clear();
    fds.clear();
}

kshim_file *open_file(const File &file) {
    counts.files++;
    auto *opened = new kshim_file;
    opened->inode = file;
    return opened;
}

void Process::map(uint64_t address, const std::string &bytes, bool resident) {
    std::lock_guard lock(memory_mutex);
    Page &page = memory[address];
    page.resident = resident;
    page.bytes.resize(bytes.size());
    std::memcpy(page.bytes.data(), bytes.data(), bytes.size());
}

bool Process::copy(void *to, uint64_t from, size_t length, bool may_fault) {
    std::lock_guard lock(memory_mutex);
    if (length == 0)
        return true;
    auto at = memory.upper_bound(from);
    if (at == memory.begin())
        return false;
    --at;
    Page &page = at->second;
    const uint64_t offset = from - at->first;
    if (offset >= page.bytes.size() || length > page.bytes.size() - offset || (!page.resident && !may_fault))
        return false;
    page.resident = true;
    std::memcpy(to, page.bytes.data() + offset, length);
    return true;
}

} // namespace fake

int kshim_file_open(uint64_t user_path, struct kshim_file **ret) {
    fake::might_sleep("kshim_file_open");
    if (const int error = fake::open_error)
        return -error;
    char first = 0;
    if (kshim_copy_from_user(&first, user_path, 1) != 0)
        return -EFAULT;
    return fake::look_up(fake::paths, fake::read_path(user_path), ENOENT, ret);
}

int kshim_file_from_fd(int32_t fd, struct kshim_file **ret) {
    fake::might_sleep("kshim_file_from_fd");
    return fake::look_up(fake::fds, fd, EBADF, ret);
}

void kshim_file_put(struct kshim_file *file) {
    fake::might_sleep("kshim_file_put");
    fake::counts.files--;
    if (--file->refs == 0)
        delete file;
}

bool kshim_file_same(const struct kshim_file *a, const struct kshim_file *b) { return a->inode == b->inode; }

bool kshim_file_is_regular(const struct kshim_file *file) { return file->inode->regular; }

int64_t kshim_file_write(struct kshim_file *file, const void *buf, size_t len) {
    fake::might_sleep("kshim_file_write");
    fake::check(fake::worker_cred != nullptr, "a write outside of a worker");
    fake::Inode &inode = *file->inode;
    std::unique_lock lock(inode.mutex);
    inode.waiting++;
    inode.changed.wait(lock, [&] { return !inode.hangs; });
    inode.waiting--;
    inode.writer_uids.push_back(fake::worker_cred->uid);
    if (inode.write_errno)
        return -inode.write_errno;
    const uint64_t room = inode.capacity > inode.data.size() ? inode.capacity - inode.data.size() : 0;
    const size_t fits = std::min<uint64_t>({len, room, inode.longest_write});
    if (fits == 0 && len != 0)
        return -inode.full_errno;
    const auto *bytes = static_cast<const std::byte *>(buf);
    inode.data.insert(inode.data.end(), bytes, bytes + fits);
    inode.writes.push_back(fits);
    inode.changed.notify_all();
    return static_cast<int64_t>(fits);
}

int64_t kshim_file_size(const struct kshim_file *file) { return static_cast<int64_t>(file->inode->size()); }

int kshim_file_truncate(struct kshim_file *file, int64_t size) {
    fake::might_sleep("kshim_file_truncate");
    fake::check(fake::worker_cred != nullptr, "a truncation outside of a worker");
    std::lock_guard lock(file->inode->mutex);
    file->inode->data.resize(static_cast<size_t>(size));
    file->inode->truncations++;
    return 0;
}

uint64_t kshim_file_limit() {
    fake::might_sleep("kshim_file_limit");
    return fake::current()->process->file_limit;
}

void kshim_file_log_stopped(const struct kshim_file *, int error) {
    fake::might_sleep("kshim_file_log_stopped");
    fake::last_logged_error = error;
    fake::logged_errors++;
}

int kshim_copy_from_user_nofault(void *dst, uint64_t src, size_t len) {
    return fake::current()->process->copy(dst, src, len, false) ? 0 : -EFAULT;
}

int kshim_copy_from_user(void *dst, uint64_t src, size_t len) {
    fake::might_sleep("kshim_copy_from_user");
    return fake::current()->process->copy(dst, src, len, true) ? 0 : -EFAULT;
}

void kshim_syscall_args(const struct kshim_regs *regs, uint64_t args[6]) { std::copy_n(regs->args, 6, args); }
