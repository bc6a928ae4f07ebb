/// Comparison of text that ignores the case of ASCII letters, and of no others.
enum ASCIIText {
    /// Whether a text is a word in lower case.
    static func areEqual(_ text: String, _ word: String) -> Bool {
        text.utf8.count == word.utf8.count && zip(text.utf8, word.utf8).allSatisfy { lowercased($0) == $1 }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
