import AllotConfiguration

/// How many rows and units agree with what was recorded, and how the others differ. `Sendable`.
package struct VerificationResult: Sendable {
    /// Rows that differ in the same way. `Sendable`.
    package struct Difference: Sendable, Hashable {
        package let experiment: String
        package let recorded: String
        package let found: String
        package let reason: String
        package let count: Int
        package let examples: [String]
    }

    /// A variant that the rows name otherwise than the plan. `Sendable`.
    package struct Name: Sendable, Hashable {
        package let experiment: String
        package let recorded: String
        /// The plan's key of the variant, or value of the setting; empty for no variant.
        package let found: String
        package let count: Int
    }

    package let rowCount: Int
    /// The number of rows whose unit keeps its variant, whatever the variant's name there.
    package let keptCount: Int
    /// The number of units in rows that prove something, each counted once.
    package let unitCount: Int
    /// The number of units of which every row keeps its variant.
    package let keptUnitCount: Int
    /// Whether each row that proves something has a unit ID. Otherwise only rows can be counted.
    package let hasUnits: Bool
    /// The number of rows without the unit ID that decides, which prove nothing.
    package let withoutUnitCount: Int
    /// The most frequent first.
    package let differences: [Difference]
    package let names: [Name]
    /// The attributes that experiments look at and the input does not have.
    package let missingColumns: [String]
    package let doubts: DoubtfulValues

    package var isExact: Bool { keptCount == rowCount }

    init(_ counts: VerificationCounts, _ recorded: RecordedNames, missingColumns: [String]) {
        rowCount = counts.rowCount
        doubts = counts.doubts
        withoutUnitCount = counts.withoutUnitCount
        hasUnits = !counts.hasRowsWithoutID
        self.missingColumns = missingColumns
        let ways = counts.differences.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        let named = ways.filter { !$0.key.recorded.isEmpty && recorded.contain($0.key) }
        let differing = ways.filter { !recorded.contain($0.key) }
        unitCount = counts.units.count
        keptUnitCount = unitCount - differing.reduce(into: Set()) { $0.formUnion($1.value.units) }.count
        keptCount = rowCount - withoutUnitCount - differing.reduce(0) { $0 + $1.value.count }
        differences = differing.map { key, tally in
            Difference(
                experiment: key.experiment, recorded: key.recorded, found: key.found, reason: key.reason,
                count: tally.count, examples: tally.examples)
        }
        // The reasons for no variant are several.
        let groups = Dictionary(grouping: named) { way in
            [way.key.experiment, way.key.recorded, way.key.found].map(UTF8Key.init)
        }
        names = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { name, ways in
            Name(
                experiment: name[0].text, recorded: name[1].text, found: name[2].text,
                count: ways.reduce(0) { $0 + $1.value.count })
        }
    }
}
