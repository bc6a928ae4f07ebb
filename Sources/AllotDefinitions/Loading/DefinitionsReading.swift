import Allot
import AllotConfiguration

/// One pass over all sources: parse, read, check.
struct DefinitionsReading {
    private let limits: DefinitionLimits
    private let now: Instant
    private(set) var problems: [Problem]

    init(limits: DefinitionLimits, now: Instant, problems: [Problem]) {
        self.limits = limits
        self.now = now
        self.problems = problems
    }

    /// A parsed file.
    private struct File {
        let name: String
        let stem: String
        let root: SourceNode
    }

    private static let sharedFiles = ["base", "layers", "holdouts", "segments"]

    /// Everything that the sources define; `nil` if too little can be read to say.
    mutating func read(_ sources: [DefinitionSource], folder: String) -> Definitions? {
        let files = parse(sources, folder: folder)
        let shared = Dictionary(files.map { ($0.stem, $0) }, uniquingKeysWith: { first, _ in first })

        var base = BaseFile()
        if let file = shared["base"] { base = read(file) { [limits] in BaseFile(file.root, limits: limits, reader: &$0) } }
        let layers = shared["layers"].map { file in
            read(file) { LayersFile.read(file.root, file: file.name, reader: &$0) }
        }
        let holdouts = shared["holdouts"].map { file in
            read(file) { HoldoutsFile.read(file.root, file: file.name, reader: &$0) }
        }
        let segments = shared["segments"].map { file in read(file) { SegmentsFile.read(file.root, reader: &$0) } }

        let overrideCheck = OverrideCheck(base: base, hasBase: sources.contains { Self.stem($0.name) == "base" })
        var experiments: [ExperimentFile] = []
        for file in files where !Self.sharedFiles.contains(file.stem) {
            let experiment = read(file) { reader in
                let experiment = ExperimentFile(
                    file.root, key: file.stem, file: file.name, segments: segments ?? SegmentTable(), reader: &reader)
                if let experiment { overrideCheck.check(experiment, reader: &reader) }
                return experiment
            }
            if let experiment { experiments.append(experiment) }
        }
        experiments.sort { UTF8Order.precedes($0.definition.key, $1.definition.key) }

        let references = ReferenceCheck(
            layers: layers ?? [], holdouts: holdouts ?? [], experiments: experiments, now: now)
        problems += references.problems()
        problems += ConflictCheck(experiments).problems()
        return Definitions(
            base: base.values, meta: base.meta, layers: (layers ?? []).map(\.value),
            holdouts: (holdouts ?? []).map(\.value), experiments: experiments.map(\.definition))
    }

    /// Reads one file and keeps what its reader complained about.
    private mutating func read<Value>(_ file: File, _ body: (inout FileReader) -> Value) -> Value {
        var reader = FileReader(file: file.name)
        let value = body(&reader)
        problems += reader.problems.problems
        return value
    }

    // MARK: Parsing

    private mutating func parse(_ sources: [DefinitionSource], folder: String) -> [File] {
        var files: [File] = []
        var names: [String: String] = [:]
        for source in sources.sorted(by: { UTF8Order.precedes($0.name, $1.name) }) {
            let name = Self.shown(source.name, in: folder)
            let stem = Self.stem(source.name)
            if let other = names[stem] {
                report(name, "\(other) already defines \"\(stem)\"; keep one of the two files")
                continue
            }
            names[stem] = name
            if !Salt.isValid(stem) {
                report(
                    name,
                    "the file's name is no experiment key; use 1 to 64 letters, digits, \".\", \"_\" and \"-\", "
                        + "the first a letter or digit")
                continue
            }
            guard source.bytes.count <= limits.fileBytes else {
                report(name, "the file has \(source.bytes.count) bytes; at most \(limits.fileBytes) are read")
                continue
            }
            let (root, found) =
                source.name.hasSuffix(".json")
                ? JSONSource.parse(bytes: source.bytes, file: name) : YAMLSource.parse(bytes: source.bytes, file: name)
            problems += found
            if let root { files.append(File(name: name, stem: stem, root: root)) }
        }
        return files
    }

    private mutating func report(_ file: String, _ message: String) {
        problems.append(Problem(severity: .error, file: file, position: nil, message: message, path: nil))
    }

    private static func shown(_ name: String, in folder: String) -> String {
        folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// The name without its ending.
    private static func stem(_ name: String) -> String {
        for ending in DefinitionsFolder.endings where name.hasSuffix("." + ending) {
            return String(name.dropLast(ending.utf8.count + 1))
        }
        return name
    }
}
