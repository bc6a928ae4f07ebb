extension JSONValue {
    /// Reads JSON that stands in source, for values that would be long as a literal of Swift:
    /// `JSONValue(literal: "{\"columns\": [1, 2]}")`.
    ///
    /// Never fails: text that is no JSON, or nests deeper than ``defaultDepthLimit``, becomes ``null``. For text that is
    /// not your own use ``init(parsing:depthLimit:allowsTrailingCommas:)``, which says what is wrong.
    ///
    /// - Complexity: O(*n*).
    public init(literal text: String) {
        self = (try? JSONValue(parsing: Array(text.utf8))) ?? .null
    }
}
