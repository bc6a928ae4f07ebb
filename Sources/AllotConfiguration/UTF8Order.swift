/// Comparison of text by its UTF-8 bytes.
///
/// Swift compares `String` by canonical equivalence, which would make one name of two that hash differently.
package enum UTF8Order {
    /// Whether two texts have the same bytes.
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
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
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
