public import AllotConfiguration

public import struct Foundation.Date

/// A snapshot of a user's configuration: all its values come from one response of the server, and never change.
///
/// ```swift
/// import AllotConfiguration
/// let document: ConfigurationDocument = ConfigurationDocument(sections: ["Checkout": ["Steps": 3]], meta: [:])
/// let configuration = Configuration(document)
/// print(configuration.integer("Checkout", "Steps") ?? 1)  // 3
/// ```
///
/// `Sendable` and cheap to copy. Reading a setting that an experiment compares reports the exposure once. Read
/// ``assignments`` or ``document`` to look without exposing the user.
public struct Configuration: ReadableConfiguration, Sendable {
    let storage: ConfigurationStorage
    @usableFromInline let boundSections = BoundSections()

    /// Creates a snapshot of a document, for tests and previews. A client creates its own.
    public init(
        _ document: ConfigurationDocument, user: ConfigurationUser = .none, origin: ConfigurationOrigin = .remote,
        fetchedAt: Date? = nil, overrides: LocalOverrides = LocalOverrides()
    ) {
        let provenance = Provenance(origin: origin, fetchedAt: fetchedAt)
        self.init(storage: ConfigurationStorage(document, user: user, provenance, overrides: overrides, recorder: nil))
    }

    init(storage: ConfigurationStorage) { self.storage = storage }

    /// The configuration without settings.
    public static let empty = Configuration(ConfigurationDocument(sections: [:], meta: [:]), origin: .none)

    /// The user's attributes when the server decided; they contain the IDs of units other than the user.
    var decidedFor: JSONObject { storage.provenance.attributes ?? user.attributes }
    /// The user of the snapshot.
    public var user: ConfigurationUser { storage.user }
    /// The origin of the snapshot.
    public var origin: ConfigurationOrigin { storage.provenance.origin }
    /// When the server last sent or confirmed it; `nil` if no server sent it.
    public var fetchedAt: Date? { storage.provenance.fetchedAt }
    /// Whether it is the configuration for no user, which is used until the user's own is fetched.
    var isGeneric: Bool { storage.provenance.isGeneric }
    /// The values and `meta`, local overrides included. Reading them reports no exposure.
    public var document: ConfigurationDocument { storage.document }
    /// The values of each section's settings, local overrides included. Reading it reports no exposure.
    public var sections: JSONObject { storage.document.sections }
    package var overrides: LocalOverrides { storage.overrides }
    /// The assignments of the user to variants, local overrides included.
    public var assignments: ExperimentAssignments { storage.assignments }
    /// The holdouts that hold the user out.
    public var holdouts: [String] { document.meta.texts(MetaKey.holdouts) ?? [] }
    /// The names of its sections, sorted.
    public var sectionNames: [String] { storage.document.sections.members.map(\.key) }

    /// The section with a name; `nil` if it does not exist. Complexity: O(log *n*).
    public subscript(section: String) -> ConfigurationSection? {
        document.sections.object(section).map { ConfigurationSection(name: section, configuration: self, settings: $0) }
    }

    /// The value of a setting; `nil` if it does not exist. JSON's null is a value. Complexity: O(1). Reports the
    /// exposure to the experiments that compare it.
    public func value(_ section: String, _ setting: String) -> JSONValue? { entry(section, setting).map(read) }

    /// Converts values that were read. Files among them are downloaded by the client of the snapshot.
    public func converting<Converted, Failure: Error>(
        _ conversion: () throws(Failure) -> Converted
    ) throws(Failure) -> Converted {
        guard storage.hasFiles, let files = storage.files else { return try conversion() }
        return try ConfigurationFiles.$current.withValue(files) { Result(catching: conversion) }.get()
    }

    /// The source of the value of a setting; ``ValueSource/default`` if it does not exist.
    public func source(_ section: String, _ setting: String) -> ValueSource {
        entry(section, setting)?.source ?? .default
    }

    /// Reports that the user is exposed to an experiment: for variants without settings, and for clients that do not
    /// report exposures on reading. Does nothing if the user is not assigned a variant.
    public func expose(_ experiment: String) {
        guard let index = assignments.index(of: experiment) else { return }
        storage.expose(index)
    }

    /// Whether a setting has the same value, set by the same variants, in two snapshots. Reports no exposure.
    package func hasSame(_ section: String, _ setting: String, as other: Configuration) -> Bool {
        ConfigurationSetting(self, section, setting) == ConfigurationSetting(other, section, setting)
    }

    func entry(_ section: String, _ setting: String) -> SettingEntry? { storage.entries[SettingName(section, setting)] }

    func read(_ entry: SettingEntry) -> JSONValue {
        storage.noteReading(of: entry)
        return entry.value
    }
}

extension Configuration: Equatable {
    /// Whether two snapshots have the same contents for the same user, whatever their origins. Numbers are the same if
    /// their values are, such as 1.50 and 1.5.
    public static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || (left.user == right.user && left.hasContents(of: right))
    }

    /// Whether two snapshots are the same, except for what changes nothing for a user: creation time and revision.
    func hasContents(of other: Configuration) -> Bool {
        document.sections.isEquivalent(to: other.document.sections)
            && storage.comparedMeta.isEquivalent(to: other.storage.comparedMeta)
            && assignments == other.assignments && overrides == other.overrides
    }
}
