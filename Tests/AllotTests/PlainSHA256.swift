/// SHA-256 written down from FIPS 180-4, one word after another: the oracle of the fast paths.
enum PlainSHA256 {
    /// The first 32 bits of the fractional parts of the `exponent`th roots of the first primes (sections 4.2.2, 5.3.3).
    private static func roots(_ count: Int, exponent: Int) -> [UInt32] {
        let primes = (2...311).filter { number in !(2..<number).contains { number.isMultiple(of: $0) } }
        return primes.prefix(count).map { prime in
            // The largest root * 2^32 whose power does not exceed prime * 2^(32 * exponent).
            var root: UInt64 = 0
            for bit in (0..<36).reversed() where power(root | 1 << bit, exponent, isAtMost: prime) { root |= 1 << bit }
            return UInt32(truncatingIfNeeded: root)
        }
    }

    /// Whether `root`^`exponent` is at most `prime` * 2^(32 * `exponent`).
    private static func power(_ root: UInt64, _ exponent: Int, isAtMost prime: Int) -> Bool {
        var value: [UInt64] = [1]
        for _ in 0..<exponent {
            var (product, carry): ([UInt64], UInt64) = ([], 0)
            for digit in value + [0, 0] {
                // 36 by 24 bits, so that a digit has room for the carry.
                let sum = digit * root + carry
                product.append(sum & 0xFF_FFFF)
                carry = sum >> 24
            }
            value = product
        }
        var bound = [UInt64](repeating: 0, count: value.count)
        for bit in 0..<12 where prime >> bit & 1 == 1 {
            let position = 32 * exponent + bit
            bound[position / 24] |= 1 << UInt64(position % 24)
        }
        return value.reversed().lexicographicallyPrecedes(bound.reversed()) || value == bound
    }

    private static let initial = roots(8, exponent: 2)
    private static let constants = roots(64, exponent: 3)

    /// The eight words of the digest.
    static func words(of message: [UInt8]) -> [UInt32] {
        var bytes = message + [0x80]
        while bytes.count % 64 != 56 { bytes.append(0) }
        bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: (message.count * 8) >> ($0 * 8)) }
        var hash = initial
        for start in stride(from: 0, to: bytes.count, by: 64) {
            var schedule = (0..<16).map { word in
                bytes[start + word * 4..<start + word * 4 + 4].reduce(0) { $0 << 8 | UInt32($1) }
            }
            for index in 16..<64 {
                let (early, late) = (schedule[index - 15], schedule[index - 2])
                let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
                let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
                schedule.append(schedule[index - 16] &+ first &+ schedule[index - 7] &+ second)
            }
            var state = hash
            for index in 0..<64 {
                let (a, b, c, e) = (state[0], state[1], state[2], state[4])
                let choice = e & state[5] ^ ~e & state[6]
                let sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
                let first = state[7] &+ sum1 &+ choice &+ constants[index] &+ schedule[index]
                let sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
                let second = sum0 &+ (a & b ^ a & c ^ b & c)
                state = [first &+ second, a, b, c, state[3] &+ first, e, state[5], state[6]]
            }
            hash = zip(hash, state).map { $0 &+ $1 }
        }
        return hash
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    /// The buckets of a unit ID, from the 40-bit numbers in 128 bits.
    static func buckets(salt: String, unitID: [UInt8]) -> (first: Int, second: Int) {
        let bytes = words(of: Array(salt.utf8) + [UInt8(ascii: ":")] + unitID).flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
        }
        func bucket(_ bytes: ArraySlice<UInt8>) -> Int {
            let number = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
            return Int(number * 1_000_000 / (1 << 40))
        }
        return (bucket(bytes[0..<5]), bucket(bytes[5..<10]))
    }
}
