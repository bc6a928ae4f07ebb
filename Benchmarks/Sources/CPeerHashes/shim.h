#ifndef ALLOT_BENCHMARKS_CPEERHASHES_H
#define ALLOT_BENCHMARKS_CPEERHASHES_H

// The low-level interface, as Allot itself uses it: EVP's fetch would cost more than the hash.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/md5.h>
#include <openssl/sha.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

// The first 8 bytes of a digest as a big-endian number.
static inline uint64_t peer_prefix(const unsigned char *digest) {
    uint64_t prefix = 0;
    for (int index = 0; index < 8; index++) prefix = prefix << 8 | digest[index];
    return prefix;
}

static inline uint64_t peer_md5(const void *message, size_t length) {
    unsigned char digest[MD5_DIGEST_LENGTH];
    MD5_CTX context;
    MD5_Init(&context);
    MD5_Update(&context, message, length);
    MD5_Final(digest, &context);
    return peer_prefix(digest);
}

static inline uint64_t peer_sha1(const void *message, size_t length) {
    unsigned char digest[SHA_DIGEST_LENGTH];
    SHA_CTX context;
    SHA1_Init(&context);
    SHA1_Update(&context, message, length);
    SHA1_Final(digest, &context);
    return peer_prefix(digest);
}

static inline uint64_t peer_sha256(const void *message, size_t length) {
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, message, length);
    SHA256_Final(digest, &context);
    return peer_prefix(digest);
}

#endif
