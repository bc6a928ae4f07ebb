import AllotDefinitions
import AllotProofs
import ArgumentParser

struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Run the tests of the definitions.",
        usage: "allot test [--definitions <folder>] [--coverage] [--mutate] [<options>]", discussion: help)

    @OptionGroup var folder: FolderOptions
    @Flag(help: "List what no case reaches: variants, reasons, tests of audiences, boundaries.") var coverage = false
    @Flag(help: "Run the cases against small changes of the definitions, and list those that no case notices.")
    var mutate = false
    @OptionGroup var report: ReportOptions<TestForms>

    func run() throws {
        let tests: DefinitionTests
        do {
            tests = try DefinitionTests(folder: folder.definitions, loader: folder.loader(at: .now))
        } catch {
            guard [.json, .github, .junit].contains(report.chosen) else { throw error }
            let fault = TestFault(error, folder: folder.definitions)
            try report.write(report.chosen == .junit ? fault.junit : fault.annotations, json: fault.json)
            throw ExitCode.failure
        }
        let results = tests.run(reportsCoverage: coverage, mutates: mutate)
        try report.write(
            results.report, json: results.json, lines: report.chosen == .junit ? results.junit : results.annotations)
        if !results.isPassed { throw ExitCode.finding }
    }

    private static let help = """
        Runs the cases of all files in the sub-folder "tests" of the definitions. A case with a unit states what this \
        unit gets. A case without one states something about every unit, and is proved from ranges of buckets and \
        conditions, not sampled; attributes that it does not give may have any value. What can be neither proved nor \
        refuted is "unproved", and does not pass. The article "Testing definitions" has all keys of a file.

        Exits with 0 if all cases pass; with 1 if a file is wrong; with 2 if a case fails or is unproved, or if \
        --mutate finds a change of the definitions that no case notices. Warnings about definitions and test files are \
        printed first, and do not change the exit status.

        FORMATS
          text    lines for people
          github  annotations at the lines of a pull request
          junit   JUnit XML, for servers of continuous integration
          json    for programs

        A FILE OF TESTS
          at: 2026-11-21T12:00:00Z
          cases:
            - name: Germans get the short checkout
              unit: user-011
              attributes: { country: DE }
              expect: { short-checkout: one-step }
            - name: no unit is in both experiments
              exclusive: [buy-button, short-checkout]

        EXAMPLES
          allot test --coverage
          allot test --format junit -o results.xml
        """
}
