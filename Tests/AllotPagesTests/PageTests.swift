import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotExposures
import AllotPages
import AllotReports
import Foundation
import Testing

/// What pages say, and that nothing in definitions becomes markup.
struct PageTests {
    /// A catalogue of some files next to a base and two layers.
    private static func catalog(_ files: [String: String], layers: String = "checkout: {}\nempty: {}") throws -> Catalog
    {
        let base = "config_sections: { Shop: { settings: { Steps: { value: 3 }, Text: { value: a } } } }"
        return try Catalog(files: files.merging(["base": base, "layers": layers]) { own, _ in own })
    }

    private static let split = "variants: [{ key: a }, { key: b, overrides: { Shop: { Steps: 1 } } }]"

    private static func overview(
        _ catalog: Catalog, _ items: [String: String] = [:], exposures: KnownExposures = .none
    ) throws -> String {
        let frame = catalog.frame()
        return OverviewPage(catalog, in: frame, try OverviewQuery(items), exposures: exposures).page.html(in: frame)
    }

    @Test(
        "Links lead to the root, however a page is asked for",
        arguments: [
            ("/", 0, ""), ("/ab/", 0, ""), ("/ab", 0, "./ab/"), ("/a/b", 0, "./b/"), ("/settings", 1, ""),
            ("/ab/settings", 1, ""), ("/settings/", 1, "../"), ("/experiments/x", 2, "../"),
            ("/ab/experiments/x", 2, "../"), ("/experiments/x/", 2, "../../"), ("/experiments//x", 2, "../../"),
            ("/ab//experiments/x", 2, "../"),
        ])
    func roots(path: String, depth: Int, root: String) {
        #expect(PageLinks(ofRequest: path, depth: depth).root == root)
    }

    @Test("Links are references of one page to another")
    func links() {
        let routes = PageLinks(ofRequest: "/experiments/x", depth: 2)
        #expect(routes.to(.overview) == "../")
        #expect(routes.to(.experiment("y.z")) == "../experiments/y.z")
        #expect(routes.to(.unit("a/b ü")) == "../units/a%2Fb%20%C3%BC")
        // Browsers would take them for steps of the path.
        #expect(routes.to(.unit("..")) == "../units?id=..")
        let files = PageLinks(ofFile: .experiment("x"))
        #expect(files.to(.overview) == "../index.html")
        #expect(files.to(.layer("y")) == "../layers/y.html")
        #expect(PageLinks(ofFile: .overview).to(.settings) == "settings.html")
        #expect(PageLinks(.routes, root: "").to(.overview) == "./")
        // Slashes of an address do not multiply the size of a page.
        let slashes = String(repeating: "/", count: 10_000)
        #expect(PageLinks(ofRequest: "/units/u" + slashes, depth: 2).root.utf8.count < 200)
    }

    @Test(
        "Text of definitions is never markup, and hidden characters are seen",
        arguments: [
            ("<script>alert('1')</script> & \"", "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;"),
            ("a\u{202E}b\u{0007}", #"a\u202Eb\u0007"#), ("two\nlines\ttab", "two\nlines\\ttab"), ("{{key}}", "{{key}}"),
            ("ünïcode", "ünïcode"), ("\r\n", "\\r\n"),
        ])
    func escaping(text: String, expected: String) {
        #expect(HTMLText.escaped(text) == expected)
    }

    @Test(
        "Of data of forms a browser reads the text itself, and no markup",
        arguments: [
            ("<'&\">", "&lt;&#39;&amp;&quot;&gt;"), ("{{key}}", "{{key}}"), ("ünïcode", "ünïcode"),
            ("\u{1F468}\u{200D}\u{1F467}", "\u{1F468}&#x200D;\u{1F467}"), ("two\nlines\ttab", "two\nlines&#x9;tab"),
            ("a\u{200C}b\u{AD}\u{202E}\u{1B}\u{7F}", "a&#x200C;b&#xAD;&#x202E;&#x1B;&#x7F;"),
            // A reference to these would stand for other characters.
            ("\u{80}\u{9F}", "\u{80}\u{9F}"),
            // HTML has no way to carry a carriage return or U+0000 in a form.
            ("\r\n\0", "\\r\n\\u0000"),
        ])
    func data(text: String, expected: String) {
        #expect(HTMLText.data(text) == expected)
    }

    @Test("Only elements are markup: literals, texts and attributes are escaped, and the values of forms are data")
    func textsOfMarkup() {
        let text = "<\u{AD}>"
        let link: Markup = "a < b \(linked: "\(code: text) \(1)", to: text)\(nil)\(link: "x", to: nil)"
        #expect(
            link.text
                == #"a &lt; b <a href="&lt;\u00AD&gt;"><code>&lt;\u00AD&gt;</code> 1</a>x"#)
        var field = Markup()
        field.void("input", ["name": text, "value": text, "title": text, "id": nil], flag: "required")
        #expect(
            field.text
                == #"<input name="&lt;&#xAD;&gt;" value="&lt;&#xAD;&gt;" title="&lt;\u00AD&gt;" required>"#)
    }

    @Test("Long texts are cut on lists")
    func cutting() {
        #expect(PageText.short("plain") == "plain")
        #expect(PageText.short("first\nsecond") == "first…")
        let cut = PageText.short(String(repeating: "x", count: 65_536))
        #expect(cut.count == 120)
        #expect(cut.hasSuffix("x…"))
    }

    @Test("What runs stands below its layer, with its part of the bar")
    func overviewShowsLayers() throws {
        let catalog = try Self.catalog([
            "ramp": """
            status: running
            owner: payments
            layer: checkout
            slots: [10%..<50%]
            starts: 2026-11-11T12:00:00Z
            \(Self.split)
            """, "alone": "status: running\n\(Self.split)".replacing("Steps: 1", with: "Text: b"),
            "idea": "status: draft\nvariants: [{ key: a }]",
        ])
        let page = try Self.overview(catalog)
        let texts = [
            #"<h2>Layer <a href="layers/checkout">checkout</a></h2>"#,
            "<title>Slots of the layer checkout: ramp holds 10%..&lt;50% (running); 60% free</title>",
            #"<svg x="10%" width="40%"><title>ramp: 10%..&lt;50%</title>"#,
            #"<rect width="100%" height="20" fill="url(#s1)"/>"#,
            #"<pattern id="s1""#, "<h2><bdi>Without a layer</bdi></h2>",
            #"<td class="number" data-label="Days">10</td><td class="number" data-label="Traffic">100%</td>"#,
            #"<a href="./?status=draft">1 draft</a>"#,
        ]
        #expect(page.missing(texts) == [])
        // The filter is folded on phones unless something is chosen.
        #expect(page.contains(#"<details class="fold"><summary>"#))
        #expect(try Self.overview(catalog, ["owner": "payments"]).contains(#"<details class="fold" open><summary>"#))
        // Drafts neither run now nor next; a link leads to them.
        #expect(!page.contains(#"href="experiments/idea""#))
        #expect(try Self.overview(catalog, ["status": "all"]).contains(#"href="experiments/idea""#))
        #expect(try Self.overview(catalog, ["owner": "unknown"]).contains("There is nothing to show here."))
    }

    @Test("The search finds experiments whatever their status, and names what may be meant")
    func searches() throws {
        let catalog = try Self.catalog([
            "hero-video": "status: concluded\nwinner: a\nowner: payments@example.com\nvariants: [{ key: a }]",
            "product-gallery": "status: draft\ndescription: Larger pictures\nvariants: [{ key: a }]",
            "steps": "status: running\n\(Self.split)",
        ])
        func found(_ items: [String: String]) throws -> [String] {
            let page = try Self.overview(catalog, items)
            return ["hero-video", "product-gallery", "steps"].filter { page.contains("href=\"experiments/\($0)\"") }
        }
        #expect(try found(["text": "video hero"]) == ["hero-video"])
        #expect(try found(["text": "pictures GALLERY"]) == ["product-gallery"])
        #expect(try found(["text": "payments"]) == ["hero-video"])
        #expect(try found(["text": "shop.steps"]) == ["steps"])
        // The filter's own status counts, and the rest is a click away.
        let filtered = try Self.overview(catalog, ["text": "video", "status": "current"])
        #expect(filtered.contains("There is nothing to show here."))
        #expect(filtered.contains(#"<a href="./?status=concluded&amp;text=video">1 concluded matches</a>"#))
        #expect(filtered.contains(#"<a href="./?status=all">Show all 3 experiments</a>"#))
        for (text, meant) in [
            ("hero-vidoe", "hero-video"), ("product gallry", "product-gallery"), ("Stesp", "Steps"),
            ("payment@example.com", "payments@example.com"),
        ] {
            let page = try Self.overview(catalog, ["text": text])
            let link = "./?text=\(PageLinks.encoded(meant))"
            #expect(page.contains("Did you mean <a href=\"\(link)\">\(meant)</a>?"), "\(text)")
        }
        // No search finds a setting that no variant overrides, but it has a page.
        for text in ["<zzz>", "Text", "Txet", "Shop.Txet", "Shop.Text"] {
            let page = try Self.overview(catalog, ["text": text])
            #expect(!page.contains("Did you mean"), "\(text)")
            let link = #"<a href="settings?setting=Shop.Text">Setting Shop.Text</a>"#
            #expect(page.contains(link) == text.hasPrefix("Shop."), "\(text)")
        }
    }

    @Test("An empty list names what hides experiments, and what to write if there are none")
    func nextSteps() throws {
        let catalog = try Self.catalog([
            "one": "status: draft\nowner: ada\nvariants: [{ key: a }]",
            "two": "status: paused\nowner: ben\nvariants: [{ key: a }]",
        ])
        let cases: [(items: [String: String], steps: [String])] = [
            ([:], [#""./?status=draft">1 draft matches<"#, #""./?status=paused">1 paused matches<"#]),
            (
                ["owner": "ada"], [#""./?status=draft&amp;owner=ada">1 draft matches<"#]
            ),
            (
                ["status": "draft", "owner": "ben"],
                [
                    #""./?status=paused&amp;owner=ben">1 paused matches<"#,
                    #""./?status=draft">1 of any owner matches<"#,
                ]
            ),
            (["status": "all", "setting": "Shop"], []),
        ]
        for (items, steps) in cases {
            let page = try Self.overview(catalog, items)
            #expect(page.missing(steps) == [], "\(items)")
            let links = page.components(separatedBy: "<li><a href=\"./?status=").count - 1
            #expect(links == steps.count + 1, "\(items)")
        }
        let none = try Self.overview(try Self.catalog([:]))
        #expect(none.missing(["<code>KEY.yaml</code>", "<code>allot init</code>"]) == [])
        #expect(!none.contains("Show all"))
    }

    @Test("The overview lists the holdouts with their shares and what they cover")
    func holdouts() throws {
        let catalog = try Self.catalog([
            "one": "status: draft\nlayer: checkout\nslots: [0%..<50%]\nvariants: [{ key: a }]",
            "two": "status: paused\nvariants: [{ key: a }]",
            "holdouts": "all: { share: 5% }\nsome: { share: 2%, layers: [checkout] }",
        ])
        let texts = [
            #"<a href="holdouts/all">all</a>: 5% by <code>user_id</code>, kept out of all 2 experiments on user_id<"#,
            #"<a href="holdouts/some">some</a>: 2% by <code>user_id</code>, kept out of 1 experiment<"#,
        ]
        #expect(try Self.overview(catalog).missing(texts) == [])
        #expect(try !Self.overview(try Self.catalog([:])).contains("Holdouts"))
    }

    @Test("The page of a holdout shows what comes back to the variants of each experiment when it ends")
    func endOfHoldout() throws {
        let catalog = try Self.catalog([
            "one": "status: running\nlayer: checkout\nslots: [0%..<50%]\ntraffic: 50%\n" + Self.split,
            "two": "status: draft\nvariants: [{ key: a }, { key: b }]",
            "holdouts": "h2: { share: 5% }\nother: { share: 2%, experiments: [one] }",
        ])
        let frame = catalog.frame(root: "../")
        let page = try #require(HoldoutPage.make("h2", catalog, frame.links)).html(in: frame)
        // Half of the slots, half of those in traffic, half of these for each variant; the other holdout stays.
        let texts = [
            "When it ends", "one: a 12.25%, b 12.25%", "two: no unit", "<title>one, b: 12.25%</title>",
            #"<g fill="url(#s1)"><rect class="part" x="58.7" y="19" width="38.7" height="12">"#,
        ]
        #expect(page.missing(texts) == [])
        let none = try Self.catalog(["holdouts": "h2: { share: 5% }"])
        #expect(HoldoutPage.make("h2", none, frame.links)?.html(in: frame).contains("When it ends") == false)
    }

    @Test(
        "A search for one word alone may be for the page of a key",
        arguments: [
            (["text": "hero-video"], "hero-video"), (["text": " hero-video "], "hero-video"),
            (["text": "hero-video", "status": "all", "owner": ""], "hero-video"), (["text": "hero video"], nil),
            (["text": "hero-video", "status": "draft"], nil), (["text": "hero-video", "owner": "a"], nil),
            (["text": "hero-video", "sort": "key"], nil), (["text": "hero-video", "page": "2"], nil),
            (["text": ""], nil), ([:], nil),
        ] as [([String: String], String?)])
    func keys(items: [String: String], key: String?) throws {
        #expect(try OverviewQuery(items).key == key)
    }

    @Test(
        "Items that are not valid are refused",
        arguments: [
            (["status": "runing"], "it is current, all, running"), (["sort": "x"], "it is layer, key, status"),
            (["sort": "-layer"], "it is layer, key"), (["sort": "--key"], "it is layer, key"),
            (["page": "0"], "from 1"), (["page": "x"], "from 1"), (["page": "01"], "from 1"),
        ])
    func badItems(items: [String: String], message: String) {
        let error = #expect(throws: OverviewQuery.Failure.self) { try OverviewQuery(items) }
        #expect(error?.message.contains(message) == true)
    }

    /// One experiment has half of the units and a start, the other a wrong ratio, and the third one is a draft.
    private static func sorted(_ items: [String: String]) throws -> String {
        let catalog = try Self.catalog([
            "even": "status: running\nstarts: 2026-11-11T12:00:00Z\ntraffic: 50%\n\(Self.split)",
            "skew": "status: running\nowner: b\n\(Self.split)".replacing("Steps: 1", with: "Text: b"),
            "idea": "status: draft\nowner: a\nvariants: [{ key: a }]",
        ])
        let totals = try [("even", 1010), ("skew", 1500)].flatMap { key, units in
            let revision = try #require(catalog.experiment(key)).experiment.revision
            return [
                ExposureTotal(key, "a", 1000, of: revision), ExposureTotal(key, "b", units, of: revision),
            ]
        }
        let items = items.merging(["status": "all"]) { own, _ in own }
        return try Self.overview(
            catalog, items, exposures: .counted(ExposureSummary(totals, of: catalog.plan)))
    }

    @Test(
        "The list is sorted by each column both ways, and experiments without a value are the last",
        arguments: [
            ("key", "even idea skew"), ("-key", "skew idea even"), ("status", "even skew idea"),
            ("-status", "idea even skew"), ("owner", "idea skew even"), ("-owner", "skew idea even"),
            ("started", "even idea skew"), ("-started", "even idea skew"), ("traffic", "even skew idea"),
            ("-traffic", "skew even idea"), ("units", "idea even skew"), ("-units", "skew even idea"),
            ("ratio", "skew even idea"), ("-ratio", "even skew idea"), ("next", "even idea skew"),
        ])
    func sorting(order: String, expected: String) throws {
        let rows = try Self.sorted(["sort": order]).components(
            separatedBy: #"<th scope="row"><a href="experiments/"#)
        let keys = rows.dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(keys.joined(separator: " ") == expected)
    }

    @Test("The heads of columns sort, turn the order round, and say which one it is")
    func heads() throws {
        let grouped = [
            #"<th scope="col"><a href="./?status=all&amp;sort=key">Experiment</a></th>"#,
            #"<th scope="col" class="number"><a href="./?status=all&amp;sort=-traffic">Traffic</a></th>"#,
        ]
        let page = try Self.sorted([:])
        #expect(page.missing(grouped) == [])
        #expect(!page.contains("aria-sort"))
        let down = [
            #"<th scope="col" class="number" aria-sort="descending"><a href="./?status=all&amp;sort=units">"#
                + #"First exposures</a> <span aria-hidden="true">▼</span></th>"#,
            #"<a href="./?status=all&amp;sort=layer">Layer</a>"#,
            #"<option value="-units" selected>first exposures, descending</option>"#,
        ]
        #expect(try Self.sorted(["sort": "-units"]).missing(down) == [])
        let up = #"aria-sort="ascending"><a href="./?status=all&amp;sort=-ratio">Ratio test</a>"#
        #expect(try Self.sorted(["sort": "ratio"]).contains(up))
    }

    @Test("A long list has pages, and each link keeps the choice")
    func paging() throws {
        var files: [String: String] = [:]
        for number in 100..<305 { files["e\(number)"] = "status: paused\nowner: a&b\nvariants: [{ key: a }]" }
        let catalog = try Self.catalog(files)
        let first = try Self.overview(catalog, ["status": "paused", "owner": "a&b"])
        let next = #"<a rel="next" href="./?status=paused&amp;owner=a%26b&amp;page=2">"#
        #expect(first.missing(["Page 1 of 3: 1 to 100 of 205", next]) == [])
        #expect(!first.contains("rel=\"prev\""))
        let last = try Self.overview(catalog, ["status": "paused", "page": "1000"])
        #expect(last.missing(["Page 3 of 3: 201 to 205 of 205", ">e304</a>", ">e300</a>"]) == [])
        #expect(!last.contains(">e299</a>"))
    }

    @Test("Hostile descriptions and owners are harmless on every page")
    func hostileDefinitions() throws {
        let hostile = #""<img src=x onerror=alert(1)>\u202E{{revision}}\e[2J""#
        let catalog = try Self.catalog(
            [
                "odd": """
                status: running
                owner: \(hostile)
                description: \(hostile)
                layer: checkout
                slots: [0%..<50%]
                \(Self.split)
                """,
                "long": "status: running\ndescription: \(String(repeating: "x", count: 65_536))\n"
                    + "variants: [{ key: a }]",
                "holdouts": "all: { share: 5%, description: \(hostile) }",
            ], layers: "checkout: { description: \(hostile) }")
        let frame = catalog.frame()
        let layer = try #require(LayerPage.make("checkout", catalog, frame.links))
        let holdout = try #require(HoldoutPage.make("all", catalog, frame.links))
        for page in [try Self.overview(catalog), layer.html(in: frame), holdout.html(in: frame)] {
            #expect(!page.contains("<img"))
            #expect(page.missing(["&lt;img src=x onerror", "{{revision}}"]) == [])
            #expect(!page.unicodeScalars.contains { $0 != "\n" && PrintableText.isHidden($0) })
            #expect(page.utf8.count < 20_000)
        }
        #expect(LayerPage.make("none", catalog, frame.links) == nil)
        #expect(HoldoutPage.make("none", catalog, frame.links) == nil)
    }

    @Test(
        "A failure is a sentence, in which names stay what they are",
        arguments: [
            ("there is no experiment \"gone\"", "There is no experiment &quot;gone&quot;."),
            ("user_id is the ID in the path", "user_id is the ID in the path."),
            ("userID is given twice; keep one", "userID is given twice; keep one."),
            (
                "there is no experiment \"a\"; did you mean \"b\"?",
                "There is no experiment &quot;a&quot;; did you mean &quot;b&quot;?"
            ),
        ])
    func failures(message: String, expected: String) throws {
        let frame = try Self.catalog([:]).frame()
        #expect(FailurePage.make("Not found", message, frame.links).html(in: frame).contains(">\(expected)</p>"))
    }

    @Test("What is wrong stands at the top")
    func notices() throws {
        let catalog = try Self.catalog(["even": "status: running\n\(Self.split)"])
        let revision = try #require(catalog.experiment("even")).experiment.revision
        func total(
            _ variant: String, _ units: Int, of revision: String?, reason: String = "split"
        ) -> ExposureTotal {
            ExposureTotal("even", variant, units, of: revision, reason: reason)
        }
        func page(_ totals: [ExposureTotal]) throws -> String {
            try Self.overview(catalog, exposures: .counted(ExposureSummary(totals, of: catalog.plan)))
        }
        let mismatch = try page([total("a", 1000, of: revision), total("b", 1500, of: revision)])
        let texts = [
            "A sample ratio mismatch is detected", #"data-label="First exposures">2,500</td>"#, "mismatch, p =",
        ]
        #expect(mismatch.missing(texts) == [])
        // What another revision assigned says nothing about the present shares.
        let former = try page([total("a", 1000, of: "0123456789abcdef"), total("b", 1500, of: "0123456789abcdef")])
        #expect(!former.contains("class=\"notice bad\""))
        #expect(former.contains("2,500"))
        #expect(try page([total("a", 1000, of: nil), total("b", 1010, of: nil)]).contains("fine, p ="))
        // All units get the winner.
        let over = try page([
            total("a", 500, of: nil), total("b", 490, of: nil), total("b", 9000, of: nil, reason: "winner"),
        ])
        #expect(over.missing(["9,990", "fine, p ="]) == [])
        #expect(try page([total("a", 10, of: nil), total("c", 10, of: nil)]).contains("notice bad"))
        #expect(try Self.overview(catalog, exposures: .unreadable).contains("Exposures cannot be read now"))
        let stale = PageFrame(
            catalog.frame().links, revision: "r", instant: catalog.instant, staleSince: catalog.instant,
            problems: ["odd.yaml:1:1: <wrong>"], problemCount: 3)
        let text = OverviewPage(catalog, in: stale, storeFailure: "the disk is full").page.html(in: stale)
        let notices = [
            "Definitions stale since 2026-11-21T12:00Z", "&lt;wrong&gt;", "and 2 more",
            "Exposures are refused: the disk is full",
        ]
        #expect(text.missing(notices) == [])
    }

    private typealias Warning = (file: String, position: SourcePosition?, message: String, path: String?)

    /// Warnings, how the overview shows them, and whether the page of the experiment "even" has them too.
    private static let shownWarnings: [(warning: Warning, item: String, isOfExperiment: Bool)] = [
        (
            ("Shop/even.yaml", SourcePosition(line: 2, column: 9), "\"<b>\" is text; remove it", "audience.<i>"),
            #"<a href="experiments/even">even.yaml:2:9</a>: &quot;&lt;b&gt;&quot; is text; remove it "#
                + "(audience.&lt;i&gt;)", true
        ),
        (("main:Shop/even.yml", nil, "wrong", nil), #"<a href="experiments/even">even.yml</a>: wrong"#, true),
        (
            ("even.json", SourcePosition(line: 14, column: 9), "a\u{202E}b", nil),
            #"<a href="experiments/even">even.json:14:9</a>: a\u202Eb"#, true
        ),
        (("/even/other.yaml", nil, "wrong", nil), #"<a href="experiments/other">other.yaml</a>: wrong"#, false),
        (("Shop/base.yaml", SourcePosition(line: 3, column: 9), "wrong", nil), "base.yaml:3:9: wrong", false),
        (("Shop/gone.yaml", nil, "wrong", nil), "gone.yaml: wrong", false),
        // Neither is read.
        (("Shop/even.yaml.txt", nil, "wrong", nil), "even.yaml.txt: wrong", false),
        (("Shop/even", nil, "wrong", nil), "even: wrong", false),
    ]

    @Test(
        "A warning stands on the overview, and on the page of the experiment whose file it is about",
        arguments: shownWarnings.indices)
    func warnings(index: Int) throws {
        let (warning, text, isOfExperiment) = Self.shownWarnings[index]
        let item = "<li>\(text)</li>"
        let problem = DefinitionProblem(
            severity: .warning, file: warning.file, position: warning.position, message: warning.message,
            path: warning.path)
        let plan = try Self.catalog([
            "even": "status: running\n\(Self.split)", "other": "status: draft\nvariants: [{ key: a }]",
        ]).plan
        let catalog = Catalog(plan, warnings: [problem], at: Catalog.now)
        let texts = [##"<a href="#warnings">1 warning</a>"##, #"<h2 id="warnings">Warnings</h2>"#, item]
        #expect(try Self.overview(catalog).missing(texts) == [])
        let frame = catalog.frame(root: "../")
        let page = ExperimentPage.make(
            try #require(catalog.experiment("even")), .noStore, warnings: catalog.warnings(about: "even"), in: frame
        ).html(in: frame)
        // The page has no link to itself.
        let own = item.replacing(#"<a href="experiments/even">"#, with: "").replacing("</a>", with: "")
        #expect(page.contains(own) == isOfExperiment)
        #expect(page.contains("<h2 id=\"warnings\">") == isOfExperiment)
    }

    @Test("The list of warnings is bounded; without warnings there is none", arguments: [0, 1, 100, 101, 2000])
    func warningCounts(count: Int) throws {
        let long = DefinitionProblem(
            severity: .warning, file: "even.yaml", position: nil, message: String(repeating: "x", count: 5000),
            path: nil)
        let catalog = Catalog(
            try Self.catalog(["even": "status: running\n\(Self.split)"]).plan,
            warnings: Array(repeating: long, count: count), at: Catalog.now)
        let page = try Self.overview(catalog)
        #expect(page.components(separatedBy: "xxx… (of 5000 bytes)</li>").count == min(count, 100) + 1)
        #expect(page.contains("<li>and \(count - 100) more</li>") == (count > 100))
        #expect(page.contains("arnings") == (count > 0))
        #expect(page.utf8.count < 20_000 + 1200 * min(count, 100))
    }
}
