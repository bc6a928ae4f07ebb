import AllotConfiguration

/// The variant of an experiment that a configuration was made with.
public struct ExperimentAssignment: Sendable, Hashable {
    /// The experiment's key.
    public let experiment: String
    /// The variant's key.
    public let variant: String
    /// Why: `split`, `forced`, `winner`, or `override` for one that was set on this device.
    public let reason: String
    /// The unit's bucket, 0 ..< 1,000,000; only with the reason `split`.
    public let bucket: Int?
    /// The revision of the experiment's definition.
    public let revision: String?
    /// The settings that the variant overrides, as `Section.Setting`.
    public let settings: [String]
    /// The settings that any variant of the experiment overrides: who reads one of them meets the experiment, also in a
    /// variant that leaves it as it is.
    public let comparedSettings: [String]
    /// The attribute that was randomised.
    public let unit: String

    /// The reason of an assignment that was set on this device.
    public static let overrideReason = "override"
    /// The attribute that is randomised where an assignment names none.
    public static let defaultUnit = UnitContract.defaultAttribute

    /// Describes an assignment.
    public init(
        experiment: String, variant: String, reason: String, bucket: Int? = nil, revision: String? = nil,
        settings: [String] = [], comparedSettings: [String]? = nil, unit: String = defaultUnit
    ) {
        self.experiment = experiment
        self.variant = variant
        self.reason = reason
        self.bucket = bucket
        self.revision = revision
        self.settings = settings
        self.comparedSettings = comparedSettings ?? settings
        self.unit = unit
    }

    /// Reads an entry of `meta.assignments`; `nil` if it names no variant.
    init?(experiment: String, _ value: JSONValue) {
        guard case .object(let members) = value, let variant = members.text(AssignmentKey.variant) else { return nil }
        var bucket: Int?
        if case .number(let number)? = members[AssignmentKey.bucket] { bucket = Int(number.text) }
        self.init(
            experiment: experiment, variant: variant, reason: members.text(AssignmentKey.reason) ?? "", bucket: bucket,
            revision: members.text(AssignmentKey.revision), settings: members.texts(AssignmentKey.settings) ?? [],
            comparedSettings: members.texts(AssignmentKey.comparedSettings),
            unit: members.text(AssignmentKey.unit) ?? Self.defaultUnit)
    }

    public static func == (left: Self, right: Self) -> Bool {
        // By bytes, as all texts that were hashed.
        left.bucket == right.bucket && left.texts.elementsEqual(right.texts)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(UTF8Key(experiment))
        hasher.combine(UTF8Key(variant))
    }

    private var texts: [UTF8Key] {
        let names = [experiment, variant, reason, revision ?? "", unit, "\(settings.count)"]
        return (names + settings + comparedSettings).map(UTF8Key.init)
    }

    /// Whether it was set on this device, and is no decision of the server.
    public var isOverridden: Bool {
        reason == Self.overrideReason
    }
}

extension JSONObject {
    /// The texts of an array under a name; `nil` for what is no array.
    func texts(_ name: String) -> [String]? {
        guard case .array(let elements)? = self[name] else { return nil }
        return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// The text under a name; `nil` for what is no text.
    func text(_ name: String) -> String? {
        guard case .string(let text)? = self[name] else { return nil }
        return text
    }
}

/// The variants that a configuration was made with, by experiment, in the order of their keys.
public struct ExperimentAssignments: Sendable, Hashable, RandomAccessCollection {
    private var sorted: [ExperimentAssignment]

    /// Collects assignments; of two of one experiment the later stays.
    init(_ assignments: some Sequence<ExperimentAssignment>) {
        var byKey: [UTF8Key: ExperimentAssignment] = [:]
        for assignment in assignments { byKey[UTF8Key(assignment.experiment)] = assignment }
        sorted = byKey.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Reads `meta.assignments`; entries without a variant are passed over.
    init(meta: JSONObject) {
        guard case .object(let entries)? = meta[MetaKey.assignments] else {
            sorted = []
            return
        }
        sorted = entries.members.compactMap { ExperimentAssignment(experiment: $0.key, $0.value) }
    }

    /// The assignment of an experiment; `nil` when its unit holds no variant. Complexity: O(log *n*).
    public subscript(experiment: String) -> ExperimentAssignment? {
        index(of: experiment).map { sorted[$0] }
    }

    /// Where an experiment's assignment stands.
    func index(of experiment: String) -> Int? {
        let index = UTF8Order.position(of: experiment, among: sorted.count) { sorted[$0].experiment }
        return index < sorted.count && UTF8Order.areEqual(sorted[index].experiment, experiment) ? index : nil
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { sorted.count }
    public subscript(position: Int) -> ExperimentAssignment { sorted[position] }
}
