import AllotConfiguration

/// Whether an experiment enrols.
public enum ExperimentStatus: String, Sendable, CaseIterable {
    /// Being prepared: only forced units are assigned a variant.
    case draft
    /// Enrols units while it is live by its schedule.
    case running
    /// Assigns no unit, not even forced ones.
    case paused
    /// Over: everyone in the audience gets the winner; without a winner no unit is assigned.
    case concluded
}

/// A comparison of variants, as one file defines it.
///
/// Properties that other modules read in loops over all experiments are inlinable: each call would copy the whole
/// value.
public struct ExperimentDefinition: Sendable {
    /// The file's name without its ending.
    public package(set) var key: String
    /// The status, which says whether it enrols.
    public package(set) var status: ExperimentStatus
    /// The person or team that answers for it. No decision and no revision depends on it.
    package var owner: String?
    package var description: String?
    /// How the salt was chosen; `nil` if it was not.
    package var randomisation: ChosenRandomisation?
    /// The key of the variant that won; only with ``ExperimentStatus/concluded``.
    public package(set) var winner: String?
    /// The randomisation of its units; `nil` for `unit: none`, where everyone in the audience gets the one variant.
    public package(set) var draw: UnitDraw?
    /// The name of its layer, if it is in one.
    public package(set) var layer: String?
    /// Its slots of the layer, in order and joined; empty without a layer.
    public package(set) var slots: [Range<Int>]
    /// The share of eligible units that is enrolled.
    public package(set) var traffic: Traffic
    /// The instant from which it is live; `nil` if it always has been.
    public package(set) var starts: Instant?
    /// The instant from which it is no longer live; `nil` if it never ends.
    public package(set) var ends: Instant?
    package var audience: Condition
    /// By experiment, in the order of their keys.
    package var requirements: [Requirement]
    /// The variants in the order of the definition.
    public package(set) var variants: [VariantDefinition]
    /// In the order of the unit IDs' bytes.
    package var forced: [ForcedUnit]
    /// The revision: 16 hexadecimal digits that change exactly when its decisions or overrides can. A plan computes it;
    /// empty before.
    public package(set) var revision = ""

    /// Another experiment, and the variants there that admit a unit.
    package struct Requirement: Sendable {
        package enum Admitted: Sendable {
            case variants([String])
            /// No variant, for whatever reason.
            case noVariant
        }

        package let experiment: String
        package let admitted: Admitted

        package init(experiment: String, _ admitted: Admitted) {
            (self.experiment, self.admitted) = (experiment, admitted)
        }

        package func admits(_ variant: String?) -> Bool {
            switch admitted {
            case .variants(let variants): variant.map(variants.contains) ?? false
            case .noVariant: variant == nil
            }
        }
    }

    package struct ForcedUnit: Sendable {
        package let unitID: String
        package let variant: String

        package init(unitID: String, variant: String) { (self.unitID, self.variant) = (unitID, variant) }
    }

    package init(key: String, status: ExperimentStatus, salt: Salt, variants: [VariantDefinition]) {
        (self.key, self.status) = (key, status)
        draw = UnitDraw(unit: Subject.defaultUnit, hash: .sha256(salt))
        self.variants = variants
        slots = []
        traffic = .constant(Bucketing.bucketCount)
        audience = .everyone
        requirements = []
        forced = []
    }

    /// The attribute that holds the unit ID, or the name of several, `city|line`; `nil` without a draw.
    @inlinable public var unit: String? { draw?.unit }
    /// The hash that randomises its units, with the salt; `nil` without a draw.
    @inlinable public var hash: UnitHash? { draw?.hash }
    /// The salt of its hash; `nil` without a draw.
    public var salt: String? { draw?.hash.salt }
    /// Whether the traffic decides: another system's hash gives one number, which the choice of a variant needs, and so
    /// enrols everyone.
    package var drawsTraffic: Bool { draw.map { $0.hash.foreign == nil } ?? false }
    /// Whether its forced units count: a paused or concluded experiment forces no unit.
    @inlinable package var forcesUnits: Bool { status.forcesUnits }
    package var forcesAnyUnit: Bool { forcesUnits && !forced.isEmpty }

    /// Whether it forces some unit into a variant that another experiment's requirement admits, which such a unit meets
    /// whatever the schedule, the audience, the buckets and the requirements of this one are.
    package func forcesUnit(admittedBy requirement: Requirement) -> Bool {
        forcesUnits && forced.contains { requirement.admits($0.variant) }
    }

    package var isRandomised: Bool { status == .running && draw != nil }
    package var winnerIndex: Int? { variants.firstIndex { $0.key == winner } }

    /// The variant that everyone in the audience gets: the winner, or the only one of a running experiment without a
    /// draw. Returns `nil` if there is none.
    package var commonVariant: String? {
        switch status {
        case .concluded: winner
        case .running: draw == nil ? variants.first?.key : nil
        case .draft, .paused: nil
        }
    }

    /// Whether some unit could be assigned a variant if the experiment had a status: in a concluded experiment only the
    /// winner, in a paused one none, and in others a variant with buckets or forced units.
    package func canAssign(variant index: Int, as status: ExperimentStatus) -> Bool {
        let variant = variants[index]
        let isForced = status.forcesUnits && forced.contains { $0.variant == variant.key }
        return switch status {
        case .paused: false
        case .concluded: winner == variant.key
        case .draft: isForced
        case .running: draw == nil || isForced || !variant.buckets.isEmpty
        }
    }

    /// When it is live. No unit is enrolled before the first window of a period.
    package var schedule: Schedule {
        Schedule(starts: [starts, draw?.period?.from].compactMap { $0 }.max(), ends: ends)
    }

    /// The window of its period that decides at an instant. Returns `nil` without a period, and while it is not live.
    public func window(at instant: Instant) -> Window? {
        guard let period = draw?.period, status == .running, schedule.reason(at: instant) == nil else { return nil }
        return period.window(at: instant)
    }

    /// The windows of a running experiment, and when it is live; `nil` where no window changes a decision.
    var liveWindows: LiveWindows? {
        guard status == .running, let period = draw?.period else { return nil }
        return LiveWindows(period: period, schedule: schedule)
    }

    /// When it can enrol units that are not forced: its schedule, without the time before the first and after the last
    /// of the traffic's shares above 0.
    package var enrolment: Schedule { drawsTraffic ? traffic.enrolment(within: schedule) : schedule }

    /// The instants at which its decisions can change: its start, its end, and the steps of its traffic between them.
    /// The windows of a period begin at further ones: see ``nextWindow(after:)``.
    package var boundaries: [Instant] {
        guard status == .running else { return [] }
        return [schedule.starts, ends].compactMap { $0 } + traffic.limited(to: schedule).steps.map(\.from)
    }

    /// The start of the next window in which it is live. Returns `nil` without a period, and if there is none.
    package func nextWindow(after instant: Instant) -> Instant? { liveWindows?.next(after: instant) }

    /// The reason why no unit can be assigned a variant at an instant (`nil` for any), as far as the definition alone
    /// says. Returns `nil` if some unit could be assigned one.
    package func obstacle(at instant: Instant?) -> Reason? {
        for gate in gates(layer: nil, holdouts: [], at: instant) {
            switch gate {
            case .buckets(_, let set, let reason): if set.isEmpty { return reason }
            case .end(let decision): return decision.variant == nil ? decision.reason : nil
            case .forced, .variant: return nil
            // These depend on the unit.
            case .unit, .displacement, .requirement, .audience: continue
            }
        }
        return nil
    }
}

/// One arm of an experiment.
public struct VariantDefinition: Sendable {
    /// The name in assignments.
    public let key: String
    /// The second buckets, or the numbers of another system's hash, that it owns, in order; none without a draw.
    public let buckets: [Range<Int>]
    /// The values that it sets: an object of sections, which are objects of settings.
    public let overrides: JSONObject
    /// The settings that it overrides, as `Section.Setting`, in byte order.
    public let settings: [String]
    package let description: String?

    package init(key: String, buckets: [Range<Int>], overrides: JSONObject, description: String? = nil) {
        (self.key, self.buckets, self.overrides, self.description) = (key, buckets, overrides, description)
        settings = overrides.settings.map { SettingPath.text([$0.section, $0.name]) }.sorted(by: UTF8Order.precedes)
    }

    /// The number of buckets that it owns, of the experiment's ``UnitHash/resolution``.
    public var bucketCount: Int { buckets.reduce(0) { $0 + $1.count } }

    /// Every value that is set, by the path that leads to it: section, setting and the members of object values.
    /// An empty object counts as a value.
    package var overriddenPaths: [[String]] {
        var paths: [[String]] = []
        func walk(_ value: JSONValue, _ path: [String]) {
            if case .object(let object) = value, !object.isEmpty {
                for member in object.members { walk(member.value, path + [member.key]) }
            } else {
                paths.append(path)
            }
        }
        for (section, name, value) in overrides.settings { walk(value, [section, name]) }
        return paths
    }
}
