// SPDX-License-Identifier: GPL-2.0-only
/* STRUCT: addresses of sockets, which have the size that the program or the kernel says. */
#include "harness.h"
#include "structs.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

FIXTURE(sockets)
{
	struct trace trace;
	struct records records;
	struct sockaddr_un unix_name, unix_peer;
	socklen_t unix_length, peer_length;
	struct sockaddr_in inet_name;
	int receiver, sender; /* of datagrams: unix_name and unix_peer */
};

static socklen_t make_name(FIXTURE_DATA(sockets) * self, struct sockaddr_un *name,
			   const char *file)
{
	*name = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(name->sun_path, sizeof(name->sun_path), "%s/%s", self->trace.dir, file);
	return offsetof(struct sockaddr_un, sun_path) + strlen(name->sun_path) + 1;
}

static int named_socket(int type, const struct sockaddr_un *name, socklen_t length)
{
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	require(fd >= 0 && bind(fd, (const void *)name, length) == 0);
	return fd;
}

FIXTURE_SETUP(sockets)
{
	trace_init(&self->trace);
	self->unix_length = make_name(self, &self->unix_name, "name");
	self->peer_length = make_name(self, &self->unix_peer, "the peer");
	self->receiver = named_socket(SOCK_DGRAM, &self->unix_name, self->unix_length);
	self->sender = named_socket(SOCK_DGRAM, &self->unix_peer, self->peer_length);
	self->inet_name = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(4711),
						.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}
FIXTURE_TEARDOWN(sockets)
{
	records_free(&self->records);
	trace_fini(&self->trace);
}

#define TRACE(body) trace_body(&self->trace, STRUCTS | CALLS, body, self, &self->records)
#define NTH(call, nth) struct_in(&self->records, SYS_##call, nth)
#define HAS(call, name, length)                                                \
	(is_struct(NTH(call, 0), "sockaddr", &(name), length) && !NTH(call, 1))

/* --- connections --- */

static int do_unix_stream(void *arg)
{
	FIXTURE_DATA(sockets) *self = arg;
	struct sockaddr_un name, peer;
	socklen_t length = make_name(self, &name, "stream");
	int server = socket(AF_UNIX, SOCK_STREAM, 0);
	int client = socket(AF_UNIX, SOCK_STREAM, 0);

	if (bind(server, (void *)&name, length) || listen(server, 1) ||
	    connect(client, (void *)&name, length))
		return 1;
	length = sizeof(peer);
	return accept(server, (void *)&peer, &length) < 0;
}

TEST_F(sockets, bind_and_connect_have_the_unix_name)
{
	struct sockaddr_un name;
	socklen_t length = make_name(self, &name, "stream");

	TRACE(do_unix_stream);
	EXPECT_TRUE(HAS(bind, name, length));
	EXPECT_TRUE(HAS(connect, name, length));
}

TEST_F(sockets, accept_of_a_nameless_peer_has_its_family_only)
{
	const sa_family_t family = AF_UNIX;

	TRACE(do_unix_stream);
	EXPECT_TRUE(HAS(accept, family, sizeof(family)));
}

static int do_inet_stream(void *arg)
{
	FIXTURE_DATA(sockets) *self = arg;
	struct sockaddr_in peer;
	socklen_t length = sizeof(peer);
	int server = socket(AF_INET, SOCK_STREAM, 0);
	int client = socket(AF_INET, SOCK_STREAM, 0);
	int connection;

	if (bind(server, (void *)&self->inet_name, sizeof(peer)) || listen(server, 1) ||
	    connect(client, (void *)&self->inet_name, sizeof(peer)))
		return 1;
	connection = accept4(server, (void *)&peer, &length, SOCK_CLOEXEC);
	return connection < 0 || getsockname(connection, (void *)&peer, &length) ||
	       getpeername(connection, (void *)&peer, &length);
}

TEST_F(sockets, inet_connection_has_its_addresses)
{
	const struct sockaddr_in *peer;

	TRACE(do_inet_stream);
	EXPECT_TRUE(HAS(bind, self->inet_name, 16));
	EXPECT_TRUE(HAS(connect, self->inet_name, 16));
	EXPECT_TRUE(HAS(getsockname, self->inet_name, 16));
	peer = struct_data(NTH(accept4, 0), "sockaddr", 16);
	ASSERT_NE(NULL, peer);
	EXPECT_EQ(AF_INET, peer->sin_family);
	EXPECT_EQ(self->inet_name.sin_addr.s_addr, peer->sin_addr.s_addr);
	EXPECT_TRUE(is_struct(NTH(getpeername, 0), "sockaddr", peer, 16));
}

static int do_accept_without_address(void *arg)
{
	FIXTURE_DATA(sockets) *self = arg;
	struct sockaddr_un name;
	socklen_t length = make_name(self, &name, "stream");
	int server = named_socket(SOCK_STREAM, &name, length);
	int client = socket(AF_UNIX, SOCK_STREAM, 0);

	if (listen(server, 1) || connect(client, (void *)&name, length))
		return 1;
	return accept(server, NULL, NULL) < 0;
}

TEST_F(sockets, accept_without_an_address_makes_no_record)
{
	TRACE(do_accept_without_address);
	EXPECT_EQ(1, count_calls(&self->records, 0, SYS_accept));
	EXPECT_EQ(NULL, NTH(accept, 0));
}

/* --- datagrams --- */

static int do_datagram(void *arg)
{
	FIXTURE_DATA(sockets) *self = arg;
	struct sockaddr_un peer;
	socklen_t length = sizeof(peer);
	char bytes[8];

	return sendto(self->sender, "data", 4, 0, (void *)&self->unix_name,
		      self->unix_length) != 4 ||
	       recvfrom(self->receiver, bytes, 8, 0, (void *)&peer, &length) != 4;
}

TEST_F(sockets, sendto_has_the_receiver)
{
	TRACE(do_datagram);
	EXPECT_TRUE(HAS(sendto, self->unix_name, self->unix_length));
}

TEST_F(sockets, recvfrom_has_the_sender)
{
	TRACE(do_datagram);
	EXPECT_TRUE(HAS(recvfrom, self->unix_peer, self->peer_length));
}

/* The address, then the bytes. */
TEST_F(sockets, address_comes_before_the_data)
{
	const struct record *r;

	trace_body(&self->trace, STRUCTS | CALLS | (int)KTRFAC_GENIO, do_datagram, self,
		   &self->records);
	r = next_call(&self->records, NULL, 0, SYS_recvfrom);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(KTR_STRUCT, r[1].type);
	EXPECT_EQ(KTR_GENIO, r[2].type);
	EXPECT_EQ(KTR_SYSRET, r[3].type);
}

static int do_messages(void *arg)
{
	FIXTURE_DATA(sockets) *self = arg;
	struct sockaddr_un peer;
	char bytes[8] = "data";
	struct iovec piece = { bytes, 4 };
	struct msghdr out = { .msg_name = &self->unix_name, .msg_namelen = self->unix_length,
			      .msg_iov = &piece, .msg_iovlen = 1 };
	struct msghdr in = { .msg_name = &peer, .msg_namelen = sizeof(peer),
			     .msg_iov = &piece, .msg_iovlen = 1 };

	return sendmsg(self->sender, &out, 0) != 4 || recvmsg(self->receiver, &in, 0) != 4;
}

TEST_F(sockets, sendmsg_has_the_receiver)
{
	TRACE(do_messages);
	EXPECT_TRUE(HAS(sendmsg, self->unix_name, self->unix_length));
}

TEST_F(sockets, recvmsg_has_the_sender)
{
	TRACE(do_messages);
	EXPECT_TRUE(HAS(recvmsg, self->unix_peer, self->peer_length));
}

static int do_messages_without_names(void *arg)
{
	char bytes[8] = "data";
	struct iovec piece = { bytes, 4 };
	struct msghdr message = { .msg_iov = &piece, .msg_iovlen = 1 };
	int pair[2];

	return socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) || sendmsg(pair[0], &message, 0) != 4 ||
	       recvmsg(pair[1], &message, 0) != 4;
}

TEST_F(sockets, messages_without_names_make_no_record)
{
	TRACE(do_messages_without_names);
	EXPECT_EQ(NULL, NTH(sendmsg, 0));
	EXPECT_EQ(NULL, NTH(recvmsg, 0));
}

static int do_failing_datagrams(void *arg)
{
	FIXTURE_DATA(sockets) *self = arg;
	struct sockaddr_un nobody, peer;
	socklen_t length = make_name(self, &nobody, "nobody");
	char bytes[8];

	if (sendto(self->sender, "data", 4, 0, (void *)&nobody, length) != -1)
		return 1;
	length = sizeof(peer);
	return recvfrom(self->receiver, bytes, 8, MSG_DONTWAIT, (void *)&peer, &length) != -1;
}

TEST_F(sockets, failing_sendto_has_the_receiver)
{
	struct sockaddr_un nobody;
	socklen_t length = make_name(self, &nobody, "nobody");

	TRACE(do_failing_datagrams);
	EXPECT_TRUE(HAS(sendto, nobody, length));
}

TEST_F(sockets, failing_recvfrom_has_no_sender)
{
	TRACE(do_failing_datagrams);
	EXPECT_EQ(1, count_calls(&self->records, 0, SYS_recvfrom));
	EXPECT_EQ(NULL, NTH(recvfrom, 0));
}

RUN_TESTS
