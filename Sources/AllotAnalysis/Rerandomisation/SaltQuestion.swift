import AllotBatch
import AllotConfiguration
import AllotCore
import AllotFiles
import AllotStatistics

/// A file in memory, which is read more than once, and its hash.
package struct HashedInput: Sendable {
    let name: String
    let bytes: [UInt8]
    let digest: String
    var nullWords: [String] = []
    var delimiter = CSVDelimiter.comma

    /// Reads a file, or standard input, to its end.
    package init(_ input: consuming InputFile, nullWords: [String] = [], delimiter: CSVDelimiter = .comma) throws {
        name = input.name
        do throws(SystemError) {
            bytes = try input.descriptor.readToEnd() ?? []
        } catch {
            throw FileError.reading(name, error.number)
        }
        digest = SHA256.hexadecimal(SHA256.digest(of: bytes))
        (self.nullWords, self.delimiter) = (nullWords, delimiter)
    }

    /// Takes bytes as a file.
    init(_ bytes: [UInt8], name: String) {
        (self.name, self.bytes) = (name, bytes)
        digest = SHA256.hexadecimal(SHA256.digest(of: bytes))
    }

    /// The rows, from the first one.
    func rows() throws -> CSVRows {
        try CSVRows(InputFile(bytes: bytes, name: name), nullWords: nullWords, delimiter: delimiter)
    }
}

/// Which salt balances the arms of an experiment in covariates of its users?
package struct SaltQuestion: Sendable {
    /// The names of the columns to balance.
    package var balance: [String]
    package var rule: ChosenRandomisation.Rule
    /// By attribute the name of its column, if it is another one.
    package var columns: [String: String] = [:]
    /// The option that named the column of unit IDs, if one did.
    package var unitOption: String?
    package var taskCount = 1

    /// The share of salts that are accepted unless the caller says otherwise.
    ///
    /// X. Li, P. Ding and D. B. Rubin (2018) advise 0.001 to 0.01 and show that less gains little: of the variance that
    /// two covariates explain, 0.5% is left at 0.01. And the test needs accepted salts to be many, each of which takes
    /// 100 tries at 0.01.
    package static let customaryShare = 0.01
    package static let triesRange = 1...1_000_000
    /// Below this level after Holm's correction, a split depends on that of another experiment.
    static let dependenceLevel = 0.001

    package init(balance: [String], rule: ChosenRandomisation.Rule) {
        (self.balance, self.rule) = (balance, rule)
    }

    /// Tries salts until the rule chooses one.
    ///
    /// - Parameters:
    ///   - index: The experiment in the plan; a draft.
    ///   - users: The users with their covariates, and the attributes that decisions look at.
    ///   - progress: Takes the number of further hashes.
    /// - Throws: If the experiment is not a draft or draws nothing by Allot's own hash, or the units and covariates
    ///   leave no choice.
    package func choice(
        for index: Int, of plan: Plan, at instant: Instant, users: HashedInput,
        progress: @escaping @Sendable (_ hashCount: Int) -> Void = { _ in }
    ) async throws -> SaltChoice {
        let experiment = plan.experiments[index]
        let arms = try Self.arms(of: experiment)
        try Self.checkIsDraft(experiment)
        let unit = experiment.unit ?? Subject.defaultUnit
        let decider = CandidateDecider(plan, experiment: index, at: instant, columns: columns)
        let units = try CandidateUnits(
            users.rows(), unit: unit, column: columns[unit], option: unitOption, covariates: balance, decider: decider)
        try Self.check(units, arms)
        let all = Array(0..<units.count)
        let covariates = try Covariates(units.columns, of: all)
        guard covariates.whitening.rank * 2 < units.count else {
            throw AnalysisError(
                "\(covariates.whitening.rank) covariates are too many for \(units.count) units; balance fewer columns, "
                    + "or texts of fewer levels")
        }
        let sums = ArmSums(units.blocks(of: all), covariates.columns, arms: arms)
        let search = SaltSearch(
            experiment: experiment.key, rule: rule, covariates: covariates, sums: sums, taskCount: taskCount,
            progress: progress)
        let (chosen, tried, skipped) = try await independent(search, units)
        let salts = try SaltSearch.salts(chosen.number..<chosen.number + 1, of: experiment.key)
        guard let key = Salt(experiment.key) else { throw AnalysisError("\(experiment.key) is not a salt") }
        let compared = try await sums.sums(under: [key] + salts, taskCount: 1) { _ in }
        return SaltChoice(
            experiment: experiment, salt: salts[0], number: chosen.number, skipped: skipped, search: search,
            units: units,
            choice: ChosenRandomisation(
                balance: balance, rule: rule, tried: tried, distance: chosen.distance, users: users.digest),
            before: compared[0], after: compared[1])
    }

    /// The arms of an experiment that draws by Allot's own hash.
    static func arms(of experiment: Plan.Experiment) throws -> ArmBuckets {
        guard let hash = experiment.hash else { throw AnalysisError.notRandomised(experiment.key, "salt to choose") }
        guard hash.foreign == nil else {
            throw AnalysisError(
                "\(experiment.key) has the hash \(hash.scheme.rawValue) of another system, whose salt is that "
                    + "system's; choose a salt for an experiment with Allot's own hash")
        }
        if let period = experiment.draw?.period {
            throw AnalysisError(
                "\(experiment.key) randomises anew every \(period.lengthText), and each window has a balance of its "
                    + "own; salts are chosen and tested for experiments without a period")
        }
        let arms = ArmBuckets(experiment)
        guard arms.count > 1 else {
            throw AnalysisError("\(experiment.key) has one variant with buckets, so that no arms can be balanced")
        }
        guard arms.count <= ArmBuckets.mostArms else {
            throw AnalysisError("\(arms.count) variants are more than can be balanced")
        }
        return arms
    }

    private static func checkIsDraft(_ experiment: Plan.Experiment) throws {
        guard experiment.status != .draft else { return }
        throw AnalysisError(
            "\(experiment.key) is \(experiment.status.rawValue), and another salt would give its units other variants; "
                + "copy it to a file of a new key with status: draft, and choose the salt there")
    }

    private static func check(_ units: CandidateUnits, _ arms: ArmBuckets) throws {
        guard units.count > arms.count else {
            let refused = units.notes.last.map { " (\($0))" } ?? ""
            throw AnalysisError(
                "the experiment could enrol \(units.count) of the units, too few for \(arms.count) arms\(refused)")
        }
    }

    /// The first choice that does not depend on the variants of other running experiments.
    ///
    /// - Returns: The choice, the number of candidates that the rule needed, and how many it skipped.
    private func independent(
        _ search: SaltSearch, _ units: CandidateUnits
    ) async throws -> (chosen: SaltSearch.Candidate, tried: Int, skipped: Int) {
        if case .tries(let tries) = rule {
            let distances = try await search.distances(1..<tries + 1)
            let candidates = distances.enumerated().map { SaltSearch.Candidate(number: $0 + 1, distance: $1) }
            for (skipped, candidate) in SaltSearch.ordered(candidates).enumerated()
            where try isIndependent(candidate, search, units) {
                return (candidate, tries, skipped)
            }
            throw AnalysisError("each of \(tries) salts depends on the salt of another experiment; try more")
        }
        var (start, skipped) = (1, 0)
        while true {
            let (chosen, end) = try await search.next(1, from: start)
            if try isIndependent(chosen[0], search, units) { return (chosen[0], end - 1, skipped) }
            (start, skipped) = (end, skipped + 1)
        }
    }

    /// Whether the variants under a candidate are independent of those of each other experiment, by the test of
    /// ``DistributionStudy`` for pairs.
    private func isIndependent(
        _ candidate: SaltSearch.Candidate, _ search: SaltSearch, _ units: CandidateUnits
    ) throws -> Bool {
        guard !units.others.isEmpty else { return true }
        let salts = try SaltSearch.salts(candidate.number..<candidate.number + 1, of: search.experiment)
        let arms = search.sums.arms(under: salts[0])
        let tests = units.others.compactMap { other -> PValue? in
            // A variant without units would expect none, and tables with such a column have no test.
            let present = Set(other.variants).subtracting([0]).sorted()
            guard present.count > 1 else { return nil }
            var columns = [Int](repeating: 0, count: Int(UInt8.max) + 1)
            for (column, variant) in present.enumerated() { columns[Int(variant)] = column }
            var table = [[Int]](repeating: Array(repeating: 0, count: present.count), count: search.sums.arms.count)
            for (arm, variant) in zip(arms, other.variants) where Int(arm) < table.count && variant > 0 {
                table[Int(arm)][columns[Int(variant)]] += 1
            }
            return CountTest.independence(of: table).test?.pValue
        }
        return Holm.adjusted(tests).allSatisfy { $0 >= PValue(Self.dependenceLevel) }
    }
}
