import AllotConfiguration
import AllotCore

/// A file's value, `nil` if it cannot be parsed, and the problems of the file by itself. `Sendable`.
struct ParsedFile<Value: Sendable>: Sendable {
    var value: Value?
    var problems: [DefinitionProblem] = []
}

/// The files that a load has read and parsed: the next one reads only files whose states have changed, and parses only
/// files whose bytes have. `Sendable`. Parsing depends on name, bytes and surroundings only, so a load with a cache
/// equals a fresh one. Everything that depends on several experiments is checked anew.
package struct LoadCache: Sendable {
    /// The circumstances of the parsing of experiments.
    struct Surroundings: Sendable, Equatable {
        let folder: UTF8Key
        let limits: DefinitionLimits
        /// The names of the files that experiments refer to, and their bytes; `nil` for a file that cannot be read.
        let names: [UTF8Key]
        let bytes: [[UInt8]?]

        init(folder: String, limits: DefinitionLimits, shared: [(name: String, bytes: [UInt8]?)]) {
            (self.folder, self.limits) = (UTF8Key(folder), limits)
            (names, bytes) = (shared.map { UTF8Key($0.name) }, shared.map(\.bytes))
        }
    }

    private struct Entry<Value: Sendable>: Sendable {
        let bytes: [UInt8]
        let parsed: ParsedFile<Value>
    }

    /// `nil` before the first load.
    private var surroundings: Surroundings?
    private var entries: [UTF8Key: Entry<ExperimentFile>] = [:]
    /// The state of the folder with `entries`, and when reading began; `nil` if they are of no folder.
    private var read: (signature: FolderSignature, at: Instant)?
    private var compiled: (files: [ExperimentFile], experiments: EarlierExperiments) = ([], EarlierExperiments())
    /// The files that experiments refer to, by their names as messages show them.
    private var shared: [UTF8Key: Entry<any SharedFile>] = [:]
    /// Identifies the content that the last load has read, within this process; `nil` if it did not read one state of
    /// the folder.
    package internal(set) var fingerprint: Int?

    /// The number of files that one thread takes at a time.
    static let chunk = 256

    package init() {}

    var count: Int { entries.count }

    /// The bytes of an experiment's file in a state. Returns `nil` if they are not known, or may have changed since.
    func bytes(of name: String, in state: FolderSignature.File) -> [UInt8]? {
        guard let read, read.signature.state(of: name) == state, state.isSettled(at: read.at) else { return nil }
        return entries[UTF8Key(name)]?.bytes
    }

    mutating func note(_ content: DefinitionsFolder.Content) {
        read = content.signature.map { (signature: $0, at: content.readAt) }
    }

    func earlier(_ files: [ExperimentFile]) -> EarlierExperiments {
        let known = Dictionary(compiled.files.enumerated().map { (ObjectIdentifier($1), $0) }) { first, _ in first }
        return compiled.experiments.matched(files.map { known[ObjectIdentifier($0)] })
    }

    mutating func note(_ files: [ExperimentFile], compiled plan: Plan) { compiled = (files, EarlierExperiments(plan)) }

    /// Forgets all experiments unless the surroundings are the same.
    mutating func begin(_ surroundings: Surroundings) {
        if self.surroundings != surroundings { entries = [:] }
        self.surroundings = surroundings
    }

    mutating func shared(
        _ file: String, _ source: DefinitionSource, _ limits: DefinitionLimits, parse: () -> ParsedFile<any SharedFile>
    ) -> ParsedFile<any SharedFile> {
        let key = UTF8Key(file)
        if let known = shared[key], limits == surroundings?.limits, known.bytes == source.bytes { return known.parsed }
        let parsed = parse()
        shared[key] = Entry(bytes: source.bytes, parsed: parsed)
        return parsed
    }

    /// The parsed files, in their order; large folders on all cores.
    mutating func experiments(
        of sources: [DefinitionSource?], parse: @escaping @Sendable (Int) -> ParsedFile<ExperimentFile>
    ) -> [ParsedFile<ExperimentFile>] {
        let entries = entries
        let all = Workers.forExperiments(sources.count).map(sources.count, chunk: Self.chunk) { index in
            guard let source = sources[index], let entry = entries[UTF8Key(source.name)], entry.bytes == source.bytes
            else { return parse(index) }
            return entry.parsed
        }
        self.entries = [:]
        self.entries.reserveCapacity(all.count)
        for (source, parsed) in zip(sources, all) {
            if let source { self.entries[UTF8Key(source.name)] = Entry(bytes: source.bytes, parsed: parsed) }
        }
        return all
    }
}
