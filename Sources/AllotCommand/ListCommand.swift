import AllotFiles
import AllotPages
import ArgumentParser

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the experiments: what runs, since when, for whom, and what changes next.",
        discussion: """
            Several options select the experiments that satisfy all of them. Running are those that enrol units now; \
            scheduled and ended are those of status running whose start is to come, or whose end has passed.

            EXAMPLES
              allot list
              allot list --status running --owner payments@example.com
              allot list --setting Checkout.Steps --json
              allot list --sort next --at 2026-12-01T00:00:00Z
            """)

    @OptionGroup
    var selection: SelectionOptions

    @Flag(help: "Print JSON, for programs.")
    var json = false

    @OptionGroup
    var definitions: DefinitionsOptions

    func run() throws {
        let (plan, instant) = try definitions.load()
        try selection.selection.check(in: plan)
        let list = CatalogList(Catalog(plan, at: instant), selection.selection)
        try StandardOutput.write(json ? [list.json.prettyText] : list.lines)
    }
}

/// Which experiments are listed, and in what order.
struct SelectionOptions: ParsableArguments {
    @Option(help: .value("status", "Only running, scheduled, draft, paused, ended or concluded ones; repeatable."))
    var status: [ExperimentPhase] = []

    @Option(help: .value("owner", "Only those of this owner."), completion: .names(of: .owners))
    var owner: String?

    @Option(
        help: .value("setting", "Only those that change this setting, or one of this section."),
        completion: .names(of: .settings))
    var setting: String?

    @Option(help: .value("layer", "Only those of this layer."), completion: .names(of: .layers))
    var layer: String?

    @Option(
        help: .value(
            "words", "Only those with these words, in any order, in the key, description, owner or settings."))
    var find: String?

    @Option(help: .value("order", "By key, status, owner, started, next or layer."))
    var sort = CatalogSelection.Order.key

    var selection: CatalogSelection {
        var selection = CatalogSelection()
        (selection.phases, selection.order, selection.text) = (status, sort, find)
        (selection.owner, selection.setting, selection.layer) = (owner, setting, layer)
        return selection
    }
}

extension ExperimentPhase: ExpressibleByArgument {}
extension CatalogSelection.Order: ExpressibleByArgument {}
