import AllotCore

/// Versions as Semantic Versioning 2.0 writes them: three numbers and no "v". Allot's own reading allows more.
enum StrictVersion {
    /// The pattern that a version of Allot must match in addition. Numbers of 20 digits and more are beyond 64 bits,
    /// where engines give up.
    static let pattern = "^[0-9]{1,19}\\.[0-9]{1,19}\\.[0-9]{1,19}([-+]|$)"

    static func isWithoutBuild(_ text: String) -> Bool? {
        guard Version(Array(text.utf8).span) != nil,
            let strict = try? RegularExpression(pattern, ignoresCase: false), strict.matches(text)
        else { return nil }
        return !text.contains("+")
    }
}
