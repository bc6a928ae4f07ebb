import Allot
import AllotConfiguration

/// One pass over all sources: parse, read, check.
///
/// What cannot be read is reported once, where it stands; what refers to it is not blamed for it.
struct DefinitionsReading {
    private let limits: DefinitionLimits
    private let now: Instant
    private var found: [DefinitionProblem]
    /// The base, once it was read.
    private(set) var base = BaseFile()

    init(limits: DefinitionLimits, now: Instant, problems: [DefinitionProblem]) {
        self.limits = limits
        self.now = now
        found = problems
    }

    /// All that is wrong or doubtful, in the order of files and positions.
    var problems: [DefinitionProblem] {
        found.map(\.onOneLine).sorted()
    }

    /// A file of the folder.
    private struct File {
        let name: String
        let stem: String
        /// Whether it defines something. A file with a wrong name, or a second one of a name, is only looked through.
        let counts: Bool
        /// What it holds; `nil` if it cannot be read.
        let root: SourceNode?
    }

    private static let sharedFiles = ["base", "layers", "holdouts", "segments"]

    /// Everything that the sources define.
    ///
    /// - Parameter unread: files of the folder that could not be read.
    mutating func read(_ sources: [DefinitionSource], unread: [UnreadFile], folder: String) -> Definitions {
        let files = parse(sources, unread, folder: folder)
        base = readShared("base", files, none: BaseFile(), unreadable: .unreadable) { [limits] root, _, reader in
            BaseFile(root, limits: limits, reader: &reader)
        }
        let layers = readShared("layers", files, none: LayersFile(), unreadable: .unreadable) { root, file, reader in
            LayersFile(root, file: file, reader: &reader)
        }
        let holdouts = readShared("holdouts", files, none: HoldoutsFile(), unreadable: HoldoutsFile()) {
            root, file, reader in
            HoldoutsFile(root, file: file, reader: &reader)
        }
        let segments = readShared("segments", files, none: SegmentsFile(), unreadable: .unreadable) { root, _, reader in
            SegmentsFile(root, reader: &reader)
        }
        let experimentFiles = files.filter { !Self.sharedFiles.contains($0.stem) }
        let experiments = readExperiments(experimentFiles, base, segments)
        var keys = KnownNames()
        for file in experimentFiles { keys.insert(file.stem) }
        check(experiments, keys, layers, holdouts)
        return Definitions(
            base: base.values, meta: base.meta, layers: layers.layers.map(\.value),
            holdouts: holdouts.holdouts.map(\.value), experiments: experiments.map(\.definition))
    }

    private mutating func readExperiments(
        _ files: [File], _ base: BaseFile, _ segments: SegmentsFile
    ) -> [ExperimentFile] {
        let overrideCheck = OverrideCheck(base: base)
        let experiments = files.compactMap { file in
            read(file, unreadable: nil) { root, name, reader -> ExperimentFile? in
                let key = Salt.isValid(file.stem) ? file.stem : "unnamed"
                let experiment = ExperimentFile(root, key: key, file: name, segments: segments, reader: &reader)
                if let experiment { overrideCheck.check(experiment, reader: &reader) }
                return file.counts ? experiment : nil
            }
        }
        return experiments.sorted { UTF8Order.precedes($0.definition.key, $1.definition.key) }
    }

    private mutating func check(
        _ experiments: [ExperimentFile], _ keys: KnownNames, _ layers: LayersFile, _ holdouts: HoldoutsFile
    ) {
        found += ReferenceCheck(layers: layers, holdouts: holdouts, experiments: experiments, keys: keys, now: now)
            .problems()
        found += ConflictCheck(experiments).problems()
        found += SlotCheck(experiments: experiments).problems()
        found += ForcedCheck(experiments).problems()
    }

    /// Reads the files of one name, of which the first counts.
    private mutating func readShared<Value>(
        _ stem: String, _ files: [File], none: Value, unreadable: Value,
        _ body: (SourceNode, String, inout FileReader) -> Value
    ) -> Value {
        var result = none
        for file in files where file.stem == stem {
            let value = read(file, unreadable: unreadable, body)
            if file.counts { result = value }
        }
        return result
    }

    /// Reads one file and keeps what its reader complained about.
    private mutating func read<Value>(
        _ file: File, unreadable: Value, _ body: (SourceNode, String, inout FileReader) -> Value
    ) -> Value {
        guard let root = file.root else { return unreadable }
        var reader = FileReader(file: file.name)
        let value = body(root, file.name, &reader)
        found += reader.problems.problems
        return value
    }

    // MARK: Parsing

    private mutating func parse(_ sources: [DefinitionSource], _ unread: [UnreadFile], folder: String) -> [File] {
        var files: [File] = []
        var names: [UTF8Key: String] = [:]
        for source in sources.sorted(by: { UTF8Order.precedes($0.name, $1.name) }) {
            let name = Self.shown(source.name, in: folder)
            let stem = Self.stem(source.name)
            let counts = isNew(name, stem, &names) && isKey(name, stem)
            let tree = SourceTree(source.bytes, file: name, maximumBytes: limits.fileBytes)
            found += tree.problems
            files.append(File(name: name, stem: stem, counts: counts, root: tree.root))
        }
        for file in unread {
            let name = Self.shown(file.name, in: folder)
            let stem = Self.stem(file.name)
            report(name, file.message)
            files.append(File(name: name, stem: stem, counts: isNew(name, stem, &names), root: nil))
        }
        return files
    }

    /// Whether this is the first file of its name.
    private mutating func isNew(_ name: String, _ stem: String, _ names: inout [UTF8Key: String]) -> Bool {
        if let other = names[UTF8Key(stem)] {
            report(name, "\(other) already defines \(QuotedText(stem)); keep one of the two files")
            return false
        }
        names[UTF8Key(stem)] = name
        return true
    }

    private mutating func isKey(_ name: String, _ stem: String) -> Bool {
        if Salt.isValid(stem) { return true }
        report(
            name,
            "the file's name is no experiment key; rename it to 1 to 64 letters, digits, \".\", \"_\" and \"-\", "
                + "the first a letter or digit")
        return false
    }

    private mutating func report(_ file: String, _ message: String) {
        found.append(DefinitionProblem(severity: .error, file: file, position: nil, message: message, path: nil))
    }

    /// A file's name as messages show it.
    static func shown(_ name: String, in folder: String) -> String {
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

extension DefinitionProblem {
    /// The problem with characters escaped that would break its line or move a terminal's cursor.
    fileprivate var onOneLine: DefinitionProblem {
        DefinitionProblem(
            severity: severity, file: Self.escaped(file), position: position, message: Self.escaped(message),
            path: path.map(Self.escaped))
    }

    private static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if isHidden(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
