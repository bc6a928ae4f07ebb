/// Comparison of text by its UTF-8 bytes: under Swift's canonical equivalence two names that hash differently can be
/// equal.
package enum UTF8Order {
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        // Names of settings are compared at each reading: comparing views byte by byte takes ten times as long.
        guard left.utf8.count == right.utf8.count else { return false }
        return withBytes(of: left, right) { left, right in
            var offset = 0
            while offset + 8 <= left.count {
                let difference =
                    left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    ^ right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                guard difference == 0 else { return false }
                offset += 8
            }
            while offset < left.count {
                guard left[offset] == right[offset] else { return false }
                offset += 1
            }
            return true
        } ?? left.utf8.elementsEqual(right.utf8)
    }

    package static func precedes(_ left: String, _ right: String) -> Bool {
        withBytes(of: left, right) { left, right in
            let common = min(left.count, right.count)
            var offset = 0
            while offset < common {
                if left[offset] != right[offset] { return left[offset] < right[offset] }
                offset += 1
            }
            return left.count < right.count
        } ?? left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// The position of a text, or where it would be inserted, among sorted texts. Complexity: O(log *n*).
    package static func position(of text: String, among count: Int, _ element: (Int) -> String) -> Int {
        (0..<count).partitionPoint { precedes(element($0), text) }
    }

    /// Gives the bytes of two texts to `body` if they are contiguous, as in all texts but some of Objective-C's.
    private static func withBytes(
        of left: String, _ right: String, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
    ) -> Bool? {
        left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in
                body(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
            }
        } ?? nil
    }
}

/// Text that is compared and hashed by its UTF-8 bytes, as a dictionary key. `Sendable`.
package struct UTF8Key: Sendable, Hashable, Comparable {
    package let text: String

    package init(_ text: String) { self.text = text }
    package static func == (left: Self, right: Self) -> Bool { UTF8Order.areEqual(left.text, right.text) }
    package static func < (left: Self, right: Self) -> Bool { UTF8Order.precedes(left.text, right.text) }

    package func hash(into hasher: inout Hasher) {
        let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        guard isHashed == nil else { return }
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

package enum UTF8Validation {
    /// The offset of the first byte that is not valid UTF-8. Returns `nil` if all bytes are.
    package static func firstInvalidOffset(in bytes: some Sequence<UInt8>) -> Int? {
        // The standard library's validation is many times as fast, but does not say where.
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *),
            String(validating: bytes, as: UTF8.self) != nil
        {
            return nil
        }
        var decoder = UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }
}
