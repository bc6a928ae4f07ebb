import AllotConfiguration
import AllotCore

/// One pass over all sources: parse the files, read the definitions, and, apart from that, check them together. A
/// definition that cannot be read is reported once, at its place; references to it are not errors.
struct DefinitionsReading {
    let limits: DefinitionLimits
    let now: Instant
    var found: [DefinitionProblem]
    private(set) var base = BaseFile()
    private(set) var experiments: [ExperimentFile] = []
    /// The check of everything together; `nil` before it has been read.
    private(set) var check: DefinitionsCheck?

    var problems: [DefinitionProblem] { found.map(\.onOneLine).sorted() }

    private struct File {
        let name: String
        let stem: String
        /// Whether it defines something. A file with an invalid name, or the second one of a name, is only checked.
        let counts: Bool
        let source: DefinitionSource?

        var isShared: Bool { sharedFiles.contains(stem) }
    }

    static let sharedFiles = ["base", "layers", "holdouts", "segments"]

    /// Everything that the sources define, not checked together yet.
    mutating func read(
        _ sources: [DefinitionSource], unread: [UnreadFile], folder: String, cache: inout LoadCache
    ) -> Definitions {
        let files = arrange(sources, unread, folder: folder)
        base = readShared("base", files, &cache)
        let layers: LayersFile = readShared("layers", files, &cache)
        let holdouts: HoldoutsFile = readShared("holdouts", files, &cache)
        let segments: SegmentsFile = readShared("segments", files, &cache)
        cache.begin(
            LoadCache.Surroundings(
                folder: folder, limits: limits,
                // No experiment is parsed with the holdouts.
                shared: files.filter { $0.isShared && $0.stem != "holdouts" }.map { ($0.name, $0.source?.bytes) }))
        let experimentFiles = files.filter { !$0.isShared }
        experiments = readExperiments(experimentFiles, layers, segments, &cache)
        var keys = KnownNames()
        for file in experimentFiles { keys.insert(file.stem) }
        let definitions = experiments.map(\.definition)
        check = DefinitionsCheck(
            base: base, experiments: experiments, definitions: definitions, keys: keys, layers: layers,
            holdouts: holdouts, segments: segments, now: now, limits: base.limits(limits))
        return Definitions(
            base: base.values, settings: base.declared, meta: base.meta, layers: layers.layers.map(\.value),
            holdouts: holdouts.holdouts.map(\.value), experiments: definitions)
    }

    /// The experiments that count, in the order of their keys. The others are checked by themselves only.
    private mutating func readExperiments(
        _ files: [File], _ layers: LayersFile, _ segments: SegmentsFile, _ cache: inout LoadCache
    ) -> [ExperimentFile] {
        let overrides = OverrideCheck(base: base)
        let limits = limits
        // In the order of the keys, which is not always that of the names.
        let files = files.sorted { UTF8Order.precedes($0.stem, $1.stem) }
        let parsed = cache.experiments(of: files.map(\.source)) { index in
            let file = files[index]
            var parsed = Self.parse(file, limits) {
                ExperimentFile($0, key: file.stem, layers: layers, segments: segments, reader: &$1)
            }
            if let experiment = parsed.value { parsed.problems += overrides.problems(of: experiment) }
            return parsed
        }
        for file in parsed { found += file.problems }
        return files.indices.compactMap { files[$0].counts ? parsed[$0].value : nil }
    }

    /// Reads the files of one name. The first one counts.
    private mutating func readShared<Shared: SharedFile>(
        _ stem: String, _ files: [File], _ cache: inout LoadCache
    ) -> Shared {
        var result = Shared()
        for file in files where file.stem == stem {
            var value: Shared?
            if let source = file.source {
                let parsed = cache.shared(file.name, source, limits) {
                    Self.parse(file, limits) { Shared($0, reader: &$1) }
                }
                found += parsed.problems
                value = parsed.value as? Shared
            }
            if file.counts { result = value ?? .unreadable }
        }
        return result
    }

    private static func parse<Value: Sendable>(
        _ file: File, _ limits: DefinitionLimits, _ body: (SourceNode, inout FileReader) -> Value?
    ) -> ParsedFile<Value> {
        guard let source = file.source else { return ParsedFile() }
        let tree = SourceTree(source.bytes, file: file.name, maximumBytes: limits.fileBytes)
        guard let root = tree.root else { return ParsedFile(problems: tree.problems) }
        var reader = FileReader(file: file.name, limits: limits)
        let value = body(root, &reader)
        return ParsedFile(value: value, problems: tree.problems + reader.problems.problems)
    }

    // MARK: Names

    private mutating func arrange(_ sources: [DefinitionSource], _ unread: [UnreadFile], folder: String) -> [File] {
        var files: [File] = []
        var names: [UTF8Key: String] = [:]
        let given = Set(sources.map { DefinitionsFolder.stem(of: $0.name) })
        for source in sources.sorted(by: { UTF8Order.precedes($0.name, $1.name) }) {
            let name = Self.shown(source.name, in: folder)
            guard let stem = stem(of: source, name, given) else { continue }
            let counts = isNew(name, stem, &names) && isKey(name, stem)
            files.append(File(name: name, stem: stem, counts: counts, source: source))
        }
        for file in unread {
            let name = Self.shown(file.name, in: folder)
            let stem = DefinitionsFolder.stem(of: file.name)
            report(name, file.message)
            files.append(File(name: name, stem: stem, counts: isNew(name, stem, &names), source: nil))
        }
        return files
    }

    /// The name under which a file is read. Returns `nil` if it cannot be read as anything, which is reported.
    private mutating func stem(of source: DefinitionSource, _ name: String, _ given: Set<String>) -> String? {
        let stem = DefinitionsFolder.stem(of: source.name)
        guard !Self.sharedFiles.contains(stem), let meaning = MisnamedFile.meaning(of: source) else { return stem }
        switch meaning {
        case .shared(let meant):
            let content = meant == "base" ? "the base" : meant
            if given.contains(meant) {
                report(name, "the file defines \(content), as the file \(meant) does; join the two files")
                return nil
            }
            report(
                name, "the file defines \(content), and its name is that of an experiment; did you mean \(meant).yaml?")
            // Read as what it is, so that nothing else is reported of what refers to it.
            return meant
        case .tests:
            report(
                name,
                "the file has test cases and no experiment; move it into the folder tests of the definitions, or, if "
                    + "this is that folder, name the one above it")
            return nil
        }
    }

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
        report(name, "the file name is not a valid experiment key; rename it to \(Salt.form)")
        return false
    }

    private mutating func report(_ file: String, _ message: String) {
        found.append(DefinitionProblem(file: file, message))
    }

    /// A file's name as messages show it.
    static func shown(_ name: String, in folder: String) -> String {
        folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }
}

extension DefinitionProblem {
    /// The problem with characters escaped that would break its line or move a terminal's cursor.
    package var onOneLine: DefinitionProblem {
        DefinitionProblem(
            severity: severity, file: PrintableText(line: file).description, position: position,
            message: PrintableText(line: message).description, path: path.map { PrintableText($0).description })
    }
}
