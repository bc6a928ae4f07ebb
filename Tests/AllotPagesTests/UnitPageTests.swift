import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotExposures
import AllotPages
import Testing

/// Facts and open questions on the page of a unit.
struct UnitPageTests {
    private static let files = [
        "base": """
        config_sections:
          Shop: { settings: { Steps: { value: 3 }, Text: { value: a }, Color: { value: red } } }
        """,
        "winter": """
        status: running
        audience: { $or: [{ orders: { $lt: 2 } }, { orders: { $exists: false } }] }
        variants: [{ key: loud, overrides: { Shop: { Text: b } } }]
        """,
        "shipping": """
        status: running
        audience: { country: DE }
        variants: [{ key: bar, overrides: { Shop: { Color: blue } } }]
        """,
        "plain": "status: running\nvariants: [{ key: on, overrides: { Shop: { Steps: 1 } } }]",
        "held": "status: paused\naudience: { country: DE }\nvariants: [{ key: a }]",
        "teams": "status: running\nunit: org_id\nvariants: [{ key: a }]",
    ]

    /// A catalogue of some files next to the base.
    private static func catalog(_ files: [String: String] = Self.files) throws -> Catalog {
        try Catalog(files: files.merging(["base": Self.files["base"] ?? ""]) { own, _ in own })
    }

    private static func page(
        _ attributes: [String: String] = [:], exposures: UnitPage.Exposures = .noStore, in catalog: Catalog? = nil,
        experiments: [String]? = nil
    ) throws -> String {
        let catalog = try catalog ?? Self.catalog()
        var subject = Subject(id: "u")
        for (name, value) in attributes { subject.setUntyped(name, value) }
        var form = UnitPage.Form()
        form.id = "u"
        let frame = catalog.frame()
        let answer = UnitPage.Answer(subject, in: catalog.plan, at: catalog.instant, experiments: experiments)
        return UnitPage.make(form, answer, exposures: exposures, in: frame).html(in: frame)
    }

    @Test("What rests on attributes that were not given has its condition wherever it stands")
    func openDecisions() throws {
        let page = try Self.page()
        let texts = [
            "1 of 5 experiments assign this unit a variant; 3 more depend on country, orders, org_id (not given).</p>",
            #"<h2 id="open">Depends on attributes that are not given</h2>"#,
            "winter</a>: loud if it has no orders</h3>",
            "<p>Depends on <code>orders</code>, not given.</p>", "shipping</a>: no variant if it has no country</h3>",
            "u gets loud in winter if it has no orders, because its second bucket belongs to loud.",
            "teams</a>: no variant if it has no org_id</h3>", "plain</a>: on</h3>",
            "values are those of a unit without country, orders, org_id</caption>",
            "winter</a>: loud if it has no orders<br>", "shipping</a>: no variant if it has no country<br>",
            "plain</a>: on<br>", "as it is served to a unit without country, orders, org_id (JSON)",
        ]
        #expect(page.missing(texts) == [])
        // Paused, whatever the country is.
        #expect(page.contains("held</a></h3>"))
        #expect(!page.contains("u gets no variant of held if"))
    }

    @Test(
        "Attributes settle decisions, and so does an empty value",
        arguments: [
            (["orders": "5", "country": "US", "org_id": "o"], ["plain</a>: on</h3>", "teams</a>: a</h3>"]),
            (["orders": "", "country": "", "org_id": ""], ["plain</a>: on</h3>", "winter</a>: loud</h3>"]),
            (["orders": "1", "country": "DE", "org_id": ""], ["winter</a>: loud</h3>", "shipping</a>: bar</h3>"]),
        ])
    func settledDecisions(attributes: [String: String], headings: [String]) throws {
        let page = try Self.page(attributes)
        #expect(page.found(["not given", " if it has no", "id=\"open\""]) == [])
        #expect(page.missing(headings) == [])
    }

    @Test("The exposures that a store has stand beside what the unit gets")
    func exposures() throws {
        func exposure(_ experiment: String, _ variant: String, unit: String = "u", salt: String? = nil) -> Exposure {
            Exposure(
                unit: unit, experiment: experiment, salt: salt ?? experiment, variant: variant,
                at: 1_794_398_400_000)  // 2026-11-11T12:00Z
        }
        var forced = exposure("plain", "on")
        (forced.reason, forced.isOverridden) = ("forced", true)
        let read = [
            exposure("shipping", "bar"), forced, exposure("gone", "x<b>"), exposure("teams", "a"),
            exposure("winter", "old", salt: "winter.0"),
        ]
        let page = try Self.page(exposures: .read(read))
        let texts = [
            #"<p class="notice">In the store: it met bar first at 2026-11-11T12:00Z.</p>"#,
            "<p>In the store: it met on first at 2026-11-11T12:00Z (forced, set on the device, not counted).</p>",
            "it met old first at 2026-11-11T12:00Z (another randomisation, with the salt winter.0).</p>",
            #"<h2 id="exposures">Other exposures in the store</h2>"#, "<li>gone: x&lt;b&gt; first at 2026-11-11T12:00Z",
        ]
        #expect(page.missing(texts) == [])
        // This ID is that of an organisation in that experiment, and the unit's own is not known.
        #expect(!page.contains("it met a first"))
        #expect(try Self.page(["org_id": "u"], exposures: .read(read)).contains("it met a first"))
        // The unit gets the variant that it met.
        let given = try Self.page(["country": "DE"], exposures: .read(read))
        #expect(given.contains("<p>In the store: it met bar first at"))
        #expect(try Self.page(exposures: .read([])).contains("The store has no exposure of this unit."))
        #expect(try Self.page(exposures: .unreadable).contains("The store of exposures cannot be read now"))
        // Of a selection nothing is said of the others.
        let selection = try Self.page(exposures: .read([exposure("plain", "on")]), experiments: ["shipping"])
        #expect(!selection.contains("no exposure of this unit."))
        #expect(selection.contains("The store has no exposure of this unit to the experiments that are shown."))
        let selected = try Self.page(exposures: .read([exposure("plain", "on")]), experiments: ["plain"])
        #expect(selected.contains("it met on first at"))
        #expect(!selected.contains("The store has no exposure"))
        #expect(try !Self.page().contains("In the store"))
    }

    @Test("A unit with more exposures than are read has a note, whatever becomes of them", arguments: [199, 200])
    func manyExposures(count: Int) throws {
        let note = "Only the last 200 exposures of a unit are read; older ones are not shown."
        // Of an experiment that is not defined, and of one that randomises another unit.
        for experiment in ["gone", "teams"] {
            let read = (0..<count).map { number in
                Exposure(
                    unit: "u", experiment: experiment, salt: experiment, variant: "v\(number)", at: 1_794_398_400_000)
            }
            let page = try Self.page(exposures: .read(read))
            #expect(page.contains(note) == (count == 200))
            #expect(page.contains("<li>gone: v\(count - 1) first at") == (experiment == "gone"))
        }
    }

    @Test("A decision on a unit that a rival may force is open until that unit is given")
    func rivals() throws {
        let overrides = "variants: [{ key: on, overrides: { Shop: { Text: b } } }]"
        let catalog = try Self.catalog([
            "team": "status: running\nunit: org_id\naudience: { country: US }\nforced: { acme: on }\n\(overrides)",
            "plain": "status: running\naudience: { country: DE }\n\(overrides)",
        ])
        let open = try Self.page(["country": "DE"], in: catalog)
        #expect(open.contains("0 of 2 experiments assign this unit a variant; 2 more depend on org_id (not given)"))
        #expect(open.contains("plain</a>: on if it has no org_id</h3>"))
        let settled = try Self.page(["country": "DE", "org_id": "o"], in: catalog)
        #expect(settled.contains("plain</a>: on</h3>"))
        #expect(!settled.contains("not given"))
        let displaced = try Self.page(["country": "DE", "org_id": "acme"], in: catalog)
        #expect(displaced.contains("plain</a></h3>"))
        #expect(displaced.contains("the unit is a tester of team"))
    }

    @Test("Names of attributes are escaped, and only some of many are named")
    func hostileNames() throws {
        let many = (100..<200).map { "{ a\($0): x }" }.joined(separator: ", ")
        let catalog = try Self.catalog([
            "odd": "status: running\naudience: { \"<b>\\u202E\": x }\nvariants: [{ key: a }]",
            "many": "status: running\naudience: { $or: [\(many)] }\nvariants: [{ key: a }]",
        ])
        let page = try Self.page(in: catalog)
        #expect(page.contains(#"no variant if it has no &lt;b&gt;\u202E</h3>"#))
        #expect(!page.contains("<b>"))
        #expect(page.contains("none of a100, a101, a102, a103, a104, a105, a106, a107 and 92 more"))
        #expect(!page.unicodeScalars.contains { $0 != "\n" && PrintableText.isHidden($0) })
    }

    @Test("Persian and emoji stay what they are, and have the direction of their letters")
    func scripts() throws {
        let text = "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}"
        let owner = "\u{1F9D1}\u{200D}\u{1F4BB} ada"
        let catalog = try Self.catalog([
            "a": """
            status: running
            owner: "\(owner)"
            description: "\(text)"
            variants: [{ key: a, description: "\(text)" }]
            """
        ])
        let (overview, page) = try Self.pages(of: catalog)
        let shown = [
            #"<span class="about" dir="auto">\#(text)</span>"#,
            #"<td class="owner" data-label="Owner"><bdi>\#(owner)</bdi></td>"#,
        ]
        #expect(overview.missing(shown) == [])
        let said = [
            #"<p class="lead" dir="auto">\#(text)</p>"#, #"<td dir="auto">\#(text)</td>"#,
            #"<dd dir="auto">\#(owner)</dd>"#,
        ]
        #expect(page.missing(said) == [])
    }

    /// The overview, and the page of the experiment "a".
    private static func pages(of catalog: Catalog) throws -> (overview: String, experiment: String) {
        let frame = catalog.frame()
        let entry = try #require(catalog.experiment("a"))
        return (
            OverviewPage(catalog, in: frame, OverviewQuery()).page.html(in: frame),
            ExperimentPage.make(entry, .noStore, in: frame).html(in: frame)
        )
    }

    @Test("An instant of a definition is shown in its own offset")
    func offsets() throws {
        let catalog = try Self.catalog([
            "a": "status: running\nends: 2027-03-01T00:00:00+01:00\nvariants: [{ key: a }]"
        ])
        let texts = [
            #"<span class="whole">2027-03-01T00:00+01:00</span> ends"#,
            "The next change is at 2027-03-01T00:00+01:00, in 99 days.",
        ]
        #expect(try Self.pages(of: catalog).overview.missing(texts) == [])
        let entry = try #require(catalog.experiment("a"))
        #expect(entry.schedule == "running, ends 2027-03-01T00:00+01:00 (in 99 days)")
        // Programs get UTC.
        #expect(entry.json[["ends"]] == "2027-02-28T23:00:00Z")
    }

    @Test("An experiment without a start begins with the first window of its period")
    func firstWindow() throws {
        let rest = "period: { every: 1h, from: 2026-11-19T12:00Z }\nvariants: [{ key: a }, { key: b }]"
        let catalog = try Self.catalog(["live": "status: running\n" + rest, "idea": "status: draft\n" + rest])
        #expect(catalog.experiment("live")?.schedule == "running since 2026-11-19T12:00Z (2 days)")
        #expect(catalog.experiment("idea")?.schedule == "draft, planned from 2026-11-19T12:00Z")
    }
}
