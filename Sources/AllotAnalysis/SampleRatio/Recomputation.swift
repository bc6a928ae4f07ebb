import AllotCore

/// Works out again, from the definitions, what a unit gets in one experiment.
struct Recomputation: Sendable {
    private let plan: Plan
    private let experiment: Int
    /// `nil` if the experiment is not randomised.
    private let hash: PreparedHash?

    init(_ plan: Plan, experiment: Int) {
        self.plan = plan
        self.experiment = experiment
        hash = plan.experiments[experiment].hash.map { PreparedHash($0) }
    }

    var forcing: Recomputation? { plan.definitions.experiments[experiment].forced.isEmpty ? nil : self }

    /// Whether the definition names the unit a tester.
    func isForced(_ unit: Span<UInt8>) -> Bool {
        plan.forcedUnits[experiment].find(unit) != nil
    }

    /// The variant whose buckets hold the unit's second bucket, or its number of another system's hash: what it gets if
    /// it is enrolled.
    func variant(of unit: Span<UInt8>) -> Int? {
        hash.flatMap { plan.owner(of: $0.buckets(of: unit).second, in: experiment) }
    }
}
