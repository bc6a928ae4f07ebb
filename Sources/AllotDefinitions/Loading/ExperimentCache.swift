import AllotConfiguration
import Dispatch
import Synchronization

/// What the file of one experiment was parsed to. `Sendable`.
struct ParsedExperiment: Sendable {
    /// `nil` if the file cannot be parsed.
    var experiment: ExperimentFile?
    /// What is wrong with the file by itself.
    var problems: [DefinitionProblem] = []
}

/// What a load has parsed, so that the next one parses only the files whose bytes have changed. `Sendable`.
///
/// A file gives the same as long as its name, its bytes and its surroundings are the same, so that a load with
/// a cache gives what a load without one gives. Everything that depends on several experiments is checked anew.
package struct ExperimentCache: Sendable {
    /// What the parsing of every experiment depends on.
    struct Surroundings: Sendable {
        let folder: String
        let limits: DefinitionLimits
        /// The files that experiments refer to; without bytes those that cannot be read.
        let shared: [(name: String, bytes: [UInt8]?)]

        fileprivate func isSame(as other: Surroundings) -> Bool {
            UTF8Order.areEqual(folder, other.folder) && limits == other.limits
                && shared.elementsEqual(other.shared) { UTF8Order.areEqual($0.name, $1.name) && $0.bytes == $1.bytes }
        }
    }

    private struct Entry: Sendable {
        let bytes: [UInt8]
        let parsed: ParsedExperiment
    }

    /// `nil` before the first load.
    private var surroundings: Surroundings?
    /// By the file's name.
    private var entries: [UTF8Key: Entry] = [:]

    /// How many files one thread parses at a time.
    private static let chunk = 256

    package init() {}

    /// The number of files whose content is known.
    var count: Int { entries.count }

    /// Forgets everything unless the surroundings are the same.
    mutating func begin(_ surroundings: Surroundings) {
        if self.surroundings.map(surroundings.isSame) != true { entries = [:] }
        self.surroundings = surroundings
    }

    /// What the files are parsed to, in their order; large folders on all cores.
    ///
    /// - Parameters:
    ///   - sources: The files; `nil` for those that cannot be read.
    ///   - parse: Parses the file at an index.
    mutating func experiments(
        of sources: [DefinitionSource?], parse: @Sendable (Int) -> ParsedExperiment
    ) -> [ParsedExperiment] {
        let entries = entries
        let chunks = (sources.count + Self.chunk - 1) / Self.chunk
        let results = Mutex(Array(repeating: [ParsedExperiment](), count: chunks))
        DispatchQueue.concurrentPerform(iterations: chunks) { chunk in
            let start = chunk * Self.chunk
            let found = (start..<min(start + Self.chunk, sources.count)).map { index in
                guard let source = sources[index], let entry = entries[UTF8Key(source.name)],
                    entry.bytes == source.bytes
                else { return parse(index) }
                return entry.parsed
            }
            results.withLock { $0[chunk] = found }
        }
        let all = results.withLock { Array($0.joined()) }
        self.entries = [:]
        for (source, parsed) in zip(sources, all) {
            if let source { self.entries[UTF8Key(source.name)] = Entry(bytes: source.bytes, parsed: parsed) }
        }
        return all
    }
}
