import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles
import AllotGit
import ArgumentParser

struct FolderOptions: ParsableArguments {
    @Option(name: [.customShort("d"), .customLong("definitions")], help: .definitions, completion: .directory)
    var given: String?
    @Option(help: .limit("The maximum number of settings in the base.")) var maxSettings = DefinitionLimits().settings
    @Option(help: .limit("The maximum total size of the values, those with the overrides of any variant included."))
    var maxValueBytes = DefinitionLimits().valueBytes
    @Flag(help: ArgumentHelp("Accept a folder that defines no setting and no experiment.", visibility: .hidden))
    var allowEmpty = false

    func validate() throws {
        guard given != ""
        else { throw ValidationError("--definitions names no folder; name one, or leave it out for \(Self.standard).") }
    }

    private static var ofEnvironment: String? {
        getenv("ALLOT_DEFINITIONS").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The folder that is read without the option.
    static var standard: String { ofEnvironment ?? DefinitionsLoader.defaultFolder }
    var definitions: String { given ?? Self.standard }
    var isDefault: Bool { definitions == Self.standard }

    /// Whether the option or the environment names a folder.
    var isNamed: Bool { given != nil || Self.ofEnvironment != nil }

    var limits: DefinitionLimits {
        var limits = DefinitionLimits()
        (limits.settings, limits.valueBytes, limits.allowsEmpty) = (maxSettings, maxValueBytes, allowEmpty)
        return limits
    }

    func loader(at instant: Instant) -> DefinitionsLoader { DefinitionsLoader(now: instant, limits: limits) }

    /// Loads the definitions that the branch had at an instant, and tells which they are.
    func load(asOf instant: Instant) throws -> LoadedDefinitions {
        let past = try PastDefinitions(of: DefinitionsPlace(definitions), at: instant)
        for note in past.notes { StandardError.write("allot: note: \(note)") }
        return try past.load(loader(at: instant)) { StandardError.write("allot: note: \($0)") }
    }

    func load(at instant: Instant) throws -> LoadedDefinitions {
        try loader(at: instant).load(DefinitionsPlace(definitions))
    }
}

/// The definitions, and the instant of evaluation, both of which may be of the past.
struct DefinitionsOptions: ParsableArguments {
    @OptionGroup var folder: FolderOptions
    @Option(help: .instant("The instant of evaluation"), transform: Instant.init(argument:)) var at: Instant?
    @Option(
        help: .value("instant", "Evaluate at this instant with the definitions that the branch had then."),
        transform: Instant.init(argument:))
    var asOf: Instant?

    var givenInstant: Instant? { asOf ?? at }
    var instant: Instant { givenInstant ?? .now }

    /// Throws if an instant is given although rows have their own.
    func check(atColumn: String?) throws {
        guard atColumn != nil, givenInstant != nil else { return }
        throw ValidationError("--at-column gives each row its own instant; leave out --at and --as-of.")
    }

    func validate() throws {
        if asOf != nil, at != nil { throw ValidationError("--as-of is the instant of evaluation too; leave out --at.") }
    }

    /// The definitions at an instant, or those of the past. Warnings are left to `allot check`.
    func loaded(at instant: Instant) throws -> LoadedDefinitions {
        try asOf.map(folder.load(asOf:)) ?? folder.load(at: instant)
    }

    func load() throws -> (plan: Plan, instant: Instant) {
        let instant = instant
        return (try loaded(at: instant).plan, instant)
    }
}

struct ThreadOptions: ParsableArguments {
    @Option(name: .customLong("threads"), help: .value("count", "The number of threads (default: one for each core)."))
    var count: Int?

    func validate() throws { try ValidationError.check(count, of: "--threads", in: Processors.threadCounts) }
}

struct CSVOptions: ParsableArguments {
    @Option(
        name: .customLong("null"),
        help: .value("text", "Take fields with this text as empty, such as NULL (repeatable)."))
    var nullWords: [String] = []
    @Option(help: .delimiter, transform: CSVDelimiter.init(argument:)) var delimiter = CSVDelimiter.comma

    /// Throws if an option is given although no CSV file is, for which `name` stands.
    func checkUnused(without name: String) throws {
        try ValidationError.check(["--null": !nullWords.isEmpty, "--delimiter": delimiter != .comma], goWith: name)
    }
}

extension CSVDelimiter {
    init(argument: String) throws {
        guard let delimiter = Self(rawValue: argument) ?? Self.allCases.first(where: { $0.text == argument })
        else { throw ValidationError("give one of , ; tab and |") }
        self = delimiter
    }

    var option: String { "--delimiter \(rawValue.shellWord)" }
}

struct ColumnOptions: ParsableArguments {
    @Option(name: .customLong("column"), help: .column, transform: NamePair.init(argument:))
    var columns: [NamePair] = []
    @Option(help: .unitColumn) var unitColumn: String?

    /// Throws if an option is given although no CSV file is, for which `name` stands.
    func checkUnused(without name: String) throws {
        try ValidationError.check(["--column": !columns.isEmpty, "--unit-column": unitColumn != nil], goWith: name)
    }

    /// The names of the columns by ours, among which `unit` is that of unit IDs.
    func names(unit: String = Subject.defaultUnit) throws -> [String: String] {
        try NamePair.dictionary(columns + [unitColumn.map { NamePair(ours: unit, theirs: $0) }].compactMap(\.self))
    }
}

/// Our name and another one of the same thing, such as `user_id=id`.
struct NamePair: Sendable {
    let ours: String
    let theirs: String

    static func dictionary(_ pairs: [NamePair]) throws -> [String: String] {
        var names: [String: String] = [:]
        for pair in pairs where names.updateValue(pair.theirs, forKey: pair.ours) != nil {
            throw UsageFailure("--column names \(QuotedText(pair.ours)) twice; keep one.")
        }
        return names
    }
}

extension NamePair {
    init(argument: String) throws {
        guard let (ours, theirs) = argument.namedValue, !theirs.isEmpty
        else { throw ValidationError("write our name and the other one, such as user_id=id") }
        self.init(ours: ours, theirs: theirs)
    }
}

extension ArgumentHelp {
    static func value(_ name: String, _ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: name) }
    static var format: ArgumentHelp { .value("format", "The form of the output.") }
    static var output: ArgumentHelp { .value("file", "Where to write; - is standard output.") }
    static var write: ArgumentHelp { "Do it: without this option, nothing is changed." }

    static var definitions: ArgumentHelp {
        .value(
            "folder",
            "The folder of definitions; commands that write none also take REVISION:DIR of Git "
                + "(default: ALLOT_DEFINITIONS, or \(DefinitionsLoader.defaultFolder)).")
    }

    static var experiment: ArgumentHelp { .value("key", "Only this experiment (repeatable).") }

    static var column: ArgumentHelp {
        .value("ours=theirs", "A column that has another name, such as user_id=id (repeatable).")
    }

    static var unitColumn: ArgumentHelp { .value("column", "The column of the unit IDs, if it has another name.") }

    static var atColumn: ArgumentHelp {
        .value("column", "The column of each row's own instant of evaluation, instead of --at.")
    }

    static var salts: ArgumentHelp { .value("count", "The number of salts of the A/A comparisons; 0 for none.") }
    static var data: ArgumentHelp { .value("file", "A CSV file with a row for each unit; - is standard input.") }

    static var metric: ArgumentHelp {
        .value("column", "The column of a metric: numbers, or true and false (repeatable).")
    }

    static var alpha: ArgumentHelp { .value("probability", "The probability of a false alarm.") }

    static var shares: ArgumentHelp {
        .value("shares", "The share of each variant: control=50%,green=50%, control=2,green=1 or 1:1.")
    }

    static var traffic: ArgumentHelp { .value("share", "The share of eligible units that is enrolled.") }
    static var every: ArgumentHelp { .value("time", "The time from one share to the next, such as 2d or 12h.") }
    static var users: ArgumentHelp { .value("file", "Real users: a CSV file as for allot assign.") }
    static var hash: ArgumentHelp { .value("scheme", "The hash; all but sha256/1 are those of other systems.") }

    static var delimiter: ArgumentHelp {
        .value("delimiter", "The character between fields of CSV: , ; tab or | (default: ,).")
    }

    static func instant(_ text: String) -> ArgumentHelp {
        .value("instant", "\(text), such as 2026-11-21T12:00:00Z (default: now).")
    }

    /// Help that only `--help-hidden` shows.
    fileprivate static func limit(_ text: String) -> ArgumentHelp {
        ArgumentHelp(text, valueName: "count", visibility: .hidden)
    }
}

extension ValidationError {
    /// Throws if one of some options is given; it is called where the one that they need is not.
    static func check(_ given: KeyValuePairs<String, Bool>, goWith name: String) throws {
        if let option = given.first(where: \.value) { throw ValidationError("\(option.key) goes with \(name).") }
    }

    /// Throws if an option is given a number that is out of range.
    static func check(_ number: Int?, of option: String, in range: ClosedRange<Int>) throws {
        if let number, !range.contains(number) {
            throw ValidationError("\(option) takes a number from \(range.lowerBound) to \(range.upperBound).")
        }
    }
}

extension Instant {
    init(argument: String) throws {
        guard let instant = Instant(argument) else { throw ValidationError("it \(Self.fault(of: argument))") }
        self = instant
    }
}

extension TimeSpan {
    init(argument: String) throws {
        guard let span = TimeSpan(argument)
        else { throw ValidationError("write a whole number above 0 and s, m, h, d or w, such as 12h or 2d") }
        self = span
    }
}

extension Percentage {
    /// Reads a percentage of the command line, which may also be written as a share of 1: `10%` or `0.1`.
    static func buckets(argument: String) throws -> Int {
        if let buckets = parse(argument) ?? ofOne(argument) { return buckets }
        throw ValidationError("\(QuotedText(argument)) is not a valid share: \(fix(for: argument))")
    }

    /// The buckets of a share such as 0.1, without floating point.
    private static func ofOne(_ text: String) -> Int? {
        guard let digits = text.wholeMatch(of: /0?\.([0-9]{1,6})/)?.1 else { return nil }
        return Int("\(digits)\(String(repeating: "0", count: 6 - digits.count))")
    }
}
