import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotGit

/// The tests of a definitions folder: the files of its sub-folder `tests`.
///
/// ```swift
/// import AllotProofs
///
/// let report = try DefinitionTests(folder: "Experiments").run()
/// for line in report.lines { print(line) }
/// print(report.isPassed)
/// ```
public struct DefinitionTests: Sendable {
    let loaded: LoadedDefinitions
    let cases: [TestCase]
    private let warnings: [DefinitionProblem]
    /// The folder; `nil` if the definitions are from none.
    private let place: DefinitionsPlace?

    /// Loads definitions and their tests.
    ///
    /// - Parameters:
    ///   - folder: The definitions folder, or one in a revision of Git: `main:Experiments`.
    ///   - loader: The loader, with its limits.
    /// - Throws: `DefinitionsError` with every problem of the definitions, or else of the test files; `GitError`.
    public init(folder: String, loader: DefinitionsLoader = DefinitionsLoader()) throws {
        let place = try DefinitionsPlace(folder)
        let loaded = try loader.load(place)
        let tests = try place.subfolder(DefinitionsLoader.testFolder)
        let sources: [DefinitionSource]
        do {
            sources = try loader.testSources(in: tests.name) {
                switch tests {
                case .folder(let path): try loader.testContent(folder: path)
                case .revision(let folder): try folder.content(limits: loader.limits)
                }
            }
        } catch DefinitionsError.tests(let problems) {
            throw DefinitionsError.tests((loaded.warnings + problems).sorted())
        }
        try self.init(loaded, sources: sources, warnings: loaded.warnings, place: place)
    }

    /// The tests in files whose names are as messages show them.
    ///
    /// - Parameter warnings: The warnings about the definitions that reports show.
    package init(
        _ loaded: LoadedDefinitions, sources: [DefinitionSource], warnings: [DefinitionProblem] = [],
        place: DefinitionsPlace? = nil
    ) throws(DefinitionsError) {
        self.loaded = loaded
        self.place = place
        let names = TestNames(loaded)
        var problems: [DefinitionProblem] = []
        cases = sources.flatMap { TestFileReader($0.bytes, file: $0.name, names: names, problems: &problems).cases }
        self.warnings = (warnings + problems.map(\.onOneLine)).sorted()
        guard !problems.contains(where: { $0.severity == .error }) else { throw .tests(self.warnings) }
    }

    /// Runs every case.
    ///
    /// - Parameters:
    ///   - reportsCoverage: Whether the report says what no case reaches.
    ///   - mutates: Whether the cases are also run against changed definitions, and the report lists the changes that
    ///     no case notices.
    public func run(reportsCoverage: Bool = false, mutates: Bool = false) -> TestReport {
        var runner = TestRunner(loaded.plan, folder: place?.name, coverage: reportsCoverage ? Coverage() : nil)
        let results = cases.map { runner.run($0) }
        var report = TestReport(cases: results, warnings: warnings, place: place)
        report.gaps = runner.coverage.map { $0.gaps(in: loaded.plan) }
        if mutates { report.mutation = MutationRun(loaded.definitions, cases: cases, results: results).report() }
        return report
    }
}
