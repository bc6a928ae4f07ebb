import Allot
import AllotConfiguration
import Foundation

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

    /// Creates a loader.
    public init(now: Instant = .now, limits: DefinitionLimits = DefinitionLimits()) {
        self.now = now
        self.limits = limits
    }

    /// Loads a folder. Sub-folders, hidden files and files with other endings are ignored.
    ///
    /// - Throws: ``DefinitionsError`` with every problem of every file.
    public func load(folder: String) throws(DefinitionsError) -> LoadedDefinitions {
        let content = try DefinitionsFolder.read(folder, limits: limits)
        return try load(content, folder: folder, warnings: Self.warnings(content, folder))
    }

    /// The warnings about a folder as a whole.
    private static func warnings(_ content: DefinitionsFolder.Content, _ folder: String) -> [DefinitionProblem] {
        if content.sources.isEmpty, content.unread.isEmpty, content.misnamed.isEmpty {
            return [
                DefinitionProblem(
                    .warning, file: folder,
                    "the folder contains no .yaml, .yml or .json file, so nothing is defined; add base.yaml, or name "
                        + "another folder")
            ]
        }
        return content.misnamed.map { name in
            DefinitionProblem(
                .warning, file: DefinitionsReading.shown(name, in: folder),
                "the file is not read, as its ending is not in lower case; rename it if it is a definition")
        }
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

    func load(
        _ content: DefinitionsFolder.Content, folder: String, warnings: [DefinitionProblem] = []
    ) throws(DefinitionsError) -> LoadedDefinitions {
        var reading = DefinitionsReading(limits: limits, now: now, found: warnings)
        let definitions = reading.read(content.sources, unread: content.unread, folder: folder)
        let problems = reading.problems
        guard !problems.contains(where: { $0.severity == .error }) else { throw .invalid(problems) }
        return LoadedDefinitions(
            plan: Plan(definitions), definitions: definitions, warnings: problems, base: reading.base)
    }
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

extension Instant {
    /// The current time of the system's clock. The engine itself never reads it.
    public static var now: Instant {
        let time = Date().timeIntervalSince1970
        let seconds = time.rounded(.down)
        return Instant(seconds: Int64(seconds), nanoseconds: Int32(min((time - seconds) * 1_000_000_000, 999_999_999)))
    }
}
