import AllotAnalysis
public import AllotConfiguration
import AllotCore

/// A variant described for people.
public struct CatalogVariant: Sendable {
    /// The key of the variant.
    public let key: String
    /// The description; `nil` if its definition does not say so.
    public let description: String?
    /// Its share of the enrolled units as a percentage; `nil` without a draw.
    public let share: String?
    /// Whether it won.
    public let isWinner: Bool
    /// The changes, in the order of the definition; empty for a variant that leaves everything as it is.
    public let changes: [Change]

    /// A value that a variant overrides.
    public struct Change: Sendable {
        /// The path of the value: section, setting, and the members of an object.
        public let path: [String]
        /// The value of the base; `nil` for a member that the base does not have.
        public let base: JSONValue?
        /// The value that the variant gives.
        public let value: JSONValue
        /// `Section.Setting`, with the members of an object after it.
        public var name: String { SettingPath.text(path) }
    }

    init(_ entry: CatalogEntry, _ index: Int) {
        let variant = entry.experiment.variants[index]
        key = variant.key
        description = variant.description
        share = entry.experiment.hash.map { $0.percentage(of: variant.bucketCount) }
        isWinner = entry.experiment.winnerIndex == index
        changes = variant.overriddenPaths.map { path in
            Change(
                path: path, base: JSONValue.object(entry.plan.definitions.base)[path],
                value: JSONValue.object(variant.overrides)[path] ?? .null)
        }
    }
}
