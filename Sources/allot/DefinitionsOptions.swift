import Allot
import AllotDefinitions
import ArgumentParser

/// Where definitions are, and as of when.
struct DefinitionsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The folder with the base configuration and the experiments.", valueName: "folder"),
        completion: .directory)
    var definitions = "Experiments"

    @Option(help: ArgumentHelp("The instant of evaluation, such as 2026-11-21T12:00:00Z (default: now).", valueName: "instant"))
    var at: Instant?

    @OptionGroup(visibility: .hidden)
    var limits: LimitOptions

    /// The plan, and the instant to ask it about. Warnings are left to `allot check`.
    func load() throws -> (plan: Plan, instant: Instant) {
        let instant = at ?? .now
        do {
            return (try limits.loader(at: instant).load(folder: definitions).plan, instant)
        } catch {
            throw CommandFailure(error)
        }
    }
}

/// Limits of the base configuration.
struct LimitOptions: ParsableArguments {
    @Option(help: "The most settings that the base may declare.")
    var maxSettings = DefinitionLimits().settings

    @Option(help: "The most bytes that the values of the base may come to.")
    var maxValueBytes = DefinitionLimits().valueBytes

    func loader(at instant: Instant) -> DefinitionsLoader {
        var limits = DefinitionLimits()
        limits.settings = maxSettings
        limits.valueBytes = maxValueBytes
        return DefinitionsLoader(now: instant, limits: limits)
    }
}

extension Instant: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(argument)
    }
}
