import AllotConfiguration
import AllotCore

/// The other system's IDs of rules, which end the names of their experiments: numbers would change when a rule is
/// inserted before others.
enum RuleID {
    /// The ID as names have it: of a random UUID, of version 4, the first eight digits.
    ///
    /// Other IDs change nothing.
    ///
    /// - Returns: `nil` if there is no ID.
    static func short(_ id: String?) -> String? {
        guard let id, !id.isEmpty else { return nil }
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        let isRandom =
            parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts[2].first == "4"
            && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
        return isRandom ? String(parts[0]) : id
    }

    /// The name of a flag's or an experiment's rule, in which a long key leaves room for the ID.
    static func name(_ key: String, _ id: String) -> String {
        "\(key.prefix(max(0, Salt.maximumLength - id.utf8.count - 1)))-\(id)"
    }
}
