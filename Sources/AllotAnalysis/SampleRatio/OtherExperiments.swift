import AllotBatch
import AllotConfiguration
import AllotCore

/// The variants that units have in the other running experiments of a plan, as attributes: a mismatch in one of their
/// variants is an interaction, such as two changes that crash together.
struct OtherExperiments: Sendable {
    private let plan: Plan
    private let own: Int
    private var check: RepeatedDecision
    private let instant: Instant
    private let others: [(experiment: Int, attribute: Int)]

    private static let limit = 50
    /// Beyond this number of units, a part of them by hash is looked at, as that is enough to find an interaction.
    private static let plenty = 1 << 20
    private static let sampled = UInt64.max / 16

    /// Finds the experiments that are randomised independently for the same units.
    init?(
        _ plan: Plan, besides experiment: Int, columns: SampleRatioColumns, _ attributes: [Int], at instant: Instant,
        _ values: inout LocalisationTally
    ) {
        let tested = plan.experiments[experiment]
        let found = plan.experiments.indices.filter { index in
            let other = plan.experiments[index]
            return index != experiment && other.status == .running && other.unit == tested.unit
                && other.salt != tested.salt && (other.layer == nil || other.layer != tested.layer)
                && (try? VariantShares(other)) != nil && !plan.order(of: [index]).contains(experiment)
        }
        others = found.prefix(Self.limit).compactMap { index in
            values.computed(plan.experiments[index].key).map { (index, $0) }
        }
        guard let first = others.first else { return nil }
        self.plan = plan
        own = experiment
        self.instant = instant
        check = RepeatedDecision(
            plan, experiment: first.experiment, others: others.map(\.experiment),
            attributes: attributes.map { (columns.header.names[$0], $0) }, json: columns.attributes)
    }

    mutating func take(
        _ record: Int, _ rows: borrowing CSVRows, _ unit: RowUnit, at rowInstant: Instant?, units: Int,
        _ values: inout LocalisationTally
    ) {
        guard units <= Self.plenty || ByteHash.hash(unit.name.span) < Self.sampled else { return }
        let now = plan.experiments[own].instant(in: unit.window, near: rowInstant ?? instant)
        _ = check.decide(rows, unit: unit.id.span, at: now)
        for other in others {
            let decision = check.decision(of: other.experiment)
            guard decision.reason == .split, let variant = decision.variant else { continue }
            let key = Array(plan.experiments[other.experiment].variants[variant].key.utf8)
            values.set(record, other.attribute, key.span, .new)
        }
    }

    /// Forgets the units outside of the part that is looked at, which were decided while there were few.
    func finish(_ ledger: ExposureLedger, _ values: inout LocalisationTally) {
        guard ledger.unitCount > Self.plenty else { return }
        for other in others {
            for record in ledger.records.indices where ledger.records[record].unit >= Self.sampled {
                values.forget(record, other.attribute)
            }
        }
    }
}
