import AllotConfiguration
import AllotCore

/// The pages that are probably meant by a path without a page.
package struct NearestPages {
    package struct Entry {
        let title: String
        let place: PagePlace
    }

    /// The first parts of the paths of pages.
    private enum Kind: String, CaseIterable { case experiments, layers, holdouts, settings, units }

    private let plan: Plan
    private static let most = 20

    package init(_ plan: Plan) { self.plan = plan }

    /// The pages near a path of a kind and a name, best first; the overview if none is. Without a name these are the
    /// first pages of the kind, and a path of no kind may be the name of anything.
    package func entries(near parts: [String]) -> [Entry] {
        let kinds = Kind.allCases.map(\.rawValue)
        var entries: [Entry] = []
        if let kind = parts.first.flatMap({ NearestName.hint(for: $0, among: kinds) }).flatMap(Kind.init) {
            if parts.count > 1 {
                entries = entry(kind, parts[1]).map { [$0] } ?? []
            } else if kind == .layers || kind == .holdouts {
                entries = names(of: kind).prefix(Self.most).map { entry(kind, named: $0) }
            }
            if kind == .settings { entries.append(Entry(title: "Settings", place: .settings)) }
            if kind == .units { entries.append(Entry(title: "Units", place: .units)) }
        } else if let text = parts.last {
            entries = Kind.allCases.compactMap { entry($0, text) }
        }
        return entries.isEmpty ? [Entry(title: "Experiments", place: .overview)] : entries
    }

    /// The pages of settings, layers and holdouts whose names are nearest to a text.
    func entries(named text: String) -> [Entry] { [Kind.settings, .layers, .holdouts].compactMap { entry($0, text) } }

    /// The page of a kind whose name is nearest to a text.
    private func entry(_ kind: Kind, _ text: String) -> Entry? {
        NearestName.hint(for: text, among: names(of: kind)).map { entry(kind, named: $0) }
    }

    private func entry(_ kind: Kind, named name: String) -> Entry {
        switch kind {
        case .experiments: Entry(title: "Experiment \(name)", place: .experiment(name))
        case .layers: Entry(title: "Layer \(name)", place: .layer(name))
        case .holdouts: Entry(title: "Holdout \(name)", place: .holdout(name))
        case .settings: Entry(title: "Setting \(name)", place: .setting(name))
        case .units: Entry(title: "Unit \(name)", place: .unit(name))
        }
    }

    private func names(of kind: Kind) -> [String] {
        let definitions = plan.definitions
        return switch kind {
        case .experiments: plan.experiments.map(\.key)
        case .layers: definitions.layers.map(\.name)
        case .holdouts: definitions.holdouts.map(\.name)
        case .settings: definitions.settings.map(\.path)
        case .units: []
        }
    }
}
