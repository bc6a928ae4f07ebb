import AllotConfiguration

/// A criterion by which files list all experiments, in place of the server's search and filters.
package enum CatalogIndex: String, Sendable, CaseIterable {
    /// The front, which has names only.
    case layer
    case status, owner, letter
    var title: String { self == .layer ? "Experiments" : "Experiments by \(label.lowercased())" }
    var label: String { self == .letter ? "First letter" : PageText.capitalised(rawValue) }

    /// The experiments below their headings, both in order. Experiments without a layer or an owner are last.
    func groups(_ entries: [CatalogEntry]) -> [(heading: String, entries: [CatalogEntry])] {
        let groups = Dictionary(grouping: entries) { UTF8Key(name(of: $0) ?? "") }
        var names = groups.keys.filter { !$0.text.isEmpty }.sorted()
        if self == .status { names = ExperimentPhase.allCases.map { UTF8Key($0.rawValue) } }
        let rest = "Without \(self == .owner ? "an" : "a") \(rawValue)"
        return (names + [UTF8Key("")]).compactMap { name in
            groups[name].map { (heading: name.text.isEmpty ? rest : name.text, entries: $0) }
        }
    }

    private func name(of entry: CatalogEntry) -> String? {
        switch self {
        case .layer: entry.layer
        case .status: entry.phase.rawValue
        case .owner: entry.owner
        case .letter: entry.key.prefix(1).uppercased()
        }
    }

    func anchor(_ heading: String) -> String { "\(rawValue)-\(PageLinks.encoded(heading).replacing("%", with: "_"))" }
}
