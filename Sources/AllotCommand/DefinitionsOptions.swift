import Allot
import AllotDefinitions
import ArgumentParser

/// The definitions, and the instant of evaluation.
struct DefinitionsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The folder with the base configuration and the experiments.", valueName: "folder"),
        completion: .directory)
    var definitions = Self.defaultFolder

    static let defaultFolder = "Experiments"

    @Option(
        help: ArgumentHelp(
            "The instant of evaluation, such as 2026-11-21T12:00:00Z (default: now).", valueName: "instant"),
        transform: Instant.init(argument:))
    var at: Instant?

    @OptionGroup(visibility: .hidden)
    var limits: LimitOptions

    /// The plan, and the instant of evaluation. Warnings are left to `allot check`.
    func load() throws -> (plan: Plan, instant: Instant) {
        let instant = at ?? .now
        return (try loadAll(at: instant).plan, instant)
    }

    /// The plan and the definitions that it was made of.
    func loadAll(at instant: Instant) throws -> LoadedDefinitions {
        try limits.loader(at: instant).load(folder: definitions)
    }
}

/// Limits of the base configuration.
struct LimitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The maximum number of settings in the base.", valueName: "count"))
    var maxSettings = DefinitionLimits().settings

    @Option(help: ArgumentHelp("The maximum total size of the values of the base.", valueName: "count"))
    var maxValueBytes = DefinitionLimits().valueBytes

    func loader(at instant: Instant) -> DefinitionsLoader {
        var limits = DefinitionLimits()
        limits.settings = maxSettings
        limits.valueBytes = maxValueBytes
        return DefinitionsLoader(now: instant, limits: limits)
    }
}

extension Instant {
    /// Reads the value of `--at`.
    init(argument: String) throws {
        guard let instant = Instant(argument) else { throw ValidationError(Self.form) }
        self = instant
    }
}
