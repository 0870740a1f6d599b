// SPDX-License-Identifier: GPL-2.0-only
//
// STRU: socket addresses.

#include "print_struct.hpp"
#include "text.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cstring>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sys/un.h>

namespace ktools {

namespace {

void put_inet(Output &out, Bytes data) {
    const auto address = load<sockaddr_in>(data);
    char text[INET_ADDRSTRLEN];
    inet_ntop(AF_INET, &address.sin_addr, text, sizeof(text));
    out.print("{}:{}", text, ntohs(address.sin_port));
}

void put_inet6(Output &out, Bytes data) {
    // The kernel also takes the shorter one of RFC 2133, without a scope.
    sockaddr_in6 address{};
    std::memcpy(&address, data.data(), std::min(data.size(), sizeof(address)));
    char text[INET6_ADDRSTRLEN];
    inet_ntop(AF_INET6, &address.sin6_addr, text, sizeof(text));
    out.print("[{}", text);
    if (address.sin6_scope_id)
        out.print("%{}", address.sin6_scope_id);
    out.print("]:{}", ntohs(address.sin6_port));
}

// A path ends at a NUL or with the structure; an abstract name starts with a NUL, which
// is shown as @, and may hold more of them.
void put_unix(Output &out, Bytes data) {
    std::string_view path = as_text(data.subspan(offsetof(sockaddr_un, sun_path)));
    if (!path.empty() && path.front() == '\0') {
        out.put('@');
        path.remove_prefix(1);
    } else {
        path = path.substr(0, path.find('\0'));
    }
    put_escaped(out, path);
}

void put_netlink(Output &out, Bytes data) {
    const auto address = load<sockaddr_nl>(data);
    out.print("netlink[pid={}, groups=0x{:x}]", address.nl_pid, address.nl_groups);
}

void put_packet(Output &out, Bytes data) {
    const auto address = load<sockaddr_ll>(data);
    out.print("protocol=0x{:04x}, ifindex={}, hatype={}, pkttype={}, addr=", ntohs(address.sll_protocol),
              address.sll_ifindex, address.sll_hatype, address.sll_pkttype);
    const size_t length = std::min<size_t>(address.sll_halen, sizeof(address.sll_addr));
    for (size_t i = 0; i < length; ++i)
        out.print("{}{:02x}", i ? ":" : "", address.sll_addr[i]);
}

struct Family {
    sa_family_t number;
    std::string_view name;
    size_t size; // least one that put can read
    void (*put)(Output &out, Bytes data);
};

constexpr Family kFamilies[] = {
    {AF_UNSPEC, "AF_UNSPEC", 0, nullptr},
    {AF_UNIX, "AF_UNIX", sizeof(sa_family_t), put_unix},
    {AF_INET, "AF_INET", sizeof(sockaddr_in), put_inet},
    {AF_AX25, "AF_AX25", 0, nullptr},
    {AF_IPX, "AF_IPX", 0, nullptr},
    {AF_X25, "AF_X25", 0, nullptr},
    {AF_INET6, "AF_INET6", offsetof(sockaddr_in6, sin6_scope_id), put_inet6},
    {AF_NETLINK, "AF_NETLINK", sizeof(sockaddr_nl), put_netlink},
    {AF_PACKET, "AF_PACKET", sizeof(sockaddr_ll), put_packet},
    {AF_TIPC, "AF_TIPC", 0, nullptr},
    {AF_BLUETOOTH, "AF_BLUETOOTH", 0, nullptr},
    {AF_ALG, "AF_ALG", 0, nullptr},
    {AF_VSOCK, "AF_VSOCK", 0, nullptr},
    {AF_XDP, "AF_XDP", 0, nullptr},
};

const Family *find_family(sa_family_t number) {
    const auto found = std::find_if(std::begin(kFamilies), std::end(kFamilies),
                                    [=](const Family &family) { return family.number == number; });
    return found == std::end(kFamilies) ? nullptr : found;
}

} // namespace

void put_sockaddr(PrintContext context, std::string_view, Bytes data) {
    Output &out = context.out;
    const auto number = load<sa_family_t>(data);
    const Family *family = find_family(number);
    out.put("{ ");
    if (family && number == AF_UNIX && data.size() == sizeof(sa_family_t)) {
        out.put(family->name); // has no name
    } else if (family && family->put && data.size() >= family->size) {
        out.print("{}, ", family->name);
        family->put(out, data);
    } else {
        if (family)
            out.print("{}, {} bytes:", family->name, data.size());
        else
            out.print("family={}, {} bytes:", number, data.size());
        put_byte_list(out, data);
    }
    out.put(" }");
}

} // namespace ktools
