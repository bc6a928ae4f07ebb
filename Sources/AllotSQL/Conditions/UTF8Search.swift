/// Search by bytes, where `String` would compare what looks the same.
enum UTF8Search {
    static func contains(_ text: String, _ needle: String) -> Bool {
        let (text, needle) = (Array(text.utf8), Array(needle.utf8))
        guard text.count >= needle.count else { return false }
        return (0...text.count - needle.count).contains { text[$0..<$0 + needle.count].elementsEqual(needle) }
    }
}
