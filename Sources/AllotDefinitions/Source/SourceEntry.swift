/// One key of a map and its value, as they were written. `Sendable`.
package struct SourceEntry: Hashable, Sendable {
    /// The key, with quotes and escapes resolved. Compare it by its UTF-8 bytes, as the parsers do: `String ==` takes
    /// canonically equivalent texts for equal.
    package let key: String

    /// Where the key starts.
    package let keyPosition: SourcePosition

    /// The value.
    package let value: SourceNode

    /// Makes an entry.
    package init(key: String, keyPosition: SourcePosition, value: SourceNode) {
        self.key = key
        self.keyPosition = keyPosition
        self.value = value
    }
}
