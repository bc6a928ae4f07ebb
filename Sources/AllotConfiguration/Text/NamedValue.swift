extension String {
    /// A name and its value, as people write them on a command line: the texts before and after the first `=`.
    ///
    /// Returns `nil` if there is no `=`, or nothing before it.
    package var namedValue: (name: String, value: String)? {
        // By bytes, since a combining mark after the sign would form one character with it.
        guard let equals = utf8.firstIndex(of: UInt8(ascii: "=")), equals > startIndex else { return nil }
        return (String(self[..<equals]), String(self[utf8.index(after: equals)...]))
    }
}
