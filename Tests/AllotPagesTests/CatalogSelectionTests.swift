import AllotCore
import AllotDefinitions
import AllotPages
import Testing

struct CatalogSelectionTests {
    /// Experiments in each phase.
    private static func catalog() throws -> Catalog {
        try Catalog(files: [
            "base": "config_sections: { Shop: { settings: { Steps: { value: 3 } } } }", "layers": "checkout: {}",
            "ramp": """
            status: running
            owner: Payments
            description: Fewer steps?
            layer: checkout
            slots: [0%..<50%]
            starts: 2026-11-11T12:00:00Z
            traffic: [{ from: 2026-11-11T12:00:00Z, share: 10% }, { from: 2026-11-23T12:00:00Z, share: 100% }]
            variants: [{ key: a }, { key: b, overrides: { Shop: { Steps: 1 } } }]
            """,
            "later": "status: running\nstarts: 2027-01-01T00:00:00Z\nowner: search\nvariants: [{ key: a }]",
            "over": "status: running\nends: 2026-11-01T00:00:00Z\nvariants: [{ key: a }]",
            "idea": "status: draft\nowner: payments\nvariants: [{ key: a }]",
            "held": "status: paused\nvariants: [{ key: a }]",
            "done": "status: concluded\nwinner: a\nvariants: [{ key: a }]",
        ])
    }

    /// What a test sets of a selection, and the keys of what it selects.
    struct Choice: Sendable {
        let expected: String
        let change: @Sendable (inout CatalogSelection) -> Void

        init(_ expected: String, _ change: @escaping @Sendable (inout CatalogSelection) -> Void) {
            (self.expected, self.change) = (expected, change)
        }

        /// Words of the search.
        init(text: String, _ expected: String) {
            self.init(expected) { $0.text = text }
        }
    }

    private static let choices: [Choice] = [
        // Without a choice everything is selected, in the order of the keys.
        Choice(all) { _ in },
        // A phase is the status, and for a running experiment the schedule.
        Choice("ramp") { $0.phases = [.running] }, Choice("later") { $0.phases = [.scheduled] },
        Choice("over") { $0.phases = [.ended] }, Choice("idea") { $0.phases = [.draft] },
        Choice("held") { $0.phases = [.paused] }, Choice("done") { $0.phases = [.concluded] },
        // Several choices select what satisfies all of them.
        Choice("later over") { $0.phases = [.scheduled, .ended] }, Choice("idea ramp") { $0.owner = "PAYMENTS" },
        Choice("idea") { ($0.owner, $0.phases) = ("payments", [.draft]) },
        Choice("ramp") { $0.layer = "checkout" }, Choice("") { $0.layer = "check" },
        // Several owners, layers or settings select what has one of them.
        Choice("idea later ramp") { $0.owners = ["payments", "search"] },
        Choice("ramp") { ($0.layers, $0.settings) = (["other", "checkout"], ["Other", "Shop"]) },
        // A setting is named by itself or by its section, never by a part of a name.
        Choice("ramp") { $0.setting = "Shop.Steps" }, Choice("ramp") { $0.setting = "Shop" },
        Choice("") { $0.setting = "Sho" }, Choice("") { $0.setting = "Shop.Step" },
        // Words are found in keys, descriptions, owners and settings, in any order.
        Choice(text: "STEPS", "ramp"), Choice(text: "ea", "idea later"), Choice(text: "", all), Choice(text: "  ", all),
        Choice(text: "steps fewer", "ramp"), Choice(text: "payments RAMP", "ramp"),
        Choice(text: "payments", "idea ramp"), Choice(text: "shop.steps", "ramp"), Choice(text: "fewer shop", "ramp"),
        Choice(text: "payments fewer nothing", ""), Choice(text: " idea\n", "idea"),
        // A request may have thousands of words: the first 16 count.
        Choice(text: String(repeating: "ramp ", count: 16) + "nothing", "ramp"),
        Choice(text: String(repeating: "ramp ", count: 15) + "nothing", ""),
        // Experiments without the value that sorts them are the last.
        Choice("ramp later idea held over done") { $0.order = .status },
        Choice("ramp idea later done held over") { $0.order = .owner },
        Choice("ramp later done held idea over") { $0.order = .next },
        Choice("later ramp done held idea over") { $0.order = .started },
        Choice("ramp done held idea later over") { $0.order = .layer },
    ]

    @Test("A selection has the experiments that satisfy all of its choices, in its order", arguments: choices.indices)
    func selects(index: Int) throws {
        var selection = CatalogSelection()
        Self.choices[index].change(&selection)
        #expect(selection.of(try Self.catalog()).map(\.key).joined(separator: " ") == Self.choices[index].expected)
    }

    private static let all = "done held idea later over ramp"

    @Test(
        "A search of misspelt words gets the nearest that finds experiments",
        arguments: [
            ("rmap", "ramp"), ("Paymets", "Payments"), ("ShopSteps", "Shop.Steps"), ("stpes", "Steps"),
            ("fewr stpes", "Fewer steps?"), ("stpes payment", "Steps payment"), ("stpes fewr ramp", "Steps Fewer ramp"),
            ("idae payments", "idea payments"),
            ("idae fewer", nil), ("ramp xylophone", nil), ("xylophone", nil), ("", nil), ("ramp", nil),
        ] as [(String, String?)])
    func suggestion(text: String, expected: String?) throws {
        var selection = CatalogSelection()
        selection.text = text
        let catalog = try Self.catalog()
        #expect(selection.suggestion(in: catalog) == expected)
        if let expected {
            #expect(
                CatalogList(catalog, selection).report.verdict == "0 of 6 experiments; did you mean \"\(expected)\"?")
        }
    }
}
