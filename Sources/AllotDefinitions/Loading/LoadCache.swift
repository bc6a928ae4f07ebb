import AllotConfiguration
import AllotCore

/// What the file of one experiment was parsed to. `Sendable`.
struct ParsedExperiment: Sendable {
    /// `nil` if the file cannot be parsed.
    var experiment: ExperimentFile?
    /// What is wrong with the file by itself.
    var problems: [DefinitionProblem] = []
}

/// What a load has read and parsed, so that the next one reads only the files whose states have changed, and parses
/// only those whose bytes have. `Sendable`.
///
/// A file gives the same as long as its name, its bytes and its surroundings are the same, so that a load with
/// a cache gives what a load without one gives. Everything that depends on several experiments is checked anew.
package struct LoadCache: Sendable {
    /// What the parsing of every file depends on.
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

    /// What one of the files that experiments refer to was parsed to.
    struct Shared: Sendable {
        let bytes: [UInt8]
        let value: any SharedFile
        let problems: [DefinitionProblem]
    }

    /// `nil` before the first load.
    private var surroundings: Surroundings?
    /// By the file's name.
    private var entries: [UTF8Key: Entry] = [:]
    /// The state of the folder that `entries` were read of, and when reading began; `nil` if they are of no folder.
    private var read: (signature: FolderSignature, at: Instant)?
    /// What was compiled last, with the files that it was compiled of, in order.
    private var compiled: (files: [ExperimentFile], experiments: EarlierExperiments) = ([], EarlierExperiments())
    /// By the file's name as messages show it.
    private var shared: [UTF8Key: Shared] = [:]
    /// Identifies the content that the last load has read, within this process; `nil` if it did not read one state of
    /// the folder.
    package internal(set) var fingerprint: Int?

    /// How many files one thread takes at a time.
    static let chunk = 256

    package init() {}

    /// The number of experiments' files whose content is known.
    var count: Int { entries.count }

    /// The bytes of an experiment's file in a state. Returns `nil` if they are not known, or may have changed since.
    func bytes(of name: String, in state: FolderSignature.File) -> [UInt8]? {
        guard let read, read.signature.state(of: name) == state, state.isSettled(at: read.at) else { return nil }
        return entries[UTF8Key(name)]?.bytes
    }

    /// Notes what the experiments that were parsed last were read of.
    mutating func note(_ content: DefinitionsFolder.Content) {
        read = content.signature.map { (signature: $0, at: content.readAt) }
    }

    /// What was compiled of experiments' files before. A file that was not parsed again is the same object.
    func earlier(_ files: [ExperimentFile]) -> EarlierExperiments {
        let known = Dictionary(compiled.files.enumerated().map { (ObjectIdentifier($1), $0) }) { first, _ in first }
        return compiled.experiments.matched(files.map { known[ObjectIdentifier($0)] })
    }

    /// Notes what was compiled of experiments' files.
    mutating func note(_ files: [ExperimentFile], compiled plan: Plan) {
        compiled = (files, EarlierExperiments(plan))
    }

    /// Forgets all experiments unless the surroundings are the same.
    mutating func begin(_ surroundings: Surroundings) {
        if self.surroundings.map(surroundings.isSame) != true { entries = [:] }
        self.surroundings = surroundings
    }

    /// What a file was parsed to that experiments refer to.
    ///
    /// - Parameter parse: Parses it, unless its bytes are the same as before.
    mutating func shared(
        _ file: String, _ source: DefinitionSource, _ limits: DefinitionLimits, parse: () -> Shared
    ) -> Shared {
        let key = UTF8Key(file)
        if let known = shared[key], limits == surroundings?.limits, known.bytes == source.bytes { return known }
        let parsed = parse()
        shared[key] = parsed
        return parsed
    }

    /// What the files are parsed to, in their order; large folders on all cores.
    ///
    /// - Parameters:
    ///   - sources: The files; `nil` for those that cannot be read.
    ///   - parse: Parses the file at an index.
    mutating func experiments(
        of sources: [DefinitionSource?], parse: @escaping @Sendable (Int) -> ParsedExperiment
    ) -> [ParsedExperiment] {
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
