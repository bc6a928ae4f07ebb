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

    /// Loads the definitions of a folder, or of one in a revision of Git such as `main:Experiments`, and their tests.
    ///
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

    /// The tests in files whose names are as messages show them. Reports show the warnings about the definitions.
    package init(
        _ loaded: LoadedDefinitions, sources: [DefinitionSource], warnings: [DefinitionProblem] = [],
        place: DefinitionsPlace? = nil
    ) throws(DefinitionsError) {
        (self.loaded, self.place) = (loaded, place)
        let names = TestNames(loaded)
        var problems: [DefinitionProblem] = []
        cases = sources.flatMap { TestFileReader($0.bytes, file: $0.name, names: names, problems: &problems).cases }
        self.warnings = (warnings + problems.map(\.onOneLine)).sorted()
        guard !problems.contains(where: { $0.severity == .error }) else { throw .tests(self.warnings) }
    }

    /// Runs every case. The report can also say what no case reaches, and, if the cases are run against changed
    /// definitions too, which changes no case notices.
    public func run(reportsCoverage: Bool = false, mutates: Bool = false) -> TestReport {
        var runner = TestRunner(loaded.plan, folder: place?.name, coverage: reportsCoverage ? Coverage() : nil)
        let results = cases.map { runner.run($0) }
        var report = TestReport(cases: results, warnings: warnings, place: place)
        report.gaps = runner.coverage.map { $0.gaps(in: loaded.plan) }
        if mutates { report.mutation = MutationRun(loaded.definitions, cases: cases, results: results).report() }
        return report
    }
}
