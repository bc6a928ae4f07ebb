import AllotAnalysis
import AllotStatistics
import ArgumentParser

/// How many units there are.
struct UnitCountOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many units all variants have together.", valueName: "count"),
        transform: CommandNumber.count)
    var units: Int?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("How many units each variant has.", valueName: "count"),
        transform: CommandNumber.count)
    var unitsPerVariant: Int?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("For how many days units are enrolled.", valueName: "count"),
        transform: CommandNumber.count)
    var days: Int?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("How many new units there are each day.", valueName: "count"),
        transform: CommandNumber.positive)
    var unitsPerDay: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Which share of them is enrolled (default: 100%).", valueName: "share"),
        transform: CommandNumber.share)
    var traffic: Double?

    /// The new units of each day, if that is known.
    var supply: DailyUnits? {
        unitsPerDay.map { DailyUnits($0, traffic: traffic ?? 1) }
    }

    func validate() throws {
        let given = [("--units", units), ("--units-per-variant", unitsPerVariant), ("--days", days)].filter {
            $0.1 != nil
        }
        if given.count > 1 {
            let names = given.map(\.0).joined(separator: " and ")
            throw ValidationError("\(names) say one thing in several ways; keep one of them.")
        }
    }

    /// How many units each variant has; `nil` if that is to be calculated.
    func sizes(_ allocation: Allocation) throws -> [Int]? {
        if days != nil, unitsPerDay == nil {
            throw UsageFailure("--days needs to know how many units come each day; add --units-per-day.")
        }
        if traffic != nil, unitsPerDay == nil {
            throw UsageFailure("--traffic is a share of the units of each day; add --units-per-day.")
        }
        if let unitsPerVariant {
            guard allocation.isEqual else {
                throw ValidationError(
                    "--units-per-variant is for equal shares; with this --allocation give their sum, --units.")
            }
            return allocation.shares.map { _ in unitsPerVariant }
        }
        if let days, let supply { return allocation.counts(of: try supply.units(in: days)) }
        return units.map(allocation.counts)
    }

    /// How long it takes to enrol the units; `nil` if the new units of each day are not known.
    func length(of units: Int) throws(PowerError) -> ExperimentLength? {
        guard let supply else { return nil }
        guard let days else { return try supply.length(of: units) }
        return try supply.length(of: supply.units(in: days))
    }
}
