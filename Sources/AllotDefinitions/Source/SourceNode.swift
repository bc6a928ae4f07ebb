/// A value as it was written in a definitions file, with the place where it stands. `Sendable`.
///
/// YAML and JSON files give the same tree. It knows nothing of what a definition means; in particular numbers are kept
/// as their digits. Nodes cannot be compared, because `String ==` would take canonically equivalent texts for equal.
package struct SourceNode: Sendable {
    /// What was written.
    package enum Content: Sendable {
        /// `null`, `~`, or nothing at all.
        case null

        /// `true` or `false`.
        case boolean(Bool)

        /// A number of JSON's grammar, with the digits it was written with.
        case number(String)

        /// Any other scalar, with quotes and escapes resolved.
        case text(String)

        /// A sequence of values.
        case list([SourceNode])

        /// A mapping, in the order in which it was written. No two entries have the same key, byte for byte.
        case map([SourceEntry])
    }

    /// Where the value starts; for a value left out, the place behind the colon or dash where it was expected.
    package let position: SourcePosition

    /// What was written.
    package let content: Content

    /// Makes a node.
    package init(position: SourcePosition, content: Content) {
        self.position = position
        self.content = content
    }
}
