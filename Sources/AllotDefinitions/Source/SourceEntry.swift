/// One key of a map and its value, as they were written. `Sendable`.
package struct SourceEntry: Sendable {
    /// The key, with quotes and escapes resolved. Compare it by its bytes, as `UTF8Key` does.
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
