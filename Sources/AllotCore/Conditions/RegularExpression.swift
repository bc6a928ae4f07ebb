internal import CRE2

/// A compiled pattern that searches text in time linear in the text's length. RE2 was chosen over PCRE2 because its
/// bound is a property of the algorithm, not of a counter: it never backtracks, so no pattern makes it slow. Warehouses
/// such as BigQuery, ClickHouse and DuckDB use it too, so SQL written from a plan gives the same results. It has no
/// back-references and no look-around. This is the only file that imports it.
package final class RegularExpression: Sendable {
    package let pattern: String
    package let ignoresCase: Bool
    private let expression: Handle
    /// The number of bytes beyond which a text is not searched: it does not match, and the case is counted. Together
    /// with the memory limit, which bounds the compiled program, this bounds the steps of one search. The worst pattern
    /// that compiles takes about 0.1 s, common ones take microseconds.
    package static let maximumTextLength = 4096
    /// The bytes that one expression may use for its program and its automaton.
    private static let memoryLimit: Int64 = 1 << 20

    package struct InvalidPattern: Error { package let reason: String }

    package init(_ pattern: String, ignoresCase: Bool) throws(InvalidPattern) {
        (self.pattern, self.ignoresCase) = (pattern, ignoresCase)
        expression = Handle(Array(pattern.utf8), ignoresCase: ignoresCase, memoryLimit: Self.memoryLimit)
        if let reason = expression.error { throw InvalidPattern(reason: reason) }
    }

    /// Whether the pattern occurs anywhere in the text. Returns `nil` if the text is beyond the bound.
    func matches(_ text: Span<UInt8>) -> Bool? {
        guard text.count <= Self.maximumTextLength else { return nil }
        return expression.matches(text)
    }

    package func matches(_ text: String) -> Bool { matches(Array(text.utf8).span) ?? false }

    /// The owner of the C++ object, which is immutable and safe to use from several threads.
    private final class Handle: Sendable {
        private let address: Address

        /// An address instead of a pointer, which is not `Sendable`. RE2 documents that threads may share the object.
        private struct Address: Sendable {
            let bits: UInt
            var pointer: OpaquePointer? { OpaquePointer(bitPattern: bits) }
        }

        init(_ pattern: [UInt8], ignoresCase: Bool, memoryLimit: Int64) {
            address = Address(
                bits: UInt(bitPattern: allot_re2_create(pattern, pattern.count, ignoresCase, memoryLimit)))
        }

        deinit { allot_re2_destroy(address.pointer) }

        var error: String? { allot_re2_error(address.pointer).map { String(cString: $0) } }

        func matches(_ text: Span<UInt8>) -> Bool {
            text.withUnsafeBufferPointer { allot_re2_matches(address.pointer, $0.baseAddress, $0.count) }
        }
    }
}
