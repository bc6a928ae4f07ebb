import AllotConfiguration
import AllotCore
import AllotFiles

/// Assigns every row of a CSV file by two plans, and counts the units whose assignment differs, each with its first
/// row. Units are distinguished by a hash of 64 bits, which takes about 20 bytes for each.
package struct BatchComparison: Sendable {
    package let old: Plan
    package let new: Plan
    package let instant: Instant
    /// The column of the attribute `user_id`, if it has another name.
    package var unitColumn: String?
    /// The columns of attributes, by attribute, where they have other names; a plan that reads one takes it.
    package var attributeColumns: [String: String] = [:]
    package var nullWords: [String] = []
    package var delimiter = CSVDelimiter.comma
    package var threadCount: Int?
    var chunkSize = ChunkReader.defaultChunkSize

    /// The product of the size of a chunk and the number of experiments, at most.
    private static let keptSize = 1 << 23

    package init(old: Plan, new: Plan, instant: Instant) {
        (self.old, self.new, self.instant) = (old, new, instant)
    }

    /// An experiment of either plan, by its index there.
    struct Pair: Sendable {
        let key: String
        let old: Int?
        let new: Int?
    }

    var pairs: [Pair] {
        let before = Dictionary(uniqueKeysWithValues: old.experiments.enumerated().map { (UTF8Key($1.key), $0) })
        let after = Dictionary(uniqueKeysWithValues: new.experiments.enumerated().map { (UTF8Key($1.key), $0) })
        return Set(before.keys).union(after.keys).sorted().map {
            Pair(key: $0.text, old: before[$0], new: after[$0])
        }
    }

    package func run(
        _ input: consuming InputFile, progress: (@Sendable (_ bytesDone: Int) -> Void)? = nil
    ) throws -> BatchComparisonResult {
        // Of a chunk 4 bytes are kept for each row and experiment until the rows before it are counted.
        let chunkSize = min(chunkSize, max(Self.keptSize / max(pairs.count, 1), 1))
        let reader = try ChunkReader(input, delimiter: delimiter, chunkSize: chunkSize)
        let columns = try [old, new].map { plan in
            var batch = BatchAssignment(plan: plan, instant: instant)
            batch.unitColumn = unitColumn
            batch.attributeColumns = attributeColumns.filter { plan.attributes.index(of: $0.key) != nil }
            // Only the wide layout adds columns, whose names the input may have already.
            batch.layout = .long
            return try ColumnMap(reader.header, for: batch, inputName: reader.inputName)
        }
        let (before, after) = (columns[0], columns[1])
        let counts = ComparisonCounts(self, before: before, after: after)
        var result = try OrderedPipeline(workerCount: threadCount).run(
            reader, adding: counts, progress: progress
        ) { ComparisonProcessor(self, counts, before: before, after: after) }
        result.statistics.doubts.longFields = result.longFields
        let added = after.doubts.filter { !before.doubts.contains($0) }
        result.statistics.doubts.columnSentences = before.doubts + added
        return BatchComparisonResult(
            result.statistics, of: self, missingColumns: Set(before.missing + after.missing).sorted())
    }
}

/// How the assignments of the units of a file differ between two plans.
public struct BatchComparisonResult: Sendable {
    /// Units with one assignment in the old plan, and another or the same in the new one.
    package struct Transition: Sendable, Hashable {
        /// The old variant; `nil` for none.
        package let from: String?
        /// The new variant; `nil` for none.
        package let to: String?
        /// The number of units, above 0.
        package let count: Int
    }

    package struct Experiment: Sendable {
        package let key: String
        /// The number of its units, each counted once.
        package let unitCount: Int
        /// Every transition that occurs, except from no variant to no variant.
        package let transitions: [Transition]
        /// The number of units that were forced, or are forced now and had no variant: no part of any transition.
        package let forcedCount: Int
        /// The attributes that decide it, before or after, and that the input does not have.
        package let missingAttributes: [String]
    }

    package let rowCount: Int
    /// The number of units that the file lists, each counted once: of `user_id`, or else of the first unit that it has.
    /// Without any, each row counts.
    package let unitCount: Int
    package let repeatCount: Int
    package var withoutUnitCount: Int { rowCount - unitCount - repeatCount }
    package let experiments: [Experiment]
    /// The attributes that experiments look at and the input does not have.
    package let missingColumns: [String]
    package let doubts: DoubtfulValues

    init(_ counts: ComparisonCounts, of comparison: BatchComparison, missingColumns: [String]) {
        rowCount = counts.rowCount
        (unitCount, repeatCount) = (counts.units[0].count, counts.units[0].repeatCount)
        doubts = counts.doubts
        self.missingColumns = missingColumns
        let missing = Set(missingColumns.map(UTF8Key.init))
        experiments = comparison.pairs.enumerated().map { index, pair in
            let old = [nil] + (pair.old.map { comparison.old.experiments[$0].variants.map(\.key) } ?? [])
            let new = [nil] + (pair.new.map { comparison.new.experiments[$0].variants.map(\.key) } ?? [])
            var transitions: [Transition] = []
            for (i, from) in old.enumerated() {
                for (j, to) in new.enumerated() where i + j > 0 {
                    let count = counts.count(pair: index, from: i, to: j)
                    if count > 0 { transitions.append(Transition(from: from, to: to, count: count)) }
                }
            }
            let attributes = [(comparison.old, pair.old), (comparison.new, pair.new)].flatMap { plan, index in
                index.map { plan.attributeNames(of: [$0]).map(UTF8Key.init) } ?? []
            }
            return Experiment(
                key: pair.key, unitCount: counts.unitCount(pair: index), transitions: transitions,
                forcedCount: counts.forced(pair: index),
                missingAttributes: missing.intersection(attributes).sorted().map(\.text))
        }
    }
}
