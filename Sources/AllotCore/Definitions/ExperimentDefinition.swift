import AllotConfiguration

/// Whether an experiment enrols.
public enum ExperimentStatus: String, Sendable, CaseIterable {
    /// Being prepared: only forced units are assigned a variant.
    case draft
    /// Enrols units while it is live by its schedule.
    case running
    /// Assigns nobody, not even forced units.
    case paused
    /// Over: everyone in the audience gets the winner; without a winner nobody is assigned.
    case concluded
}

/// A comparison of variants, as one file defines it.
///
/// Properties that other modules read in loops over all experiments are inlinable: each call would copy the whole
/// value.
package struct ExperimentDefinition: Sendable {
    package var key: String
    package var status: ExperimentStatus
    /// Who answers for it, and what it is about. Both are for people: no decision and no revision depends on them.
    package var owner: String?
    package var description: String?
    /// The variant that won; only with ``ExperimentStatus/concluded``.
    package var winner: String?
    /// What is drawn; `nil` if nothing is, and everyone in the audience gets the one variant.
    package var draw: UnitDraw?
    package var layer: String?
    /// The slots of the layer, normalised; empty without a layer.
    package var slots: [Range<Int>]
    package var traffic: Traffic
    package var starts: Instant?
    package var ends: Instant?
    package var audience: Condition
    /// By experiment, in the order of their keys.
    package var requirements: [Requirement]
    package var variants: [VariantDefinition]
    /// In the order of the unit IDs' bytes.
    package var forced: [ForcedUnit]

    /// Another experiment, and what a unit has to be assigned there to be admitted.
    package struct Requirement: Sendable {
        /// What admits a unit.
        package enum Admitted: Sendable {
            /// One of these variants.
            case variants([String])
            /// No variant, for whatever reason.
            case noVariant
        }

        package let experiment: String
        package let admitted: Admitted

        package init(experiment: String, _ admitted: Admitted) {
            self.experiment = experiment
            self.admitted = admitted
        }

        package init(experiment: String, variants: [String]) {
            self.init(experiment: experiment, .variants(variants))
        }

        /// Whether a unit that is assigned a variant there is admitted.
        package func admits(_ variant: String) -> Bool {
            switch admitted {
            case .variants(let variants): variants.contains(variant)
            case .noVariant: false
            }
        }
    }

    /// A unit ID and the variant that the definition forces on it.
    package struct ForcedUnit: Sendable {
        package let unitID: String
        package let variant: String

        package init(unitID: String, variant: String) {
            self.unitID = unitID
            self.variant = variant
        }
    }

    package init(key: String, status: ExperimentStatus, salt: Salt, variants: [VariantDefinition]) {
        self.key = key
        self.status = status
        draw = UnitDraw(unit: Subject.defaultUnit, hash: .sha256(salt))
        self.variants = variants
        slots = []
        traffic = .constant(Bucketing.bucketCount)
        audience = .everyone
        requirements = []
        forced = []
    }

    /// The attribute that holds the unit ID; `nil` without a draw.
    @inlinable package var unit: String? { draw?.unit }

    /// How units are randomised; `nil` without a draw.
    @inlinable package var hash: UnitHash? { draw?.hash }

    /// Whether the traffic decides: another system's hash gives one number, which the choice of a variant needs, and so
    /// enrols everyone.
    package var drawsTraffic: Bool {
        draw.map { $0.hash.foreign == nil } ?? false
    }

    /// Whether its forced units count: a paused or concluded experiment forces nobody.
    @inlinable package var forcesUnits: Bool {
        status.forcesUnits
    }

    /// Whether any unit is forced.
    @inlinable package var forcesAnyUnit: Bool {
        forcesUnits && !forced.isEmpty
    }

    /// Whether a bucket decides which variant a unit gets.
    package var isRandomised: Bool {
        status == .running && draw != nil
    }

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

    /// When it is live.
    @inlinable package var schedule: Schedule {
        Schedule(starts: starts, ends: ends)
    }

    /// When it can enrol units that are not forced: its schedule, without the time before the first and after the last
    /// of the traffic's shares above 0.
    package var enrolment: Schedule {
        drawsTraffic ? traffic.enrolment(within: schedule) : schedule
    }
}

/// One arm of an experiment.
package struct VariantDefinition: Sendable {
    package let key: String
    /// The second buckets, or the numbers of another system's hash, that it owns, normalised; none without a draw.
    package let buckets: [Range<Int>]
    /// Sections of settings: an object of objects.
    package let overrides: JSONObject
    /// What it is about, for people.
    package let description: String?

    package init(key: String, buckets: [Range<Int>], overrides: JSONObject, description: String? = nil) {
        self.key = key
        self.buckets = buckets
        self.overrides = overrides
        self.description = description
    }

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
        for section in overrides.members {
            guard case .object(let settings) = section.value else { continue }
            for setting in settings.members { walk(setting.value, [section.key, setting.key]) }
        }
        return paths
    }
}
