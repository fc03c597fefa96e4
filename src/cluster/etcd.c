#include "cluster/etcd.h"
#include "base/json_scan.h"
#include "node/message.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- requests --------------------------------------------------------------------------------- */

enum { ETCD_TEXT = WIRE_CHANNELS * 26, BASE64 = ETCD_TEXT * 4 / 3 + 5 };

static void etcd_base64(const char *text, char out[BASE64])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *at = (const unsigned char *)text;
    size_t left = strlen(text);
    for (; left > 0; at += 3, left -= left < 3 ? left : 3) {
        uint32_t bits = (uint32_t)at[0] << 16;
        bits |= left > 1 ? (uint32_t)at[1] << 8 : 0;
        bits |= left > 2 ? at[2] : 0;
        *out++ = digits[bits >> 18];
        *out++ = digits[bits >> 12 & 63];
        *out++ = left > 1 ? digits[bits >> 6 & 63] : '=';
        *out++ = left > 2 ? digits[bits & 63] : '=';
    }
    *out = '\0';
}

/* The names of the key, and of what a leader leaves behind. */
static void etcd_write_keys(const struct etcd_election *election, char key[BASE64],
                            char closed[BASE64])
{
    char path[ETCD_TEXT];
    snprintf(path, sizeof path, "weir/%.*s", ETCD_NAME - 1, election->name);
    etcd_base64(path, key);
    snprintf(path, sizeof path, "weir/%.*s/closed", ETCD_NAME - 1, election->name);
    etcd_base64(path, closed);
}

/* If the key is still ours, deletes it, and leaves what agents may hold, until the lease ends. */
static void etcd_write_close(const struct leader_request *request,
                             const struct etcd_election *election, char body[ETCD_BODY])
{
    char text[ETCD_TEXT] = "", key[BASE64], closed[BASE64], value[BASE64];
    for (uint32_t i = 0; i < election->legacy.count; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%.17g ", election->legacy.held[i]);
    }
    etcd_write_keys(election, key, closed);
    etcd_base64(text, value);
    snprintf(body, ETCD_BODY,
             "{\"compare\":[{\"key\":\"%s\",\"target\":\"CREATE\",\"result\":\"EQUAL\","
             "\"create_revision\":\"%llu\"}],\"success\":[{\"request_put\":{\"key\":\"%s\","
             "\"value\":\"%s\",\"lease\":\"%llu\"}},{\"request_delete_range\":{\"key\":\"%s\"}}]}",
             key, (unsigned long long)request->epoch, closed, value,
             (unsigned long long)request->lease, key);
}

/* Creates the key if there is none, and takes what the leader before has left; else reads it: one
 * transaction. */
static void etcd_write_claim(uint64_t lease, const struct etcd_election *election,
                             char body[ETCD_BODY])
{
    char path[ETCD_TEXT], key[BASE64], who[BASE64], closed[BASE64];
    etcd_write_keys(election, key, closed);
    snprintf(path, sizeof path, "%.*s", ETCD_NAME - 1, election->candidate);
    etcd_base64(path, who);
    snprintf(body, ETCD_BODY,
             "{\"compare\":[{\"key\":\"%s\",\"target\":\"CREATE\",\"result\":\"EQUAL\","
             "\"create_revision\":\"0\"}],\"success\":[{\"request_put\":{\"key\":\"%s\","
             "\"value\":\"%s\",\"lease\":\"%llu\"}},"
             "{\"request_delete_range\":{\"key\":\"%s\",\"prev_kv\":true}}],"
             "\"failure\":[{\"request_range\":{\"key\":\"%s\"}}]}",
             key, key, who, (unsigned long long)lease, closed, key);
}

const char *etcd_write(const struct leader_request *request, const struct etcd_election *election,
                       char body[ETCD_BODY])
{
    static const char *const paths[LEADER_ASKS_COUNT] = {
        [LEADER_GRANT] = "/v3/lease/grant", [LEADER_RENEW] = "/v3/lease/keepalive",
        [LEADER_CLAIM] = "/v3/kv/txn",      [LEADER_REVOKE] = "/v3/lease/revoke",
        [LEADER_CLOSE] = "/v3/kv/txn",
    };
    if (request->ask == LEADER_CLAIM)
        etcd_write_claim(request->lease, election, body);
    else if (request->ask == LEADER_CLOSE)
        etcd_write_close(request, election, body);
    else if (request->ask == LEADER_GRANT)
        snprintf(body, ETCD_BODY, "{\"TTL\":\"%u\"}", request->ttl);
    else
        snprintf(body, ETCD_BODY, "{\"ID\":\"%llu\"}", (unsigned long long)request->lease);
    return paths[request->ask];
}

/* --- answers ---------------------------------------------------------------------------------- */

/* The members that matter: name, path. */
#define ETCD_MEMBERS(X)                                                                            \
    X(granted, "ID")                                                                               \
    X(granted_ttl, "TTL")                                                                          \
    X(renewed, "result.ID")                                                                        \
    X(renewed_ttl, "result.TTL")                                                                   \
    X(revision, "header.revision")                                                                 \
    X(holder, "responses.response_range.kvs.lease")                                                \
    X(created, "responses.response_range.kvs.create_revision")

struct etcd_members {
#define X(name, path) uint64_t name;
    ETCD_MEMBERS(X)
#undef X
    bool succeeded;
    bool lost; /* "no such lease" */
    struct leader_legacy legacy;
};

/* The bits of a digit, 64 = it is none. */
static uint32_t etcd_digit(char digit)
{
    if (digit >= 'A' && digit <= 'Z')
        return (uint32_t)(digit - 'A');
    if (digit >= 'a' && digit <= 'z')
        return (uint32_t)(digit - 'a') + 26;
    if (digit >= '0' && digit <= '9')
        return (uint32_t)(digit - '0') + 52;
    return digit == '+' ? 62 : digit == '/' ? 63 : 64;
}

/* What etcd_base64 has made; of anything else a part. */
static void etcd_unbase64(const struct json_leaf *leaf, char text[ETCD_TEXT])
{
    uint32_t bits = 0, count = 0;
    size_t length = 0;
    for (size_t i = 0; i < leaf->length && etcd_digit(leaf->text[i]) < 64; i++) {
        bits = bits << 6 | etcd_digit(leaf->text[i]);
        count += 6;
        if (count >= 8 && length + 1 < ETCD_TEXT)
            text[length++] = (char)(bits >> (count -= 8));
    }
    text[length] = '\0';
}

/* Numbers that cannot be held are none at all: then nothing is known. */
static void etcd_read_legacy(const struct json_leaf *leaf, struct leader_legacy *legacy)
{
    char text[ETCD_TEXT], *end;
    etcd_unbase64(leaf, text);
    *legacy = (struct leader_legacy){0};
    for (const char *at = text; *at; at = end + 1) {
        double held = strtod(at, &end);
        if (end == at || *end != ' ' || !(held >= 0 && held <= NODE_RATE) ||
            legacy->count == WIRE_CHANNELS) {
            legacy->count = 0;
            return;
        }
        legacy->held[legacy->count++] = held;
    }
}

/* A number that it writes as text; 0 if it is none, or does not fit. Leases are signed there, and
 * never negative. */
static uint64_t etcd_number(const struct json_leaf *leaf)
{
    uint64_t number = 0;
    if (leaf->length == 0 || leaf->length > 19)
        return 0;
    for (size_t i = 0; i < leaf->length; i++) {
        if (leaf->text[i] < '0' || leaf->text[i] > '9')
            return 0;
        number = number * 10 + (uint64_t)(leaf->text[i] - '0');
    }
    return number;
}

static void etcd_take(void *context, const struct json_leaf *leaf)
{
    struct etcd_members *members = context;
#define X(name, where)                                                                             \
    if (strcmp(leaf->path, where) == 0)                                                            \
        members->name = etcd_number(leaf);
    ETCD_MEMBERS(X)
#undef X
    if (strcmp(leaf->path, "succeeded") == 0)
        members->succeeded = leaf->length == 4 && memcmp(leaf->text, "true", 4) == 0;
    if (strcmp(leaf->path, "responses.response_delete_range.prev_kvs.value") == 0)
        etcd_read_legacy(leaf, &members->legacy);
    if (strcmp(leaf->path, "code") == 0)
        members->lost = etcd_number(leaf) == 5; /* gRPC's NOT_FOUND */
}

static bool etcd_read_lease(uint64_t lease, uint64_t ttl, struct leader_answer *answer)
{
    if (ttl > 86400)
        return false;
    answer->lease = ttl > 0 ? lease : 0;
    answer->ttl = (uint32_t)ttl;
    return true;
}

static bool etcd_read_claim(uint64_t lease, const struct etcd_members *members,
                            struct leader_answer *answer)
{
    answer->holder = members->succeeded ? lease : members->holder;
    answer->revision = members->succeeded ? members->revision : members->created;
    if (members->succeeded)
        answer->legacy = members->legacy;
    if (!members->succeeded && members->created > 0 && members->holder == 0)
        answer->holder = UINT64_MAX; /* a key without a lease is somebody's, for ever */
    return answer->holder > 0 && answer->revision > 0;
}

struct leader_answer etcd_read(const struct leader_request *request, int status, const char *body,
                               size_t size)
{
    struct etcd_members members = {0};
    struct leader_answer answer = {0};
    bool there = json_scan(body, size, etcd_take, &members) == 0;
    if (there && status == 404 && members.lost)
        there = request->ask != LEADER_GRANT;
    else if (there && status != 200)
        there = false;
    else if (there && request->ask == LEADER_GRANT)
        there = members.granted > 0 && members.granted_ttl > 0 &&
                etcd_read_lease(members.granted, members.granted_ttl, &answer);
    else if (there && request->ask == LEADER_RENEW)
        there = members.renewed == request->lease &&
                etcd_read_lease(request->lease, members.renewed_ttl, &answer);
    else if (there && request->ask == LEADER_CLAIM)
        there = etcd_read_claim(request->lease, &members, &answer);
    if (!there)
        return (struct leader_answer){0};
    answer.there = true;
    return answer;
}
