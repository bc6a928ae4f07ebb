import AllotCore
import AllotDefinitions
import AllotFiles
import AllotProofs
import ArgumentParser

struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Run the tests of the definitions.", discussion: help)

    @Argument(help: "The folder of definitions (default: Experiments).", completion: .directory)
    var folder: String?

    @Option(help: .value("folder", "An alias of the folder, named as in the other commands."), completion: .directory)
    var definitions: String?

    @Flag(help: "List what no case reaches: variants, reasons, tests of audiences, boundaries.")
    var coverage = false

    @Flag(help: "Run the cases against small changes of the definitions, and list those that no case notices.")
    var mutate = false

    @Option(help: .value("file", "Write the results as JUnit XML too."), completion: .file(extensions: ["xml"]))
    var junit: String?

    @Option(help: .value("text|github", "github: annotations of the lines of a pull request."))
    var format: TestFormat = .text

    @Flag(help: "Print JSON, for programs.")
    var json = false

    @OptionGroup(visibility: .hidden)
    var limits: LimitOptions

    func validate() throws {
        if folder != nil, definitions != nil {
            throw ValidationError("The folder is given twice, as an argument and with --definitions; give it once.")
        }
        if json, format != .text { throw ValidationError("--json and --format exclude each other.") }
    }

    func run() throws {
        let folder = folder ?? definitions ?? DefinitionsLoader.defaultFolder
        if let junit { try FolderOptions.check(output: junit, option: "--junit", isNotIn: folder) }
        let tests: DefinitionTests
        do {
            tests = try DefinitionTests(folder: folder, loader: limits.loader(at: .now))
        } catch {
            let fault = TestFault(error, folder: folder)
            if let junit { try AtomicOutput.write(fault.junit, to: junit, option: "--junit") }
            guard json || format != .text else { throw error }
            try StandardOutput.write(json ? [fault.json.prettyText] : fault.annotations)
            throw ExitCode.failure
        }
        let report = tests.run(reportsCoverage: coverage, mutates: mutate)
        if let junit { try AtomicOutput.write(report.junit, to: junit, option: "--junit") }
        try StandardOutput.write(json ? [report.json.prettyText] : report.lines(format))
        if !report.isPassed { throw ExitCode(2) }
    }

    private static let help = """
        Runs the cases of all files in the sub-folder "tests" of the definitions. A case with a unit states what this \
        unit gets. A case without one states something about every unit, and is proved from ranges of buckets and \
        conditions, not sampled; attributes that it does not give may have any value. What can be neither proved nor \
        refuted is "unproved", and does not pass. The article "Testing definitions" has all keys of a file.

        Exits with 0 if all cases pass; with 1 if a file is wrong; with 2 if a case fails or is unproved, or if \
        --mutate finds a change of the definitions that no case notices. Warnings about definitions and test files are \
        printed first, and do not change the exit status.

        EXAMPLE
          at: 2026-11-21T12:00:00Z
          cases:
            - name: Germans get the short checkout
              unit: user-011
              attributes: { country: DE }
              expect: { short-checkout: one-step }
            - name: no unit is in both experiments
              exclusive: [buy-button, short-checkout]
        """
}

extension TestFormat: ExpressibleByArgument {}
