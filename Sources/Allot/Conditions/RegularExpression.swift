internal import CRE2

/// A compiled pattern that searches text in time linear in its length.
///
/// RE2 was chosen over PCRE2 because its bound is a property of the algorithm and not of a counter: it never
/// backtracks, so no pattern makes it slow, and the languages that Allot's plans are written out to (BigQuery,
/// ClickHouse and DuckDB among them) use the same engine and give the same answers. It has no back-references and no
/// look-around. This is the only file that meets it.
package final class RegularExpression: Sendable {
    /// The pattern as written.
    package let pattern: String
    /// Whether case is ignored.
    package let ignoresCase: Bool
    private let expression: Handle

    /// Text beyond this many bytes is not searched: no match, and counted. With the memory limit, which bounds the
    /// program, it bounds the steps of one search: the worst pattern that compiles takes about 0.1 s, common ones
    /// microseconds.
    package static let maximumTextLength = 4096

    /// What one expression may use for its program and its automaton.
    private static let memoryLimit: Int64 = 1 << 20

    /// Why a pattern is refused.
    package struct InvalidPattern: Error {
        package let reason: String
    }

    /// Compiles a pattern of RE2's syntax, which is Perl's without back-references and look-around.
    package init(_ pattern: String, ignoresCase: Bool) throws(InvalidPattern) {
        self.pattern = pattern
        self.ignoresCase = ignoresCase
        expression = Handle(Array(pattern.utf8), ignoresCase: ignoresCase, memoryLimit: Self.memoryLimit)
        if let reason = expression.error { throw InvalidPattern(reason: reason) }
    }

    /// Whether the pattern occurs anywhere in the text; `nil` when the text is beyond the bound.
    func matches(_ text: Span<UInt8>) -> Bool? {
        guard text.count <= Self.maximumTextLength else { return nil }
        return expression.matches(text)
    }

    /// Whether the pattern occurs anywhere in the text, which is short: text beyond the bound does not match.
    package func matches(_ text: String) -> Bool {
        matches(Array(text.utf8).span) ?? false
    }

    /// Owner of the C++ object, which is immutable and safe to use from several threads.
    private final class Handle: Sendable {
        private let address: Address

        /// The C compiler gives no promise that the object may be shared; RE2's documentation does.
        private struct Address: Sendable {
            let bits: UInt
            var pointer: OpaquePointer? { OpaquePointer(bitPattern: bits) }
        }

        init(_ pattern: [UInt8], ignoresCase: Bool, memoryLimit: Int64) {
            address = Address(
                bits: UInt(bitPattern: allot_re2_create(pattern, pattern.count, ignoresCase, memoryLimit)))
        }

        deinit {
            allot_re2_destroy(address.pointer)
        }

        var error: String? {
            allot_re2_error(address.pointer).map { String(cString: $0) }
        }

        func matches(_ text: Span<UInt8>) -> Bool {
            text.withUnsafeBufferPointer { allot_re2_matches(address.pointer, $0.baseAddress, $0.count) }
        }
    }
}
