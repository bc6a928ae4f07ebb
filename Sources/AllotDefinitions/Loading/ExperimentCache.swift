import AllotConfiguration
import Dispatch
import Synchronization

/// What the file of one experiment was read as. `Sendable`.
struct ReadExperiment: Sendable {
    /// `nil` if the file cannot be read.
    var experiment: ExperimentFile?
    /// What is wrong with the file by itself.
    var problems: [DefinitionProblem] = []
}

/// What a load has read, so that the next one reads only the files again whose bytes are others. `Sendable`.
///
/// A file is read in the same way as long as its name, its bytes and its surroundings are the same, so that a load with
/// a cache gives what a load without one gives. Everything that depends on several experiments is checked anew.
package struct ExperimentCache: Sendable {
    /// What the reading of every experiment depends on.
    struct Surroundings: Sendable {
        let folder: String
        let fileBytes: Int
        /// The files that experiments refer to; without bytes those that cannot be read.
        let shared: [(name: String, bytes: [UInt8]?)]

        fileprivate func isSame(as other: Surroundings) -> Bool {
            UTF8Order.areEqual(folder, other.folder) && fileBytes == other.fileBytes
                && shared.elementsEqual(other.shared) { UTF8Order.areEqual($0.name, $1.name) && $0.bytes == $1.bytes }
        }
    }

    private struct Entry: Sendable {
        let bytes: [UInt8]
        let read: ReadExperiment
    }

    /// `nil` before the first load.
    private var surroundings: Surroundings?
    /// By the file's name.
    private var entries: [UTF8Key: Entry] = [:]

    /// How many files one thread reads at a time.
    private static let chunk = 256

    package init() {}

    /// Forgets everything unless the surroundings are the same.
    mutating func begin(_ surroundings: Surroundings) {
        if self.surroundings.map(surroundings.isSame) != true { entries = [:] }
        self.surroundings = surroundings
    }

    /// What the files are read as, in their order. Files that must be read are read on all cores.
    ///
    /// - Parameters:
    ///   - sources: The files; `nil` for those that cannot be read.
    ///   - read: Reads the file at an index.
    mutating func read(
        _ sources: [DefinitionSource?], _ read: @Sendable (Int) -> ReadExperiment
    ) -> [ReadExperiment] {
        let entries = entries
        let chunks = (sources.count + Self.chunk - 1) / Self.chunk
        let results = Mutex(Array(repeating: [ReadExperiment](), count: chunks))
        DispatchQueue.concurrentPerform(iterations: chunks) { chunk in
            let start = chunk * Self.chunk
            let found = (start..<min(start + Self.chunk, sources.count)).map { index in
                guard let source = sources[index], let entry = entries[UTF8Key(source.name)],
                    entry.bytes == source.bytes
                else { return read(index) }
                return entry.read
            }
            results.withLock { $0[chunk] = found }
        }
        let all = results.withLock { Array($0.joined()) }
        self.entries = [:]
        for (source, read) in zip(sources, all) {
            if let source { self.entries[UTF8Key(source.name)] = Entry(bytes: source.bytes, read: read) }
        }
        return all
    }
}
