import AllotConfiguration
import AllotCore

/// The test of one experiment, or of a whole file.
package struct SampleRatioQuestion {
    let analysis: SampleRatioAnalysis
    let experiment: String?
    /// The shares of the present definition, or those that were given.
    let shares: GivenShares
    var plan: (plan: Plan, experiment: Int)?
    /// The salt and the revision of the present definition; `nil` where shares were given without one.
    var present: RatioPeriod.Name?
    /// The instant of decisions about rows without a time.
    var instant = Instant(seconds: 0)
    var recomputed: (_ plan: Plan, _ experiment: Int) -> RecordedVersusRecomputed? = { _, _ in nil }

    func includes(salt: String) -> Bool {
        guard analysis.salts.isEmpty else { return analysis.salts.contains { UTF8Order.areEqual($0, salt) } }
        return present.map { UTF8Order.areEqual($0.salt, salt) } ?? true
    }

    func given(_ period: RatioPeriod.Name) -> GivenShares? {
        analysis.sharesOfRevisions.last { UTF8Order.areEqual($0.revision, period.revision) }?.shares
    }

    /// Whether a period is that of the present definition, whose decisions can be repeated.
    func isPresent(_ period: RatioPeriod.Name) -> Bool {
        guard let present, UTF8Order.areEqual(present.salt, period.salt) else { return false }
        return period.revision.isEmpty || UTF8Order.areEqual(present.revision, period.revision)
    }

    /// The plan of another revision of the definition, and the experiment's index in it.
    func past(_ revision: String) throws -> (plan: Plan, experiment: Int)? {
        guard plan != nil, let experiment, let past = try analysis.pastPlan(experiment, revision) else { return nil }
        return past.index(of: experiment).map { (plan: past, experiment: $0) }
    }

    /// The attributes that the decision looks at, which are known before the assignment and count as named.
    var knownAttributes: [String] {
        guard let (plan, experiment) = plan else { return [] }
        return plan.attributeNames(of: [experiment]).filter { $0 != plan.experiments[experiment].unit }
    }

    /// Attributes with more values than this are skipped unless they are named.
    package static let fewValues = 50
    static let manyValues = 100_000
}

/// The reason why rows cannot be tested.
enum SampleRatioError: Error, Sendable, CustomStringConvertible {
    case nothingCounted(RowCounts)
    case untestable(String)

    var description: String {
        switch self {
        case .nothingCounted(let rows):
            rows.rows == 0
                ? "there is no row to test"
                : "no row counts for the test, of \(rows.rows): "
                    + (rows.exclusions.isEmpty ? "all counts are 0" : rows.exclusions.joined(separator: ", "))
        case .untestable(let reason): reason
        }
    }
}
