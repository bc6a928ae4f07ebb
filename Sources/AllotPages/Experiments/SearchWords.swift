/// The words of a search: what is found has all of them, in any order and any case of letters.
struct SearchWords {
    private let words: [String]
    /// The most words that are looked for: requests may have thousands.
    private static let most = 16

    /// Reads the first 16 words, between any white space. A text without one finds everything.
    init(_ text: String) {
        words = text.lowercased().split(whereSeparator: \.isWhitespace).prefix(Self.most).map(String.init)
    }

    func areFound(in texts: @autoclosure () -> [String]) -> Bool {
        guard !words.isEmpty else { return true }
        let texts = texts().map { $0.lowercased() }
        return words.allSatisfy { word in texts.contains { $0.contains(word) } }
    }

    /// The text with another word for each, or `nil` if there is none for some word.
    func corrected(_ other: (String) -> String?) -> String? {
        let others = words.compactMap(other)
        return others.count == words.count && !others.isEmpty ? others.joined(separator: " ") : nil
    }
}
