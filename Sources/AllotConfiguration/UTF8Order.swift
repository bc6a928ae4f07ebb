/// Comparison of text by its UTF-8 bytes.
///
/// Swift compares `String` by canonical equivalence, which would make one name of two that hash differently.
package enum UTF8Order {
    /// Whether two texts have the same bytes.
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        // Borrowed and eight bytes at a time: looking up a name ends with this.
        guard left.utf8.count == right.utf8.count else { return false }
        let answer: Bool?? = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in
                areEqual(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
            }
        }
        if case .some(.some(let answer)) = answer { return answer }
        return left.utf8.elementsEqual(right.utf8)
    }

    private static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while left.count - offset >= 8 {
            guard
                left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            else { return false }
            offset += 8
        }
        while offset < left.count {
            guard left[offset] == right[offset] else { return false }
            offset += 1
        }
        return true
    }

    /// Whether `left` comes before `right` byte by byte.
    package static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}

/// Text that is equal to another, and hashes, by its UTF-8 bytes: a dictionary key that keeps apart what hashing keeps apart.
package struct UTF8Key: Sendable, Hashable, Comparable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: Self, right: Self) -> Bool {
        UTF8Order.areEqual(left.text, right.text)
    }

    package static func < (left: Self, right: Self) -> Bool {
        UTF8Order.precedes(left.text, right.text)
    }

    package func hash(into hasher: inout Hasher) {
        let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        guard isHashed == nil else { return }
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
