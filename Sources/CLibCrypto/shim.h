#ifndef ALLOT_CLIBCRYPTO_SHIM_H
#define ALLOT_CLIBCRYPTO_SHIM_H

// The low-level interface is deprecated in OpenSSL 3 in favour of EVP, whose fetch and context cost more than the
// compression itself: 300 ns and more a hash, against 45 ns.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <stdint.h>
#include <string.h>

// One application of SHA-256's compression function (FIPS 180-4, section 6.2.2) to a 64-byte block.
static inline void allot_sha256_compress(uint32_t *state, const uint8_t *block) {
    SHA256_CTX context;
    memcpy(context.h, state, sizeof context.h);
    SHA256_Transform(&context, block);
    memcpy(state, context.h, sizeof context.h);
}

// SHA-256 of a message that is padded to one 64-byte block: compression from the initial state (section 5.3.3).
static inline void allot_sha256_one_block(uint32_t *state, const uint8_t *block) {
    SHA256_CTX context;
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(context.h, initial, sizeof context.h);
    SHA256_Transform(&context, block);
    memcpy(state, context.h, sizeof context.h);
}

// A new RSA key of 2048 bits, or one on P-256; variadic functions do not reach Swift.
static inline EVP_PKEY *allot_generate_rsa(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)2048); }
static inline EVP_PKEY *allot_generate_p256(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256"); }

#endif
