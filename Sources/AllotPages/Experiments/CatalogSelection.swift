import AllotAnalysis
import AllotConfiguration
import AllotCore

/// A selection of the experiments of a catalogue, and their order.
package struct CatalogSelection: Sendable {
    package var phases: [ExperimentPhase] = []
    /// The owners of the experiments, in any case of letters; empty for all.
    package var owners: [String] = []
    /// The settings (`Section.Setting`) of which a variant overrides one, or sections of them; empty for all.
    package var settings: [String] = []
    package var layers: [String] = []
    /// Words that key, description, owner or settings have, in any order and any case of letters; `nil` for all.
    package var text: String?
    package var order = Order.key
    /// Whether the order is reversed; experiments without the value that sorts them stay last.
    var isReversed = false

    /// An order of experiments; equals are in the order of their keys.
    package enum Order: String, Sendable, CaseIterable {
        case key
        /// By their phases: what runs first.
        case status
        /// By their owners; those without one last.
        case owner
        /// By their starts, the latest first; those without one last.
        case started
        /// By their next boundaries; those without one last.
        case next
        /// By their layers; those without one last.
        case layer
    }

    /// The only owner, setting or layer, or the first of several; `nil` for all.
    package var owner: String? {
        get { owners.first }
        set { owners = newValue.map { [$0] } ?? [] }
    }
    package var setting: String? {
        get { settings.first }
        set { settings = newValue.map { [$0] } ?? [] }
    }
    package var layer: String? {
        get { layers.first }
        set { layers = newValue.map { [$0] } ?? [] }
    }

    package init() {}

    package func of(_ catalog: Catalog) -> [CatalogEntry] {
        let words = SearchWords(text ?? "")
        return sorted(catalog.experiments.filter { matches($0, words) })
    }

    /// A search that was probably meant where the text finds no experiment of any status: the name nearest to it, or
    /// the text with the nearest word for each that is nowhere. Returns `nil` if none is near.
    package func suggestion(in catalog: Catalog) -> String? {
        guard let text else { return nil }
        let texts = catalog.experiments.map(Self.texts)
        func finds(_ text: String) -> Bool {
            let words = SearchWords(text)
            return texts.contains { words.areFound(in: $0) }
        }
        guard !finds(text) else { return nil }
        let names = Set(texts.joined())
        let parts = Set(names.flatMap { $0.split { !$0.isLetter && !$0.isNumber }.map(String.init) })
        if let name = NearestName.hint(for: text, among: names.union(parts)) { return name }
        let corrected = SearchWords(text).corrected { word in
            parts.contains { $0.lowercased().contains(word) } ? word : NearestName.hint(for: word, among: parts)
        }
        return corrected.flatMap { finds($0) ? $0 : nil }
    }

    /// Throws if the definitions do not have the layer, name the owner, or declare the setting or section.
    package func check(in plan: Plan) throws(AnalysisError) {
        let owners = Set(plan.definitions.experiments.compactMap(\.owner).map(UTF8Key.init)).sorted().map(\.text)
        for owner in self.owners where !owners.contains(where: { $0.lowercased() == owner.lowercased() }) {
            throw AnalysisError.unknown("owner", owner, among: owners)
        }
        let layers = plan.definitions.layers.map(\.name)
        for layer in self.layers where !layers.contains(where: { UTF8Order.areEqual($0, layer) }) {
            throw AnalysisError.unknown("layer", layer, among: layers)
        }
        let settings = plan.definitions.settings
        for setting in self.settings where !settings.contains(where: { Self.covers(setting, $0.path) }) {
            let sections = Set(settings.map { UTF8Key($0.section) }).sorted().map(\.text)
            throw AnalysisError.unknown("setting", setting, among: sections + settings.map(\.path))
        }
    }

    private func matches(_ entry: CatalogEntry, _ words: SearchWords) -> Bool {
        func selects<Wanted>(_ wanted: [Wanted], _ matches: (Wanted) -> Bool) -> Bool {
            wanted.isEmpty || wanted.contains(where: matches)
        }
        let overridden = entry.experiment.variants.flatMap(\.settings)
        return selects(phases) { $0 == entry.phase }
            && selects(layers) { layer in entry.layer.map { UTF8Order.areEqual($0, layer) } ?? false }
            && selects(owners) { $0.lowercased() == entry.owner?.lowercased() }
            && selects(settings) { wanted in overridden.contains { Self.covers(wanted, $0) } }
            && words.areFound(in: Self.texts(entry))
    }

    private static func texts(_ entry: CatalogEntry) -> [String] {
        [entry.key, entry.description, entry.owner].compactMap(\.self) + entry.settings
    }

    /// Whether a wanted name is that of a setting, or of its section.
    private static func covers(_ wanted: String, _ setting: String) -> Bool {
        UTF8Order.areEqual(setting, wanted) || setting.utf8.starts(with: (wanted + ".").utf8)
    }

    private func sorted(_ entries: [CatalogEntry]) -> [CatalogEntry] {
        switch order {
        case .key: return isReversed ? entries.reversed() : entries
        case .status:
            let phases = ExperimentPhase.allCases
            return entries.sorted(isReversed) { phases.firstIndex(of: $0.phase) }
        case .owner: return entries.sorted(isReversed) { $0.owner.map(UTF8Key.init) }
        case .started: return entries.sorted(!isReversed, by: \.experiment.starts)
        case .next: return entries.sorted(isReversed, by: \.nextBoundary?.instant)
        case .layer: return entries.sorted(isReversed) { $0.layer.map(UTF8Key.init) }
        }
    }
}

extension [CatalogEntry] {
    /// The experiments sorted by a value, the greatest first if reversed; those without it last, equals in their order.
    func sorted<Value: Comparable>(_ isReversed: Bool, by value: (CatalogEntry) -> Value?) -> [CatalogEntry] {
        let values = map(value)
        return indices.sorted { left, right in
            switch (values[left], values[right]) {
            case (let first?, let second?) where first != second: isReversed ? first > second : first < second
            case (_?, nil): true
            case (nil, _?): false
            default: left < right
            }
        }.map { self[$0] }
    }
}
