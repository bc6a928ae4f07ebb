import Allot
import AllotAnalysis
import AllotBatch

/// Makes comparisons for a file, each when its first row comes.
struct ComparisonMaker {
    let source: ComparisonSource
    let options: SampleRatioOptions
    let columns: SampleRatioColumns
    /// The indices of the experiments that were named; `nil` if none was.
    private let selection: [Int]?

    init(_ source: ComparisonSource, _ options: SampleRatioOptions, _ columns: SampleRatioColumns) throws {
        self.source = source
        self.options = options
        self.columns = columns
        if case .plan(let plan, _) = source {
            selection = try plan.experimentIndices(of: options.experiments)
        } else {
            selection = nil
        }
    }

    /// The comparisons of a file without a column of experiments, and the experiments whose unit IDs it does not have.
    func fixed() throws -> (comparisons: [Comparison], untestable: [String]) {
        switch source {
        case .shares(let shares): return ([try comparison(options.experiments.first, shares)], [])
        case .plan(let plan, let instant):
            let selected = selection ?? columnExperiments(plan)
            if selected.isEmpty, columns.variant == nil { _ = try columns.variant(nil) }
            guard selected.count == 1 || columns.variant == nil else {
                throw CommandFailure(
                    "\(columns.fileName) does not tell the experiments of its rows; name one with --experiment "
                        + "(\(plan.listedExperiments)), or the column that tells it "
                        + "with --experiment-column, or give the shares with --shares")
            }
            // Of experiments that nobody asked for, those that cannot be tested do not keep the others from it.
            let testable = selection == nil ? selected.filter { columns.hasUnit(plan.experiments[$0].unit) } : selected
            let tested = testable.isEmpty ? selected : testable
            return (
                try tested.map { try comparison(plan, $0, at: instant, isAlone: selected.count == 1) },
                selected.filter { !tested.contains($0) }.map { plan.experiments[$0].key }
            )
        }
    }

    /// The experiments that have a column of their own.
    private func columnExperiments(_ plan: Plan) -> [Int] {
        guard columns.variant == nil else { return [] }
        let found = plan.experiments.indices.filter { !columns.header.indices(of: plan.experiments[$0].key).isEmpty }
        // Others have no ratio, or nobody draws their variants.
        let testable = found.filter {
            plan.experiments[$0].status == .running && (try? VariantShares(plan.experiments[$0])) != nil
        }
        return testable.isEmpty ? found : testable
    }

    /// The comparison of rows that name their experiment; `nil` if they are not to be tested.
    func named(_ key: String) throws -> Comparison? {
        switch source {
        case .shares(let shares):
            guard let wanted = options.experiments.first else { return try comparison(key, shares) }
            return wanted.utf8.elementsEqual(key.utf8) ? try comparison(key, shares) : nil
        case .plan(let plan, let instant):
            guard let index = plan.experiments.firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }),
                selection?.contains(index) ?? true
            else { return nil }
            if selection == nil, (try? VariantShares(plan.experiments[index])) == nil { return nil }
            return try comparison(plan, index, at: instant, isAlone: selection?.count == 1)
        }
    }

    private func comparison(_ key: String?, _ shares: GivenShares) throws -> Comparison {
        let unit = columns.count == nil ? try columns.unit(nil, isAlone: true) : nil
        return Comparison(
            options.question(key, shares), columns: columns, variant: try columns.variant(key), unit: unit,
            recomputed: nil)
    }

    private func comparison(_ plan: Plan, _ index: Int, at instant: Instant?, isAlone: Bool) throws -> Comparison {
        let experiment = plan.experiments[index]
        let shares: VariantShares
        do {
            shares = try VariantShares(experiment)
        } catch {
            throw CommandFailure("\(experiment.key): \(error)")
        }
        let variant = try columns.variant(experiment.key)
        let unit = columns.count == nil ? try columns.unit(experiment.unit, isAlone: isAlone) : nil
        let recomputed = unit.map {
            Recomputed(plan, experiment: index, columns: columns, variant: variant, unit: $0, at: instant)
        }
        return Comparison(
            options.question(experiment.key, .named(shares)), columns: columns, variant: variant, unit: unit,
            recomputed: recomputed)
    }
}
