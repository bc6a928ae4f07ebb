import AllotConfiguration
import AllotCore
import AllotFiles

/// Loads definitions, from a folder or from memory, into a plan. `Sendable`.
///
/// Loading reads and checks everything, and reports all problems at once:
///
/// ```swift
/// import Allot
///
/// do {
///     let loaded = try DefinitionsLoader().load(folder: "Experiments")
///     for warning in loaded.warnings { print(warning) }
///     print(loaded.plan.experiments.map(\.key))
/// } catch .invalid(let problems) {
///     for problem in problems { print(problem) }
/// } catch {
///     print(error)
/// }
/// ```
public struct DefinitionsLoader: Sendable {
    /// The instant against which schedules are checked.
    public var now: Instant
    /// The limits on the size of definitions.
    public var limits: DefinitionLimits
    package static let defaultFolder = "Experiments"

    /// Creates a loader.
    public init(now: Instant = .now, limits: DefinitionLimits = DefinitionLimits()) {
        (self.now, self.limits) = (now, limits)
    }

    /// Loads a folder. Hidden files are ignored, and files and sub-folders with other endings.
    ///
    /// All files are of one state of the folder, whatever changes it meanwhile, and of the manifest, if it has one.
    ///
    /// - Throws: ``DefinitionsError`` with every problem of every file.
    public func load(folder: String) throws(DefinitionsError) -> LoadedDefinitions {
        var signature: FolderSignature?
        var cache = LoadCache()
        return try load(folder: folder, signature: &signature, cache: &cache)
    }

    package func loadWithSources(
        folder: String
    ) throws(DefinitionsError) -> (loaded: LoadedDefinitions, sources: [DefinitionSource]) {
        try DefinitionsFolder.read(folder, limits: limits) { content in
            Result { () throws(DefinitionsError) in (try load(content, folder: folder), content.sources) }
        }.get()
    }

    /// Loads a folder. The signature becomes that of the state that was loaded, or that has errors, and `nil` if the
    /// folder changes; the cache becomes the files of this load.
    package func load(
        folder: String, signature: inout FolderSignature?, cache: inout LoadCache
    ) throws(DefinitionsError) -> LoadedDefinitions {
        let known = cache
        let loaded: Result<LoadedDefinitions, DefinitionsError>
        do throws(DefinitionsError) {
            (loaded, signature, cache) = try DefinitionsFolder.read(folder, limits: limits, known: known) { content in
                var cache = known
                let loaded = Result { () throws(DefinitionsError) in try load(content, folder: folder, cache: &cache) }
                cache.fingerprint = content.fingerprint
                return (loaded, content.signature, cache)
            }
        } catch {
            cache.fingerprint = nil
            if case .changing = error { signature = nil } else { signature = .unlisted }
            throw error
        }
        return try loaded.get()
    }

    /// Loads a folder, whatever its manifest says, and gives it a new one unless there are errors.
    package func loadWritingManifest(folder: String) throws -> LoadedDefinitions {
        var content = try DefinitionsFolder.read(folder, limits: limits)
        content.manifest = nil
        let loaded = try load(content, folder: folder)
        try DefinitionsManifest(content.sources).write(folder: folder)
        return loaded
    }

    /// Loads files that are in memory already.
    ///
    /// ```swift
    /// let text = "status: running\nvariants: [{ key: control }, { key: green }]"
    /// let source = DefinitionSource(name: "checkout.yaml", bytes: Array(text.utf8))
    /// let plan = try DefinitionsLoader().load([source]).plan
    /// ```
    ///
    /// - Parameters:
    ///   - sources: The files, in any order.
    ///   - folder: The folder that messages show before the files' names.
    /// - Throws: ``DefinitionsError`` with every problem of every file.
    public func load(_ sources: [DefinitionSource], folder: String = "") throws(DefinitionsError) -> LoadedDefinitions {
        try load(DefinitionsFolder.Content(sources: sources), folder: folder)
    }

    package func load(
        _ content: DefinitionsFolder.Content, folder: String
    ) throws(DefinitionsError) -> LoadedDefinitions {
        var cache = LoadCache()
        return try load(content, folder: folder, cache: &cache)
    }

    /// Loads the content of a folder. The cache becomes the files of this load, if none is missing.
    func load(
        _ content: DefinitionsFolder.Content, folder: String, cache: inout LoadCache
    ) throws(DefinitionsError) -> LoadedDefinitions {
        let differences = DefinitionsManifest.problems(of: content, in: folder)
        let lookalikes = content.lookalikes.map {
            DefinitionProblem(.warning, file: DefinitionsReading.shown($0.name, in: folder), $0.message)
        }
        var reading = DefinitionsReading(limits: limits, now: now, found: lookalikes + differences)
        // Half a folder has more errors, which only follow from that; and what is parsed will be needed again.
        var unused = LoadCache()
        let definitions =
            differences.isEmpty
            ? reading.read(content.sources, unread: content.unread, folder: folder, cache: &cache)
            : reading.read([], unread: content.unread, folder: folder, cache: &unused)
        if differences.isEmpty { cache.note(content) }
        let plan: Plan?
        if reading.found.hasErrors {
            reading.found += reading.check?.problems() ?? []
            plan = nil
        } else {
            // At the same time, because problems are rare.
            let (read, earlier) = (reading, cache.earlier(reading.experiments))
            let workers = Workers.forExperiments(definitions.experiments.count)
            let (made, together) = workers.both {
                Plan(definitions, reusing: earlier, on: workers)
            } _: {
                read.check?.problems() ?? []
            }
            reading.found += together
            plan = made
        }
        let isEmpty = reading.base.isEmpty && definitions.experiments.isEmpty
        if isEmpty, content.isFolder, !limits.allowsEmpty, !reading.found.hasErrors {
            reading.found.append(
                DefinitionProblem(
                    file: folder,
                    "the folder defines no setting and no experiment, so every unit would get an empty configuration; "
                        + "put its files back, name another folder, or add allow_empty if that is intended"))
        }
        let problems = reading.problems
        guard let plan, !problems.hasErrors else { throw .invalid(problems) }
        cache.note(reading.experiments, compiled: plan)
        return LoadedDefinitions(plan: plan, warnings: problems, base: reading.base, files: reading.experiments)
    }
}

extension [DefinitionProblem] {
    fileprivate var hasErrors: Bool { contains { $0.severity == .error } }
}

extension Plan {
    /// Loads the plan of a definitions folder and drops its warnings.
    ///
    /// ```swift
    /// import Allot
    ///
    /// let plan = try Plan.load(folder: "Experiments")
    /// ```
    ///
    /// - Throws: ``DefinitionsError`` with every problem of every file.
    public static func load(folder: String) throws(DefinitionsError) -> Plan {
        try DefinitionsLoader().load(folder: folder).plan
    }
}
