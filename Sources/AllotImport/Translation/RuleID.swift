import Allot
import AllotConfiguration

/// The other system's IDs of rules, which end the names of their experiments: numbers would change when a rule is
/// inserted before others.
enum RuleID {
    /// The greatest length of an ID that a name has as a whole.
    private static let limit = 20
    /// The number of characters that a name has of a longer ID, such as a UUID or a hash.
    private static let shortLength = 8

    /// The IDs of a flag's rules as names have them. Long IDs are cut where no other ID of the flag begins alike.
    ///
    /// - Parameter ids: By rule the ID; `nil` or empty if it has none.
    /// - Returns: By rule the ID in short; `nil` if it has none.
    static func short(_ ids: [String?]) -> [String?] {
        func start(_ id: String) -> UTF8Key { UTF8Key(id.prefix(shortLength).lowercased()) }
        let known = Set(ids.compactMap { $0.map(UTF8Key.init) })
        let counts: [UTF8Key: Int] = known.reduce(into: [:]) { $0[start($1.text), default: 0] += 1 }
        return ids.map { id in
            guard let id, !id.isEmpty else { return nil }
            return id.count > limit && counts[start(id)] == 1 ? String(id.prefix(shortLength)) : id
        }
    }

    /// The name of a flag's or an experiment's rule, in which a long key leaves room for the ID.
    static func name(_ key: String, _ id: String) -> String {
        "\(key.prefix(max(0, Salt.maximumLength - id.utf8.count - 1)))-\(id)"
    }
}
