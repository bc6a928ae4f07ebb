import AllotConfiguration
import AllotCore
import AllotReports
import AllotStatistics

/// A salt that balances the arms of an experiment, with what it does to each covariate.
package struct SaltChoice: Sendable {
    package let experiment: String
    package let salt: Salt
    /// The record of the choice for the definition.
    package let record: ChosenRandomisation
    /// The number of the candidate, from 1.
    let number: Int
    /// The number of candidates that were left out because they depend on another experiment.
    let skipped: Int
    let criterion: BalanceCriterion
    let threshold: Double?
    /// The distance under the key as the salt.
    let distanceBefore: Double
    let unitCount: Int
    let arms: [Arm]
    let covariates: [Covariate]
    let notes: [String]

    struct Arm: Sendable {
        let variant: String
        let units: Int
    }

    /// A covariate with the largest difference between the means of two arms, in standard deviations.
    struct Covariate: Sendable, Hashable {
        let name: String
        let before: Double
        let after: Double
    }

    init(
        experiment: Plan.Experiment, salt: Salt, number: Int, skipped: Int, search: SaltSearch, units: CandidateUnits,
        choice: ChosenRandomisation, before: ArmSums.Sums, after: ArmSums.Sums
    ) {
        self.experiment = experiment.key
        (self.salt, self.number, self.skipped, record) = (salt, number, skipped, choice)
        criterion = search.criterion
        threshold = search.threshold
        distanceBefore = search.distance(of: before)
        unitCount = units.count
        arms = zip(search.sums.arms.variants, after.counts).map {
            Arm(variant: experiment.variants[$0].key, units: Int($1))
        }
        let (old, new) = (search.covariates.standardised(before), search.covariates.standardised(after))
        covariates = search.covariates.names.enumerated().map { index, name in
            Covariate(name: name, before: Self.difference(old, index), after: Self.difference(new, index))
        }
        let rank = criterion.rank
        let isCrowded = rank * Self.fewestUnits > units.count
        let crowd =
            isCrowded
            ? "with \(rank) covariates of \(units.count) units, fewer salts are as near as chi-square says" : nil
        notes = units.notes + [search.covariates.note, crowd].compactMap(\.self)
    }

    /// The difference from the first arm in a covariate that is farthest from 0.
    private static func difference(_ means: [[Double]], _ covariate: Int) -> Double {
        means.dropFirst().map { $0[covariate] - means[0][covariate] }.max { abs($0) < abs($1) } ?? 0
    }

    /// The probability that a salt gives a distance up to the chosen one.
    var probability: Double { criterion.probability(of: record.distance) }
}

extension SaltChoice {
    private static let places = 4
    /// The number of units of a covariate from which the distribution of distances is near to chi-square.
    private static let fewestUnits = 10

    /// The report for people, with the change of the definition.
    ///
    /// - Parameter change: The lines of the change, and whether it was written.
    package func report(change: (path: String, lines: [String], state: String)) -> Report {
        var report = Report(verdict, title: "A salt for \(PrintableText(experiment))")
        report.add(.facts(facts))
        let head = [Report.Column.text("covariate"), .number("before"), .number("after")]
        report.add(
            .table(
                head,
                covariates.map {
                    [.name($0.name), "\(Self.text($0.before))", "\(Self.text($0.after))"]
                }))
        report.add(
            .notes(
                [
                    "Before: with the key as the salt. Both are differences of means from "
                        + "\(PrintableText(arms[0].variant)) in standard deviations"
                        + (arms.count > 2 ? ", of the arm that differs most." : ".")
                ] + sentences))
        report.add(
            .either(
                text: [],
                page: [
                    .plot(
                        Report.Plot(
                            "Balance before and after the choice: open squares for the key as the salt, full ones for "
                                + "\(salt)."
                        ) { [covariates] in BalancePlot(covariates).draw(in: &$0) })
                ]))
        report.add(.text(PrintableText(line: change.path).description))
        report.add(.code(change.lines.map { PrintableText(line: $0).description }))
        report.add(.text(change.state))
        return report
    }

    private static func text(_ difference: Double) -> String { NumberFormat.difference(difference, places) }

    private var verdict: String {
        let distance = NumberFormat.significant(record.distance, 4)
        let rule =
            switch record.rule {
            case .accept(let share):
                "the first of the candidates that is among the best \(NumberFormat.percent(share)) of all salts"
            case .tries(let count): "the best of \(NumberFormat.countedInGroups(count, "candidate"))"
            }
        return "\(salt) balances the arms of \(PrintableText(experiment)): \(rule), with a distance of \(distance)."
    }

    private var facts: [Report.Fact] {
        let expected =
            switch record.rule {
            case .accept(let share):
                "up to \(NumberFormat.significant(threshold ?? 0, 4)) is accepted, the quantile of "
                    + NumberFormat.percent(share)
            case .tries(let count):
                "the best of \(count) is expected at the quantile of "
                    + NumberFormat.percent(1 / Double(count + 1), digits: 2)
            }
        let distance = NumberFormat.significant(record.distance, 4)
        let before = NumberFormat.significant(distanceBefore, 4)
        return [
            Report.Fact(
                "Units",
                [
                    "\(NumberFormat.grouped(unitCount)) could be enrolled: "
                        + arms.map { "\(PrintableText($0.variant)) \(NumberFormat.grouped($0.units))" }
                        .joined(separator: ", ")
                ]),
            Report.Fact(
                "Distance",
                [
                    "\(distance), after \(before) with the key as the salt; \(expected)",
                    "chi-square with \(NumberFormat.countedInGroups(criterion.degreesOfFreedom, "degree")) of freedom: "
                        + "\(NumberFormat.percent(probability, digits: 2)) of salts are as near",
                ]),
            Report.Fact("Candidates", ["\(NumberFormat.grouped(record.tried)) tried" + skippedText]),
            Report.Fact("Gain", [gain]),
        ]
    }

    private var skippedText: String {
        guard skipped > 0 else { return "" }
        return skipped == 1
            ? "; 1 was skipped, as its split depends on that of a running experiment"
            : "; \(skipped) were skipped, as their splits depend on those of running experiments"
    }

    private var gain: String {
        let left =
            switch record.rule {
            case .accept(let share): criterion.remainingVariance(acceptance: share, r2: 1)
            case .tries(let count): criterion.remainingVariance(tries: count)
            }
        return "of the variance that the covariates explain, \(NumberFormat.percent(left, digits: 2)) is left in the "
            + "difference of means"
    }

    private var sentences: [String] {
        [
            "The usual tests are wrong with a chosen salt: they find nothing, and their intervals are too wide. The "
                + "command allot rerandomise has the test that belongs to it."
        ] + notes.map { "\($0)." }
    }

    /// The report for programs.
    package var json: JSONValue {
        let (accept, tries): (Double?, Int?) =
            switch record.rule {
            case .accept(let share): (share, nil)
            case .tries(let count): (nil, count)
            }
        return [
            "experiment": .string(experiment), "salt": .string(salt.text), "number": .int(number),
            "tried": .int(record.tried), "skipped": .int(skipped), "accept": .double(accept), "tries": .int(tries),
            "distance": .double(record.distance), "distance_before": .double(distanceBefore),
            "threshold": .double(threshold), "degrees_of_freedom": .int(criterion.degreesOfFreedom),
            "probability": .double(probability), "users_sha256": .string(record.users), "units": .int(unitCount),
            "arms": .array(arms.map { ["variant": .string($0.variant), "units": .int($0.units)] }),
            "covariates": .array(
                covariates.map { covariate in
                    [
                        "name": .string(covariate.name), "before": .double(covariate.before),
                        "after": .double(covariate.after),
                    ]
                }),
            "notes": .strings(notes),
        ]
    }
}
