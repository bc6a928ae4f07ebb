/// A key that is equal to another exactly when their UTF-8 bytes are, unlike `String`, for which canonically
/// equivalent texts are equal. `Sendable`.
package struct KeyBytes: Hashable, Sendable {
    /// The key.
    package let text: String

    /// Wraps a key.
    package init(_ text: String) {
        self.text = text
    }

    /// Compares the bytes. Complexity: O(length).
    package static func == (left: KeyBytes, right: KeyBytes) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes the bytes. Complexity: O(length).
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
