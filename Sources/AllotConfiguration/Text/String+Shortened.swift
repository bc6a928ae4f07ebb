extension String {
    /// The text, or its beginning and how long it is if it has more bytes than that.
    package func shortened(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        return String(decoding: utf8.prefix(limit), as: UTF8.self) + "… (of \(utf8.count) bytes)"
    }
}
