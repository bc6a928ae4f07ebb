import AllotPages
import ArgumentParser

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the experiments: what runs, since when, for whom, and what changes next.",
        usage: "allot list [--status <status> ...] [--sort <order>] [<options>]",
        discussion: """
            Several options select the experiments that satisfy all of them; one that is repeated, those that satisfy \
            one of its values. Running are those that enrol units now; \
            scheduled and ended are those of status running whose start is to come, or whose end has passed.

            EXAMPLES
              allot list
              allot list --status running --owner payments@example.com
              allot list --setting Checkout.Steps --json
              allot list --sort next --at 2026-12-01T00:00:00Z
            """)

    @Option(help: .value("status", "Only running, scheduled, draft, paused, ended or concluded ones (repeatable)."))
    var status: [ExperimentPhase] = []
    @Option(
        name: .customLong("owner"), help: .value("owner", "Only those of this owner (repeatable)."),
        completion: .names(of: .owners))
    var owners: [String] = []
    @Option(
        name: .customLong("setting"),
        help: .value("setting", "Only those that change this setting, or one of this section (repeatable)."),
        completion: .names(of: .settings))
    var settings: [String] = []
    @Option(
        name: .customLong("layer"), help: .value("layer", "Only those of this layer (repeatable)."),
        completion: .names(of: .layers))
    var layers: [String] = []
    @Option(
        help: .value(
            "words", "Only those with these words, in any order, in the key, description, owner or settings."))
    var find: String?
    @Option(help: .value("order", "By key, status, owner, started, next or layer."))
    var sort = CatalogSelection.Order.key
    @OptionGroup var report: ReportOptions<AllForms>
    @OptionGroup var definitions: DefinitionsOptions

    func run() throws {
        let (plan, instant) = try definitions.load()
        var selection = CatalogSelection()
        (selection.phases, selection.order, selection.text) = (status, sort, find)
        (selection.owners, selection.settings, selection.layers) = (owners, settings, layers)
        try selection.check(in: plan)
        let list = CatalogList(Catalog(plan, at: instant), selection)
        try report.write(list.report, json: list.json)
    }
}

extension ExperimentPhase: ExpressibleByArgument {}
extension CatalogSelection.Order: ExpressibleByArgument {}
