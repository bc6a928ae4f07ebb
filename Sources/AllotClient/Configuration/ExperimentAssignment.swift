import AllotConfiguration

/// The assignment of a user, or another unit, to a variant of an experiment.
public struct ExperimentAssignment: Sendable, Equatable {
    /// The experiment's key.
    public let experiment: String
    /// The beginning of the experiment's hashes: with the key it names the randomisation of the exposure.
    public let salt: String
    /// The variant's key.
    public let variant: String
    /// The reason: `split`, `forced`, `winner`, `everyone`, or `override` for one that was set on this device.
    public let reason: String
    /// The unit's bucket, 0 ..< 1,000,000, or its number of another system's hash, unless that has 60 bits; only with
    /// the reason `split`.
    public let bucket: Int?
    /// The revision of the experiment's definition.
    public let revision: String?
    /// The settings that the variant overrides, as `Section.Setting`.
    public let settings: [String]
    /// The settings that any variant of the experiment overrides: reading one of them exposes the unit.
    let comparedSettings: [String]
    /// The number of the window that decided; `nil` for an experiment whose definition has no period.
    public let window: Int?
    /// The start of the ``window``, in RFC 3339.
    public let since: String?
    /// The attribute that was randomised; ``UnitContract/noUnit`` if nothing was, so that no unit is exposed.
    package let unit: String

    static let overrideReason = "override"
    package static let defaultUnit = UnitContract.defaultAttribute

    package init(
        experiment: String, salt: String? = nil, variant: String, reason: String, bucket: Int? = nil,
        revision: String? = nil, settings: [String] = [], comparedSettings: [String]? = nil,
        unit: String = defaultUnit, window: Int? = nil, since: String? = nil
    ) {
        (self.experiment, self.salt, self.variant) = (experiment, salt ?? experiment, variant)
        (self.reason, self.bucket, self.revision, self.unit) = (reason, bucket, revision, unit)
        (self.settings, self.comparedSettings) = (settings, comparedSettings ?? settings)
        (self.window, self.since) = (window, since)
    }

    /// Reads an entry of `meta.assignments`. Returns `nil` if it names no variant.
    init?(experiment: String, _ value: JSONValue) {
        guard let members = value.asObject, let variant = members.text(AssignmentKey.variant) else { return nil }
        self.init(
            experiment: experiment, salt: members.text(AssignmentKey.salt), variant: variant,
            reason: members.text(AssignmentKey.reason) ?? "", bucket: members.integer(AssignmentKey.bucket),
            revision: members.text(AssignmentKey.revision), settings: members.texts(AssignmentKey.settings) ?? [],
            comparedSettings: members.texts(AssignmentKey.comparedSettings),
            unit: members.text(AssignmentKey.unit) ?? Self.defaultUnit, window: members.integer(AssignmentKey.window),
            since: members.text(AssignmentKey.since))
    }

    /// Compares texts by their bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.bucket == right.bucket && left.window == right.window && left.texts.elementsEqual(right.texts)
    }

    private var texts: [UTF8Key] {
        let names = [experiment, salt, variant, reason, revision ?? "", unit, since ?? "", "\(settings.count)"]
        return (names + settings + comparedSettings).map(UTF8Key.init)
    }

    package var isOverridden: Bool { reason == Self.overrideReason }
}

/// The assignments of a configuration by experiment, in the order of the experiments' keys.
///
/// ```swift
/// func report(_ configuration: Configuration) {
///     print(configuration.assignments["buy-button"]?.variant ?? "not in the experiment")
///     for assignment in configuration.assignments { print(assignment.experiment, assignment.variant) }
/// }
/// ```
public struct ExperimentAssignments: Sendable, Equatable, RandomAccessCollection {
    private var sorted: [ExperimentAssignment]

    /// Collects assignments; the later of two of one experiment wins.
    init(_ assignments: some Sequence<ExperimentAssignment>) {
        var byKey: [UTF8Key: ExperimentAssignment] = [:]
        for assignment in assignments { byKey[UTF8Key(assignment.experiment)] = assignment }
        sorted = byKey.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Reads `meta.assignments`; skips entries without a variant.
    init(meta: JSONObject) {
        let entries = meta.object(MetaKey.assignments)?.members ?? []
        sorted = entries.compactMap { ExperimentAssignment(experiment: $0.key, $0.value) }
    }

    /// The assignment of an experiment; `nil` if its unit is not assigned a variant. Complexity: O(log *n*).
    public subscript(experiment: String) -> ExperimentAssignment? { index(of: experiment).map { sorted[$0] } }

    func index(of experiment: String) -> Int? {
        let index = UTF8Order.position(of: experiment, among: sorted.count) { sorted[$0].experiment }
        return index < sorted.count && UTF8Order.areEqual(sorted[index].experiment, experiment) ? index : nil
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of assignments.
    public var endIndex: Int { sorted.count }
    /// The assignment at a position.
    public subscript(position: Int) -> ExperimentAssignment { sorted[position] }
}
