/// A token of YAML, as libyaml cuts the text. `Sendable`.
struct YAMLToken: Sendable {
    /// What a token is.
    enum Kind: Hashable, Sendable {
        /// A line that starts with `%`.
        case directive

        /// `---` at the start of a line.
        case documentStart

        /// `...` at the start of a line.
        case documentEnd

        /// `[`
        case listStart

        /// `]`
        case listEnd

        /// `{`
        case mapStart

        /// `}`
        case mapEnd

        /// `,` between brackets.
        case comma

        /// `-` in front of an entry of a list.
        case dash

        /// `?` in front of a key.
        case questionMark

        /// `:` in front of a value.
        case colon

        /// `*name`
        case alias

        /// `&name`
        case anchor

        /// `!name`
        case tag

        /// Text without quotes.
        case plain

        /// Text in single or double quotes.
        case quoted

        /// Text after `|` or `>`.
        case block
    }

    /// What the token is.
    let kind: Kind

    /// Where the token starts.
    let position: SourcePosition

    /// The byte at which the token starts.
    let start: Int

    /// The byte behind the token; for plain text, behind the white space that follows it.
    let end: Int

    /// Of a colon that ends a simple key (one without `?`): where that key starts.
    let keyStart: SourcePosition?
}
