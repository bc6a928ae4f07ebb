import AllotBatch
import AllotConfiguration
import AllotCore
import AllotFiles
import Synchronization

/// The unit IDs in a column of a CSV file, each once.
package final class CSVUnits: UnitSource {
    private struct State: ~Copyable, Sendable {
        var rows: CSVRows
        /// Hashes of 64 bits. Two IDs share one by chance only: with ten million IDs one of them is taken for a
        /// repetition with a probability of 3 in a million, and would then be one unit too few.
        var seen: Set<UInt64> = []
        var repeatCount = 0
        var invalidCount = 0
        var isAtEnd = false
    }

    package let name: String
    package let expectedCount: Int? = nil
    private let column: Int
    private let columnName: String
    private let state: Mutex<State>
    package init(
        _ input: consuming InputFile, column name: String, option: String? = nil, nullWords: [String] = [],
        delimiter: CSVDelimiter = .comma
    ) throws {
        var rows = try CSVRows(input, nullWords: nullWords, delimiter: delimiter)
        column = try rows.header.index(of: name, in: rows.name, for: option)
        rows.unitColumns = [column]
        columnName = name
        self.name = "\(PrintableText(rows.name)), column \(PrintableText(name, atMost: QuotedText.limit))"
        state = Mutex(State(rows: rows))
    }

    package func next(into block: inout UnitBlock) throws -> Int? {
        block.removeAll()
        return try state.withLock { state in
            guard !state.isAtEnd else { return nil }
            let start = state.seen.count
            // It stays set if reading throws, so that the other threads stop.
            state.isAtEnd = true
            while block.count < GeneratedUnits.blockLength {
                guard try state.rows.next() else { return block.count > 0 ? start : nil }
                let field = state.rows[column]
                guard UnitID.isValidLength(field.count) else {
                    state.invalidCount += 1
                    continue
                }
                if state.seen.insert(ByteHash.hash(state.rows.bytes.span.extracting(field))).inserted {
                    block.append(state.rows.bytes[field])
                } else {
                    state.repeatCount += 1
                }
            }
            state.isAtEnd = false
            return start
        }
    }

    package var notes: [String] {
        state.withLock { state in
            var notes: [String] = []
            if state.repeatCount > 0 {
                let rows = state.repeatCount == 1 ? "1 row repeats" : "\(state.repeatCount) rows repeat"
                notes.append("\(rows) a unit ID; each unit counts once.")
            }
            if state.invalidCount > 0 {
                let rows = state.invalidCount == 1 ? "1 row has" : "\(state.invalidCount) rows have"
                notes.append(
                    "\(rows) no valid \(PrintableText(columnName, atMost: QuotedText.limit)) (empty, or longer than "
                        + "\(UnitID.maximumLength) bytes).")
            }
            return notes + state.rows.doubts.sentences.map { "\($0)." }
        }
    }
}
