import AllotConfiguration
import AllotCore
import AllotReports

/// The pages that are probably meant by a path without a page.
package struct NearestPages {
    package typealias Entry = (title: String, place: PagePlace)

    private struct Kind {
        let path: String
        let noun: String
        let names: [String]
        let place: (String) -> PagePlace
        func entry(_ name: String) -> Entry { ("\(noun) \(name)", place(name)) }
        func nearest(to text: String) -> Entry? { NearestName.hint(for: text, among: names).map(entry) }
    }

    private let experiments, layers, holdouts, settings, units: Kind
    private static let most = 20

    package init(_ plan: Plan) {
        let definitions = plan.definitions
        experiments = Kind(
            path: "experiments", noun: "Experiment", names: plan.experiments.map(\.key), place: PagePlace.experiment)
        layers = Kind(path: "layers", noun: "Layer", names: definitions.layers.map(\.name), place: PagePlace.layer)
        holdouts = Kind(
            path: "holdouts", noun: "Holdout", names: definitions.holdouts.map(\.name), place: PagePlace.holdout)
        settings = Kind(
            path: "settings", noun: "Setting", names: definitions.settings.map(\.path), place: PagePlace.setting)
        units = Kind(path: "units", noun: "Unit", names: [], place: PagePlace.unit)
    }

    /// The pages near a path of a kind and a name, best first; the overview if none is. Without a name these are the
    /// first pages of the kind, and a path of no kind may be the name of anything.
    package func entries(near parts: [String]) -> [Entry] {
        let kinds = [experiments, layers, holdouts, settings, units]
        var entries: [Entry] = []
        if let path = parts.first.flatMap({ NearestName.hint(for: $0, among: kinds.map(\.path)) }) {
            for kind in kinds where kind.path == path {
                if parts.count > 1 {
                    entries = kind.nearest(to: parts[1]).map { [$0] } ?? []
                } else if path == "layers" || path == "holdouts" {
                    entries = kind.names.prefix(Self.most).map(kind.entry)
                }
            }
            if path == "settings" { entries.append(("Settings", .settings)) }
            if path == "units" { entries.append(("Units", .units)) }
        } else if let text = parts.last {
            entries = kinds.compactMap { $0.nearest(to: text) }
        }
        return entries.isEmpty ? [("Experiments", .overview)] : entries
    }

    /// The pages of settings, layers and holdouts whose names are nearest to a text.
    func entries(named text: String) -> [Entry] { [settings, layers, holdouts].compactMap { $0.nearest(to: text) } }
}

package enum FailurePage {
    /// Makes the page of a message; `near` are the pages that may be meant.
    package static func make(
        _ title: String, _ message: String, near: [NearestPages.Entry] = [], _ links: PageLinks
    ) -> Page {
        Page(title) { page in
            page.p("\(PageText.capitalised(message) + (message.hasSuffix("?") ? "" : "."))", class: "notice bad")
            guard !near.isEmpty else { return }
            page.p("Nearest to it:")
            page.list(near.map { "\(link: $0.title, to: links.to($0.place))" })
        }
    }
}
