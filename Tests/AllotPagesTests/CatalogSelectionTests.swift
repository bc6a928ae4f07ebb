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

    private static func keys(_ change: (inout CatalogSelection) -> Void) throws -> String {
        var selection = CatalogSelection()
        change(&selection)
        return selection.of(try catalog()).map(\.key).joined(separator: " ")
    }

    @Test("Without a choice everything is selected, in the order of the keys")
    func everything() throws {
        #expect(try Self.keys { _ in } == "done held idea later over ramp")
    }

    @Test(
        "A phase is the status, and for a running experiment the schedule",
        arguments: [
            (ExperimentPhase.running, "ramp"), (.scheduled, "later"), (.ended, "over"), (.draft, "idea"),
            (.paused, "held"), (.concluded, "done"),
        ])
    func phases(phase: ExperimentPhase, expected: String) throws {
        #expect(try Self.keys { $0.phases = [phase] } == expected)
    }

    @Test("Several choices select what satisfies all of them")
    func choices() throws {
        #expect(try Self.keys { $0.phases = [.scheduled, .ended] } == "later over")
        #expect(try Self.keys { $0.owner = "PAYMENTS" } == "idea ramp")
        #expect(try Self.keys { ($0.owner, $0.phases) = ("payments", [.draft]) } == "idea")
        #expect(try Self.keys { $0.layer = "checkout" } == "ramp")
        #expect(try Self.keys { $0.layer = "check" } == "")
    }

    @Test("A setting is named by itself or by its section, never by a part of a name")
    func settings() throws {
        #expect(try Self.keys { $0.setting = "Shop.Steps" } == "ramp")
        #expect(try Self.keys { $0.setting = "Shop" } == "ramp")
        #expect(try Self.keys { $0.setting = "Sho" } == "")
        #expect(try Self.keys { $0.setting = "Shop.Step" } == "")
    }

    @Test(
        "Words are found in keys, descriptions, owners and settings, in any order",
        arguments: [
            ("STEPS", "ramp"), ("ea", "idea later"), ("", all), ("  ", all),
            ("steps fewer", "ramp"), ("payments RAMP", "ramp"), ("payments", "idea ramp"), ("shop.steps", "ramp"),
            ("fewer shop", "ramp"), ("payments fewer nothing", ""), (" idea\n", "idea"),
            // A request may have thousands of words: the first 16 count.
            (String(repeating: "ramp ", count: 16) + "nothing", "ramp"),
            (String(repeating: "ramp ", count: 15) + "nothing", ""),
        ])
    func text(text: String, expected: String) throws {
        #expect(try Self.keys { $0.text = text } == expected)
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
            #expect(CatalogList(catalog, selection).lines == ["0 of 6 experiments; did you mean \"\(expected)\"?"])
        }
    }

    @Test(
        "Experiments are sorted, those without a value last",
        arguments: [
            (CatalogSelection.Order.status, "ramp later idea held over done"),
            (.owner, "ramp idea later done held over"), (.next, "ramp later done held idea over"),
            (.started, "later ramp done held idea over"), (.layer, "ramp done held idea later over"),
        ])
    func orders(order: CatalogSelection.Order, expected: String) throws {
        #expect(try Self.keys { $0.order = order } == expected)
    }
}
