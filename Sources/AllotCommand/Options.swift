import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles
import AllotGit
import ArgumentParser

/// The folder of the definitions.
///
/// Not with ``LimitOptions`` inside: a debug build checks each group of options several times for each group around
/// it, which took a third of the time of a short command.
struct FolderOptions: ParsableArguments, LimitArguments {
    @Option(
        help: .value(
            "folder", "The folder of definitions; commands that only read also take REVISION:DIR of Git."),
        completion: .directory)
    var definitions = DefinitionsLoader.defaultFolder

    @Option(help: .maxSettings.hiding())
    var maxSettings = DefinitionLimits().settings

    @Option(help: .maxValueBytes.hiding())
    var maxValueBytes = DefinitionLimits().valueBytes

    @Flag(help: .allowEmpty.hiding())
    var allowEmpty = false

    /// Whether it is the folder that is read without the option.
    var isDefault: Bool { definitions == DefinitionsLoader.defaultFolder }

    /// Loads the definitions that the branch had at an instant, and tells which they are.
    func load(asOf instant: Instant) throws -> LoadedDefinitions {
        let past = try PastDefinitions(of: DefinitionsPlace(definitions), at: instant)
        for note in past.notes { StandardError.write("allot: note: \(note)") }
        return try past.load(loader(at: instant)) { StandardError.write("allot: note: \($0)") }
    }

    func load(at instant: Instant) throws -> LoadedDefinitions {
        try loader(at: instant).load(DefinitionsPlace(definitions))
    }

    /// Throws if an output is a file of the definitions or of their tests.
    func check(output path: String, option: String = "-o") throws {
        try Self.check(output: path, option: option, isNotIn: definitions)
    }

    /// Throws if an output is a file of a folder of definitions, or of its tests.
    static func check(output path: String, option: String, isNotIn definitions: String) throws {
        guard case .existing? = FileIdentity(output: path), case .folder(let folder) = try DefinitionsPlace(definitions)
        else { return }
        for folder in [folder, "\(folder)/\(DefinitionsLoader.testFolder)"].map(DurableFolder.init(path:)) {
            for name in folder.names() where DefinitionsFolder.reads(name) {
                let file = FileIdentity(path: folder.path(of: name))
                try FileIdentity.check(output: path, option: option, isNot: file, "a file of the definitions")
            }
        }
    }
}

/// The definitions, and the instant of evaluation.
struct DefinitionsOptions: ParsableArguments {
    @OptionGroup
    var folder: FolderOptions

    @Option(help: .instant("The instant of evaluation"), transform: Instant.init(argument:))
    var at: Instant?

    /// The plan, and the instant of evaluation. Warnings are left to `allot check`.
    func load() throws -> (plan: Plan, instant: Instant) {
        let instant = at ?? .now
        return (try folder.load(at: instant).plan, instant)
    }
}

/// The instant at which a branch had the definitions.
struct AsOfOption: ParsableArguments {
    @Option(
        help: .value("instant", "Evaluate at this instant with the definitions that the branch had then."),
        transform: Instant.init(argument:))
    var asOf: Instant?

    /// Throws if an instant of evaluation is given as well.
    func check(against at: Instant?) throws {
        if asOf != nil, at != nil {
            throw ValidationError("--as-of is the instant of evaluation too; leave out --at.")
        }
    }
}

/// The definitions, and the instant of evaluation, both of which may be of the past.
///
/// Not with ``DefinitionsOptions`` inside, for the same reason as ``FolderOptions``.
struct PastOptions: ParsableArguments {
    @OptionGroup
    var folder: FolderOptions

    @Option(help: .instant("The instant of evaluation"), transform: Instant.init(argument:))
    var at: Instant?

    @OptionGroup
    var past: AsOfOption

    /// The instant that was given as `--at` or `--as-of`.
    var givenInstant: Instant? { past.asOf ?? at }

    func validate() throws {
        try past.check(against: at)
    }

    func load() throws -> (plan: Plan, instant: Instant) {
        let instant = givenInstant ?? .now
        return (try past.asOf.map(folder.load(asOf:))?.plan ?? folder.load(at: instant).plan, instant)
    }
}

/// How a CSV file is read.
struct CSVOptions: ParsableArguments {
    @Option(
        name: .customLong("null"),
        help: .value("text", "Take fields with this text as empty, such as NULL (repeatable)."))
    var nullWords: [String] = []

    @Option(help: .delimiter, transform: CSVDelimiter.init(argument:))
    var delimiter = CSVDelimiter.comma

    /// Throws if an option is given although no CSV file is.
    ///
    /// - Parameter name: What names the file.
    func checkUnused(without name: String) throws {
        if !nullWords.isEmpty { throw ValidationError("--null goes with \(name).") }
        if delimiter != .comma { throw ValidationError("--delimiter goes with \(name).") }
    }
}

extension CSVDelimiter {
    /// Reads a delimiter of the command line.
    init(argument: String) throws {
        guard let delimiter = Self(rawValue: argument) ?? Self.allCases.first(where: { $0.text == argument }) else {
            throw ValidationError("give one of , ; tab and |")
        }
        self = delimiter
    }

    /// The option that names the delimiter, for a shell.
    var option: String { "--delimiter \(rawValue.shellWord)" }
}

/// The form of a report that may become a comment of a pull request.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print JSON, for programs.")
    var json = false

    @Flag(help: "Print Markdown, for a pull request.")
    var markdown = false

    func validate() throws {
        if json, markdown { throw ValidationError("--json and --markdown exclude each other.") }
    }

    func write(_ lines: [String], markdown markdownLines: [String], json value: JSONValue) throws {
        try StandardOutput.write(json ? [value.prettyText] : markdown ? markdownLines : lines)
    }
}

/// Limits of the base configuration, as arguments.
protocol LimitArguments {
    var maxSettings: Int { get }
    var maxValueBytes: Int { get }
    var allowEmpty: Bool { get }
}

extension ArgumentHelp {
    fileprivate static var maxSettings: ArgumentHelp {
        .value("count", "The maximum number of settings in the base.")
    }
    fileprivate static var maxValueBytes: ArgumentHelp {
        .value("count", "The maximum total size of the values, those with the overrides of any variant included.")
    }
    fileprivate static var allowEmpty: ArgumentHelp { "Accept a folder that defines no setting and no experiment." }

    /// The help of an option that only `--help-hidden` shows.
    fileprivate func hiding() -> ArgumentHelp {
        var help = self
        help.visibility = .hidden
        return help
    }
}

extension LimitArguments {
    var limits: DefinitionLimits {
        var limits = DefinitionLimits()
        limits.settings = maxSettings
        limits.valueBytes = maxValueBytes
        limits.allowsEmpty = allowEmpty
        return limits
    }

    func loader(at instant: Instant) -> DefinitionsLoader {
        DefinitionsLoader(now: instant, limits: limits)
    }
}

/// Limits of the base configuration, for commands without ``FolderOptions``.
struct LimitOptions: ParsableArguments, LimitArguments {
    @Option(help: .maxSettings)
    var maxSettings = DefinitionLimits().settings

    @Option(help: .maxValueBytes)
    var maxValueBytes = DefinitionLimits().valueBytes

    @Flag(help: .allowEmpty)
    var allowEmpty = false
}

extension ArgumentHelp {
    /// Help on an option, with the name of its value.
    static func value(_ name: String, _ text: String) -> ArgumentHelp {
        ArgumentHelp(text, valueName: name)
    }

    static var delimiter: ArgumentHelp {
        .value("delimiter", "The character between fields of CSV: , ; tab or | (default: ,).")
    }

    /// Help on an option that takes an instant.
    static func instant(_ text: String, default standard: String = "now") -> ArgumentHelp {
        .value("instant", "\(text), such as 2026-11-21T12:00:00Z (default: \(standard)).")
    }
}

extension ValidationError {
    /// Throws if an option is given a number that is out of range.
    static func check(_ number: Int?, of option: String, in range: ClosedRange<Int>, _ note: String = "") throws {
        if let number, !range.contains(number) {
            throw ValidationError(
                "\(option) takes a number from \(range.lowerBound) to \(range.upperBound)\(note).")
        }
    }
}

extension Instant {
    init(argument: String) throws {
        guard let instant = Instant(argument) else { throw ValidationError("it \(Self.fault(of: argument))") }
        self = instant
    }
}

extension Percentage {
    /// Reads a percentage of the command line.
    static func buckets(argument: String) throws -> Int {
        guard let buckets = parse(argument) else {
            throw ValidationError("\(QuotedText(argument)) is not a valid share: \(fix(for: argument))")
        }
        return buckets
    }
}
