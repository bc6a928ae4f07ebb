import AllotConfiguration

/// The choice of a reader of the overview, as the items of the address state it.
package struct OverviewQuery: Sendable {
    /// The conditions of the experiments, and their order.
    package var selection = CatalogSelection()
    /// The number of the page, from 1; past the end it is the last.
    package var page = 1
    /// The item `status`: a phase, `all`, or `current` for what runs now and next.
    private var status = Self.current
    /// The order of the list; `nil` for groups of the layers.
    private var sort: CatalogSelection.Order?

    package struct Failure: Error {
        package let message: String
    }

    package static let names = ["status", "owner", "setting", "layer", "text", "sort", "page"]
    private static let maximumPage = 1_000_000
    private static let (current, all) = ("current", "all")

    /// Chooses the experiments that run now and next.
    package init() {
        selection.phases = [.running, .scheduled]
        selection.order = .layer
    }

    /// Everything, on one page.
    static var everything: OverviewQuery { OverviewQuery().withAnyStatus }

    /// This choice whatever the status, at its first page.
    var withAnyStatus: OverviewQuery {
        var query = self
        query.status = Self.all
        query.selection.phases = []
        query.page = 1
        return query
    }

    /// Reads the items. Empty ones, as forms send them, choose nothing. Text without a status, as the search of all
    /// pages sends it, finds experiments whatever their status.
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
            guard let order = CatalogSelection.Order(rawValue: text) else {
                throw Self.failure("sort", text, CatalogSelection.Order.allCases.map(\.rawValue))
            }
            selection.order = order
            sort = order == .layer ? nil : order
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

    /// The only word that is searched for, if nothing else is chosen: where it is the key of an experiment, readers
    /// want its page.
    package var key: String? {
        let isSearch =
            selection.phases.isEmpty && selection.owner == nil && selection.setting == nil && selection.layer == nil
            && isGrouped && page == 1
        let words = (selection.text ?? "").split(whereSeparator: \.isWhitespace)
        return isSearch && words.count == 1 ? String(words[0]) : nil
    }

    var isGrouped: Bool { sort == nil }

    /// The address of another page of the same list.
    func link(page: Int, _ links: PageLinks) -> String {
        var items = [("status", status)]
        if let sort { items.append(("sort", sort.rawValue)) }
        let texts = [
            ("owner", selection.owner), ("setting", selection.setting), ("layer", selection.layer),
            ("text", selection.text),
        ]
        for case (let name, let text?) in texts { items.append((name, text)) }
        if page > 1 { items.append(("page", "\(page)")) }
        let query = items.map { "\($0)=\(PageLinks.encoded($1))" }.joined(separator: "&")
        return "\(links.to(.overview))?\(query)"
    }

    /// The address of the list with one item.
    static func link(_ name: String, _ text: String, _ links: PageLinks) -> String {
        "\(links.to(.overview))?\(name)=\(PageLinks.encoded(text))"
    }

    // MARK: The form

    private static var statuses: [(value: String, label: String)] {
        [(current, "running and scheduled"), (all, "all")] + ExperimentPhase.allCases.map { ($0.rawValue, $0.rawValue) }
    }

    private static let orders: [(order: CatalogSelection.Order, label: String)] = [
        (.layer, "layer"), (.key, "name"), (.status, "status"), (.owner, "owner"), (.started, "latest start"),
        (.next, "next change"),
    ]

    var form: PageValues {
        [
            "text": selection.text ?? "", "owner": selection.owner ?? "", "setting": selection.setting ?? "",
            "layer": selection.layer,
            "statuses": Self.statuses.map { status -> PageValues in
                ["value": status.value, "label": status.label, "selected": status.value == self.status]
            },
            "orders": Self.orders.map { order -> PageValues in
                ["value": order.order.rawValue, "label": order.label, "selected": order.order == selection.order]
            },
        ]
    }
}
