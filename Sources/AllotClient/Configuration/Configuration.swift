public import AllotConfiguration

public import struct Foundation.Date

/// A snapshot of a user's configuration: all its values come from one answer of the server, and never change.
///
/// `Sendable` and cheap to copy. Reading a value that an experiment set reports the exposure once; see
/// ``assignments`` and ``document`` for looking without being exposed.
public struct Configuration: Sendable {
    let storage: ConfigurationStorage
    @usableFromInline let boundSections = BoundSections()

    /// A snapshot of a document, for tests and previews; a client makes its own.
    public init(
        _ document: ConfigurationDocument, user: ConfigurationUser = .none, origin: ConfigurationOrigin = .remote,
        fetchedAt: Date? = nil, overrides: LocalOverrides = LocalOverrides()
    ) {
        self.init(document, user: user, origin: origin, fetchedAt: fetchedAt, overrides: overrides, recorder: nil)
    }

    init(
        _ document: ConfigurationDocument, user: ConfigurationUser, origin: ConfigurationOrigin, fetchedAt: Date?,
        isGeneric: Bool = false, decidedFor attributes: JSONObject? = nil, overrides: LocalOverrides,
        recorder: (any ExposureRecording)?
    ) {
        storage = ConfigurationStorage(
            document, user: user, origin: origin, fetchedAt: fetchedAt, isGeneric: isGeneric,
            attributes: attributes ?? user.attributes, overrides: overrides, recorder: recorder)
    }

    /// The configuration without settings.
    public static let empty = Configuration(ConfigurationDocument(sections: [:], meta: [:]), origin: .none)

    /// What was known of the user when the server decided, by which units other than the user are exposed.
    var decidedFor: JSONObject { storage.attributes }
    /// The user for whom it is in force.
    public var user: ConfigurationUser { storage.user }
    /// Where it comes from.
    public var origin: ConfigurationOrigin { storage.origin }
    /// When the server last gave or confirmed it; `nil` for one that no server gave.
    public var fetchedAt: Date? { storage.fetchedAt }
    /// Whether it is the configuration for no user, in force until the user's own is fetched.
    public var isGeneric: Bool { storage.isGeneric }
    /// The values and `meta`, local overrides included. Reading them reports no exposure.
    public var document: ConfigurationDocument { storage.document }
    /// What was overridden on this device.
    public var overrides: LocalOverrides { storage.overrides }
    /// What the sender says of the configuration.
    public var meta: JSONObject { storage.document.meta }
    /// The variants that it was made with, local overrides included.
    public var assignments: ExperimentAssignments { storage.assignments }

    /// The holdouts that hold the user.
    public var holdouts: [String] {
        guard case .array(let names)? = meta[MetaKey.holdouts] else { return [] }
        return names.compactMap { if case .string(let name) = $0 { name } else { nil } }
    }

    /// The names of its sections, sorted.
    public var sectionNames: [String] {
        storage.document.sections.members.map(\.key)
    }

    /// A section; `nil` if there is none of this name. Complexity: O(1).
    public func section(_ name: String) -> ConfigurationSection? {
        storage.sections[UTF8Key(name)].map { ConfigurationSection(name: name, configuration: self, settings: $0) }
    }

    /// A section; `nil` if there is none of this name.
    public subscript(section: String) -> ConfigurationSection? {
        self.section(section)
    }

    /// The value of a setting, `nil` when there is no such setting; JSON's null is a value. Complexity: O(1).
    ///
    /// Reports the exposure to the experiments that set it.
    public func value(_ section: String, _ setting: String) -> JSONValue? {
        entry(section, setting).map(read)
    }

    /// Where the value of a setting comes from; ``ValueSource/default`` when there is no such setting.
    public func source(_ section: String, _ setting: String) -> ValueSource {
        entry(section, setting)?.source ?? .default
    }

    /// Reports that the user meets the variant of an experiment: for variants without settings, and for clients that do
    /// not report on reading. Does nothing for a user without a variant.
    public func expose(_ experiment: String) {
        guard let index = assignments.index(of: experiment) else { return }
        storage.expose(index)
    }

    func entry(_ section: String, _ setting: String) -> SettingEntry? {
        storage.table[section, setting]
    }

    /// The value of an entry, which the app now shows: whoever set it is exposed.
    func read(_ entry: SettingEntry) -> JSONValue {
        noteReading(entry)
        return entry.value
    }

    /// Reports the exposure to the experiments that set an entry's value.
    func noteReading(_ entry: SettingEntry) {
        for index in entry.assignments { storage.exposeOnReading(index) }
    }
}

extension Configuration: Hashable {
    /// Whether two hold the same for the same user, wherever it comes from.
    public static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || (left.user == right.user && left.hasContents(of: right))
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(user)
        hasher.combine(document.sections)
    }

    /// Whether an app could tell two from each other: by a value, an assignment or another member of `meta`.
    ///
    /// When a configuration was made and from what revision of the definitions changes nothing for a user, and is not
    /// compared.
    func hasContents(of other: Configuration) -> Bool {
        document.sections == other.document.sections && storage.comparedMeta == other.storage.comparedMeta
            && assignments == other.assignments && overrides == other.overrides
    }
}
