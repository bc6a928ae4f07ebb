import AllotCore

/// Texts that stand for a missing value, such as `NULL`. They are compared byte by byte.
package struct NullWords: Sendable {
    private let words: [[UInt8]]

    package init(_ words: [String]) { self.words = words.map { Array($0.utf8) } }
    package var isEmpty: Bool { words.isEmpty }
    package func contains(_ value: Span<UInt8>) -> Bool { words.contains { ByteTable.areEqual($0.span, value) } }
}
