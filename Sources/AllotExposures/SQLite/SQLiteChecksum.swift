/// A checksum of what a row says, so that damage is noticed that SQLite does not notice. 31 bits, so that billions can
/// be added up.
///
/// FNV-1a over the bytes of texts and over whole numbers at once.
struct SQLiteChecksum {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ text: String?) {
        guard let text else { return add(word: 0x100) }
        add(bytes: text.utf8)
    }

    mutating func add(bytes: some Sequence<UInt8>) {
        for byte in bytes { add(word: UInt64(byte)) }
        // A byte that is not in UTF-8 ends it, so that "a", "bc" differs from "ab", "c".
        add(word: 0xFF)
    }

    mutating func add(_ number: Int64?) {
        guard let number else { return add(word: 0x100) }
        add(word: UInt64(bitPattern: number))
        // A multiplication carries bits to the left only.
        hash ^= hash >> 32
    }

    private mutating func add(word: UInt64) {
        hash = (hash ^ word) &* 0x100_0000_01b3
    }

    var value: Int64 {
        Int64((hash ^ hash >> 33) & 0x7fff_ffff)
    }
}
