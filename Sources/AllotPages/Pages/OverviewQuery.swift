import AllotConfiguration
import AllotReports

/// The choice of a reader of the overview, as the items of the address state it.
package struct OverviewQuery: Sendable {
    package var selection = CatalogSelection()
    /// The number of the page, from 1; past the end it is the last.
    package var page = 1
    /// The item `status`: a phase, `all`, or `current` for what runs now and next.
    private var status = Self.current
    /// The order of the list; `nil` for groups of the layers.
    private var sort: Sort?

    /// A column by which the list can be sorted, as the item `sort` names it.
    enum Column: String, CaseIterable { case layer, key, status, owner, started, traffic, units, ratio, next }

    /// An order of the list; the item has a hyphen before a descending one.
    private struct Sort {
        let column: Column
        let isDescending: Bool
        var text: String { (isDescending ? "-" : "") + column.rawValue }
    }

    package struct Failure: Error { package let message: String }

    package static let names = ["status", "owner", "setting", "layer", "text", "sort", "page"]
    private static let maximumPage = 1_000_000
    private static let (current, all) = ("current", "all")

    package init() {
        selection.phases = [.running, .scheduled]
        selection.order = .layer
    }

    static var everything: OverviewQuery { OverviewQuery().withAnyStatus }

    /// This choice whatever the status, at its first page.
    var withAnyStatus: OverviewQuery {
        var query = self
        query.status = Self.all
        query.selection.phases = []
        query.page = 1
        return query
    }

    /// Reads the items, of which empty ones choose nothing. Text without a status finds experiments of any status.
    package init(_ items: [String: String]) throws(Failure) {
        self.init()
        let items = items.filter { !$0.value.isEmpty }
        (selection.owner, selection.setting, selection.layer, selection.text) =
            (items["owner"], items["setting"], items["layer"], items["text"])
        if let text = items["status"] {
            status = text
            guard [Self.current, Self.all].contains(text) || ExperimentPhase(rawValue: text) != nil else {
                throw Self.failure("status", text, Self.statuses.map(\.value))
            }
            if let phase = ExperimentPhase(rawValue: text) { selection.phases = [phase] }
            if text == Self.all { selection.phases = [] }
        }
        if selection.text != nil, items["status"] == nil { self = withAnyStatus }
        if let text = items["sort"] {
            guard let order = Self.sorts.first(where: { $0.text == text }) else {
                throw Self.failure("sort", text, Self.sorts.map(\.text))
            }
            if order.column != .layer {
                sort = order
                let known = CatalogSelection.Order(rawValue: order.column.rawValue)
                // Equals are in the order of their keys.
                (selection.order, selection.isReversed) = (known ?? .key, known != nil && order.isDescending)
            }
        }
        page = try Self.page(items)
    }

    /// Reads the number of a page. Without the item, or if it is empty, as forms send it, it is the first.
    package static func page(_ items: [String: String]) throws(Failure) -> Int {
        guard let text = items["page"], !text.isEmpty else { return 1 }
        guard let number = Int(text), (1...maximumPage).contains(number), "\(number)" == text else {
            throw Failure(message: "page is \(QuotedText(text)); it is a number from 1 to \(maximumPage)")
        }
        return number
    }

    private static func failure(_ name: String, _ text: String, _ known: [String]) -> Failure {
        Failure(message: "\(name) is \(QuotedText(text)); it is \(known.joined(separator: ", "))")
    }

    /// The only word that is searched for, if nothing else is chosen: perhaps the key of an experiment.
    package var key: String? {
        let isSearch =
            selection.phases.isEmpty && selection.owner == nil && selection.setting == nil && selection.layer == nil
            && isGrouped && page == 1
        let words = (selection.text ?? "").split(whereSeparator: \.isWhitespace)
        return isSearch && words.count == 1 ? String(words[0]) : nil
    }

    var isGrouped: Bool { sort == nil }

    var isFiltered: Bool {
        status != Self.current || sort != nil || selection.layer != nil || selection.owner != nil
            || selection.setting != nil || selection.text != nil
    }

    /// The choices that hide experiments: how many there would be without each, and the choice without it.
    func hidden(in catalog: Catalog) -> [(text: String, query: OverviewQuery)] {
        var hidden: [(text: String, query: OverviewQuery)] = []
        func add(_ words: String, _ query: OverviewQuery, _ count: Int) {
            if count > 0 { hidden.append(("\(count) \(words) \(count == 1 ? "matches" : "match")", query)) }
        }
        var others = withAnyStatus
        let phases = Dictionary(grouping: others.selection.of(catalog), by: \.phase)
        for phase in ExperimentPhase.allCases {
            (others.status, others.selection.phases) = (phase.rawValue, [phase])
            add(phase.rawValue, others, phases[phase]?.count ?? 0)
        }
        let choices: [(words: String, choice: WritableKeyPath<CatalogSelection, String?>)] = [
            ("of any owner", \.owner), ("with any setting", \.setting), ("in any layer", \.layer),
            ("with any text", \.text),
        ]
        for (words, choice) in choices where selection[keyPath: choice] != nil {
            var query = self
            query.selection[keyPath: choice] = nil
            let count = query.selection.of(catalog).count
            // Everything is a step of its own.
            if count < catalog.plan.experiments.count { add(words, query, count) }
        }
        return hidden
    }

    private static let sorts =
        Column.allCases.map { Sort(column: $0, isDescending: false) }
        + Column.allCases.filter { $0 != .layer }.map { Sort(column: $0, isDescending: true) }

    func entries(of catalog: Catalog, _ exposures: KnownExposures) -> [CatalogEntry] {
        let selected = selection.of(catalog)
        guard let sort else { return selected }
        return switch sort.column {
        case .traffic: selected.sorted(sort.isDescending, by: \.enrolledBuckets)
        case .units: selected.sorted(sort.isDescending) { exposures.units(of: $0) }
        // The smallest p-value is the strongest evidence.
        case .ratio: selected.sorted(!sort.isDescending) { exposures[$0.key]?.evidence }
        default: selected
        }
    }

    /// The order of a column, as `aria-sort` names it; `nil` if the list has another one.
    func direction(of column: Column) -> String? {
        guard let sort, sort.column == column else { return nil }
        return sort.isDescending ? "descending" : "ascending"
    }

    /// The address of the list sorted by a column, reversed if it is sorted by it; at first by the most of numbers.
    func link(sortedBy column: Column, _ links: PageLinks) -> String {
        var query = self
        let isFirst = sort?.column != column
        query.sort = Sort(
            column: column,
            isDescending: isFirst ? column == .traffic || column == .units : sort?.isDescending == false)
        return query.link(page: 1, links)
    }

    func link(page: Int, _ links: PageLinks) -> String {
        var items = [("status", status)]
        if let sort { items.append(("sort", sort.text)) }
        let texts = [
            ("owner", selection.owner), ("setting", selection.setting), ("layer", selection.layer),
            ("text", selection.text),
        ]
        for case (let name, let text?) in texts { items.append((name, text)) }
        if page > 1 { items.append(("page", "\(page)")) }
        let query = items.map { "\($0)=\(PageLinks.encoded($1))" }.joined(separator: "&")
        return "\(links.to(.overview))?\(query)"
    }

    static func link(_ name: String, _ text: String, _ links: PageLinks) -> String {
        "\(links.to(.overview))?\(name)=\(PageLinks.encoded(text))"
    }

    private static var statuses: [(value: String, label: String)] {
        [(current, "running and scheduled"), (all, "all")] + ExperimentPhase.allCases.map { ($0.rawValue, $0.rawValue) }
    }

    private static let orders: [(column: Column, label: String)] = [
        (.layer, "layer"), (.key, "name"), (.status, "status"), (.owner, "owner"), (.started, "latest start"),
        (.traffic, "traffic"), (.units, "first exposures"), (.ratio, "ratio test"), (.next, "next change"),
    ]

    var statusOptions: [Markup.Option] {
        Self.statuses.map { Markup.Option($0.value, $0.label, isSelected: $0.value == status) }
    }

    var orderOptions: [Markup.Option] {
        let chosen = sort ?? Sort(column: .layer, isDescending: false)
        return Self.orders.map { order in
            // The heads of the columns turn the order round.
            let isChosen = order.column == chosen.column
            return Markup.Option(
                isChosen ? chosen.text : order.column.rawValue,
                order.label + (isChosen && chosen.isDescending ? ", descending" : ""), isSelected: isChosen)
        }
    }
}
