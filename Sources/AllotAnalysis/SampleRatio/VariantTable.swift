import Allot

/// Finds the numbers of variants by their keys' bytes.
struct VariantTable: Sendable {
    private(set) var keys: [String]
    /// The most variants; further ones are unknown.
    private let limit: Int
    private var table: ByteTable

    /// - Parameter limit: the number of variants; those that have no key yet get it as they come.
    init(_ keys: [String], limit: Int) {
        self.keys = keys
        self.limit = limit
        table = Self.table(keys)
    }

    /// The number of a variant; `nil` for an unknown one.
    mutating func find(_ key: Span<UInt8>) -> Int? {
        if let found = table.find(key) { return found }
        guard keys.count < limit else { return nil }
        keys.append(key.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        table = Self.table(keys)
        return keys.count - 1
    }

    private static func table(_ keys: [String]) -> ByteTable {
        ByteTable(keys.enumerated().map { (key: Array($0.element.utf8), value: $0.offset) })
    }
}
