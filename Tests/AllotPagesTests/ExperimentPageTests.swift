import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotExposures
import AllotPages
import Testing

struct ExperimentPageTests {
    /// The day of the page.
    private static let today = 20_778

    private static func entry(_ experiment: String) throws -> CatalogEntry {
        let catalog = try Catalog(files: [
            "base": "config_sections: { Shop: { settings: { Steps: { value: 3 }, Color: { value: blue } } } }",
            "layers": "checkout: {}", "holdouts": "h2: { share: 2% }", "steps": experiment,
        ])
        return try #require(catalog.experiment("steps"))
    }

    private static let ramp = """
        status: running
        owner: Payments
        description: Fewer <b>steps</b>?
        layer: checkout
        slots: [0%..<50%]
        starts: 2026-11-11T12:00:00Z
        traffic: [{ from: 2026-11-11T12:00:00Z, share: 10% }, { from: 2026-11-23T12:00:00Z, share: 100% }]
        audience: { country: { $in: [DE, FR] } }
        variants:
          - key: control
          - { key: one, overrides: { Shop: { Steps: 1 } } }
          - { key: two, overrides: { Shop: { Steps: 2, Color: red } } }
        """

    private static let frame = PageFrame(PageLinks(.routes, root: "../"), revision: "r", instant: Catalog.now)

    private static func html(_ entry: CatalogEntry, _ exposures: ExperimentPage.Exposures) -> String {
        ExperimentPage.make(entry, exposures, in: frame).html(in: frame)
    }

    private typealias Group = (group: ExposureCounts.Group, days: [ExposureHistory.Day])

    private static func group(
        _ variant: String, _ revision: String?, _ reason: String = "split", _ isOverridden: Bool = false,
        days: [(Int, Int)], repeats: Int = 0
    ) -> Group {
        (
            ExposureCounts.Group(
                variant: variant, revision: revision, reason: reason, isOverridden: isOverridden,
                units: days.reduce(0) { $0 + $1.1 }, earliest: Int64(days[0].0) * 86_400_000,
                latest: Int64(days[days.count - 1].0) * 86_400_000 + 5000),
            days.map { ExposureHistory.Day(day: $0.0, units: $0.1, repeats: repeats) }
        )
    }

    /// A group for each variant of ``ramp``.
    private static func groups(_ revision: String?, _ day: Int, _ units: [Int]) -> [Group] {
        zip(["control", "one", "two"], units).map { group($0, revision, days: [(day, $1)]) }
    }

    private static func exposures(_ entry: CatalogEntry, _ groups: [Group], several: Int = 0) -> ExperimentExposures {
        ExperimentExposures(
            entry.experiment, salt: entry.experiment.salt ?? "",
            ExposureHistory(groups: groups, unitsInSeveralVariants: several), level: entry.plan.ratioLevel)
    }

    private static func page(_ entry: CatalogEntry, _ groups: [Group], several: Int = 0) -> String {
        html(entry, .read(exposures(entry, groups, several: several), others: []))
    }

    @Test("The page says everything that is defined, and links what it names")
    func definition() throws {
        let page = Self.html(try Self.entry(Self.ramp), .noStore)
        let texts = [
            "Fewer &lt;b&gt;steps&lt;/b&gt;?", #"<dd dir="auto">Payments</dd>"#,
            "traffic becomes 100%, 2026-11-23T12:00Z, in 2 days",
            #"<a href="../layers/checkout">checkout</a>, slots 0%..&lt;50%"#,
            #"<a href="../holdouts/h2">h2</a> keeps 2% out"#, "country", "Traffic over time: 2026-11-11T12:00Z starts",
            "<code>Shop.Steps</code>", #"<span class="faint">as base</span>"#, "No store of exposures is read",
            "allot exposures export STORE --experiment steps -o steps.csv",
            "WHERE experiment = &#39;steps&#39; AND salt = &#39;steps&#39;", "?dialect=bigquery#warehouse",
        ]
        #expect(page.missing(texts) == [])
    }

    @Test("A line says by which rule, covariates and tries the salt was chosen")
    func chosenSalt() throws {
        let users = String(repeating: "0", count: 64)
        for (rule, words) in [
            ("accept: 0.01", "the first among the best 1% of all salts"),
            ("tries: 1000", "the best of 1,000 candidates"),
        ] {
            let entry = try Self.entry(
                """
                status: draft
                salt: steps.1234
                randomisation: { balance: [orders, "<b>"], \(rule), tried: 1234, distance: 0.5, users: "\(users)" }
                variants: [{ key: a }, { key: b }]
                """)
            let text = "chosen for balance in orders, &lt;b&gt;: \(words), 1,234 tried"
            #expect(Self.html(entry, .noStore).contains(text))
        }
        #expect(Self.html(try Self.entry(Self.ramp), .noStore).contains("chosen for balance") == false)
    }

    @Test("A salt cannot end the literals of queries, nor the words of commands")
    func hostileSalt() throws {
        let entry = try Self.entry(
            """
            status: running
            hash: eppo/1
            salt: "it'\u{301}s"
            variants: [{ key: a, buckets: [0..<10000] }]
            """)
        let texts = [
            "AND salt = concat(&#39;it&#39;&#39;&#39;, chr(769), &#39;s&#39;) AND",
            "--salt &#39;it&#39;\\&#39;&#39;\u{301}s&#39; -o",
        ]
        #expect(Self.html(entry, .noStore).missing(texts) == [])
    }

    @Test("The test of the ratio is of the randomised units of the present revision")
    func ratio() throws {
        let entry = try Self.entry(Self.ramp)
        let revision = entry.experiment.revision
        let exposures = Self.exposures(
            entry,
            [
                Self.group("control", revision, days: [(Self.today - 1, 300), (Self.today, 310)]),
                Self.group("one", revision, days: [(Self.today, 605)]),
                Self.group("two", revision, days: [(Self.today, 600)]),
                Self.group("control", "0123456789abcdef", days: [(Self.today - 9, 5)]),
                Self.group("one", revision, "forced", days: [(Self.today, 2)]),
                Self.group("one", "0123456789abcdef", "forced", days: [(Self.today, 3)]),
                Self.group("two", revision, "split", true, days: [(Self.today, 4)]),
            ])
        #expect(exposures.units == [615, 605, 600])
        #expect(exposures.days.map(\.day) == [Self.today - 9, Self.today - 1, Self.today])
        #expect(exposures.main?.units == [610, 605, 600])
        #expect(exposures.main?.ratio?.days.map(\.totals) == [[300, 0, 0], [610, 605, 600]])
        #expect(exposures.periods.map(\.isPresent) == [false, true])
        #expect(exposures.periods[0].ratio == nil, "the shares of that time are not known")
        #expect(exposures.others.map(\.units) == [5, 4])
        let texts = ["<strong>1,820 units met a variant.</strong> ", "not tested"]
        #expect(Self.html(entry, .read(exposures, others: [])).missing(texts) == [])
    }

    @Test("A mismatch and units in several variants are at the top")
    func mismatch() throws {
        let entry = try Self.entry(Self.ramp)
        let revision = entry.experiment.revision
        let groups = [("control", 900, 1), ("one", 600, 2), ("two", 600, 0)].map {
            Self.group($0.0, revision, days: [(Self.today, $0.1)], repeats: $0.2)
        }
        let texts = [
            #"<p class="verdict bad"><strong>2,100 first exposures.</strong> SAMPLE RATIO MISMATCH"#,
            "3 units met more than one variant, which should not happen",
        ]
        #expect(Self.page(entry, groups, several: 3).missing(texts) == [])
    }

    @Test("Units that were reassigned, or got the winner, are in several variants rightly")
    func rightlyInSeveralVariants() throws {
        let entry = try Self.entry(Self.ramp)
        let revision = entry.experiment.revision
        let note = "2 units met more than one variant: they were reassigned when shares changed, or got the winner"
        let former = Self.groups("0123456789abcdef", Self.today - 1, [200, 200, 200])
        let reassigned = Self.group("one", revision, days: [(Self.today, 2)], repeats: 2)
        let winner = Self.group("one", revision, "winner", days: [(Self.today, 2)], repeats: 2)
        let pages = [reassigned, winner].map { Self.page(entry, former + [$0], several: 2) }
        for page in pages { #expect(page.missing([note, #"<p class="verdict"><strong>"#]) == []) }
        #expect(pages[0].contains("No unit was randomised first under the present revision yet. "))
        #expect(!pages[0].contains("no unit to test"))
        let wrong = Self.group("two", "0123456789abcdef", days: [(Self.today - 1, 1)], repeats: 1)
        let both = Self.page(entry, former.dropLast() + [wrong, reassigned], several: 3)
        let texts = [
            #"<p class="verdict bad"><strong>"#, note, "1 unit met more than one variant, which should not happen",
        ]
        #expect(both.missing(texts) == [])
    }

    @Test("The present period is quoted if its ratio is not to be trusted, although a later one's is not either")
    func mismatchOfSeveralPeriods() throws {
        let entry = try Self.entry(Self.ramp)
        let note = " (of units that name no revision)"
        for (present, isOfUnnamed) in [([900, 600, 600], false), ([600, 600, 600], true)] {
            let named = Self.groups(entry.experiment.revision, Self.today - 2, present)
            let page = Self.page(entry, named + Self.groups(nil, Self.today - 1, [700, 500, 500]))
            #expect(page.contains("SAMPLE RATIO MISMATCH"))
            #expect(page.contains(note) == isOfUnnamed)
        }
        let alone = Self.page(entry, Self.groups(nil, Self.today, [50, 50, 50]))
        #expect(alone.contains("<p>Randomised units that name no revision: "))
    }

    /// Senders need not name revisions; an overview and the page of an experiment have to agree on those that do not.
    @Test(
        "The overview and the page of an experiment have the same verdict on the same units",
        arguments: [
            (["p", nil], [[1000, 1000, 1000], [600, 400, 400]], true),
            (["p", nil], [[600, 400, 400], [1000, 1000, 1000]], true),
            (["p", nil], [[500, 500, 500], [500, 500, 500]], false), ([nil], [[600, 400, 400]], true),
            (["0123456789abcdef"], [[600, 400, 400]], false),
            (["0123456789abcdef", nil], [[600, 400, 400], [500, 500, 500]], false),
        ] as [([String?], [[Int]], Bool)])
    func sameVerdict(revisions: [String?], units: [[Int]], isMismatch: Bool) throws {
        let entry = try Self.entry(Self.ramp)
        let names = revisions.map { $0 == "p" ? entry.experiment.revision : $0 }
        let groups = zip(names, units).flatMap { Self.groups($0, Self.today, $1) }
        #expect(Self.exposures(entry, groups).isMismatch == isMismatch)
        #expect(ExposureSummary(Self.totals(groups), of: entry.plan).mismatches.isEmpty == !isMismatch)
    }

    private static func totals(_ groups: [Group]) -> [ExposureTotal] {
        groups.map { group, _ in
            ExposureTotal("steps", group.variant, group.units, of: group.revision, reason: group.reason)
        }
    }

    private static let weighted = """
        status: running
        variants: [{ key: control, weight: 20 }, { key: one, weight: 80 }]
        """

    /// 2,000 units of 50:50. Then shares are 20:80, and of those who come back 586 are reassigned to the larger variant
    /// while 2,000 are new.
    @Test("Units that are reassigned when shares change are no mismatch, neither on the page nor on the overview")
    func reassignedUnits() throws {
        let entry = try Self.entry(Self.weighted)
        let revision = entry.experiment.revision
        let groups = [
            Self.group("control", "0123456789abcdef", days: [(Self.today - 1, 1000)]),
            Self.group("one", "0123456789abcdef", days: [(Self.today - 1, 1000)]),
            Self.group("control", revision, days: [(Self.today, 374)]),
            Self.group("one", revision, days: [(Self.today, 2212)], repeats: 586),
        ]
        let exposures = Self.exposures(entry, groups, several: 586)
        #expect(!exposures.isMismatch)
        #expect(exposures.main?.units == [374, 1626])
        #expect(exposures.units == [1374, 3212])
        let history = ExposureHistory(groups: groups, unitsInSeveralVariants: 586)
        // Counts alone cannot tell.
        #expect(ExposureSummary(Self.totals(groups), of: entry.plan).mismatches == ["steps"])
        let read = ExposureSummary(Self.totals(groups), of: entry.plan, histories: ["steps": history])
        #expect(read.mismatches.isEmpty)
    }

    /// The always-valid test is below 0.001 after the first day, and all units together have p = 0.03.
    @Test("The overview has the verdict of the page on a mismatch that later units hide")
    func hiddenMismatch() async throws {
        let entry = try Self.entry("status: running\nvariants: [{ key: control }, { key: one }]")
        let groups = zip(["control", "one"], [(120, 1400), (240, 1400)]).map { variant, units in
            Self.group(
                variant, entry.experiment.revision, days: [(Self.today - 1, units.0), (Self.today, units.1)])
        }
        #expect(Self.exposures(entry, groups).isMismatch)
        let history = ExposureHistory(groups: groups, unitsInSeveralVariants: 0)
        #expect(ExposureSummary(Self.totals(groups), of: entry.plan).mismatches.isEmpty)
        let summary = await ExposureSummary(Self.totals(groups), of: entry.plan) { experiments in
            #expect(experiments.map(\.key) == ["steps"])
            return ["steps": history]
        }
        #expect(summary.mismatches == ["steps"])
    }

    @Test("The histories of many units are read only where a mismatch may be one of reassigned units")
    func unclearExperiments() async throws {
        let entry = try Self.entry(Self.weighted)
        let (revision, million) = (entry.experiment.revision, 1_000_000)
        func read(_ groups: [Group]) async -> (keys: [String], summary: ExposureSummary) {
            var keys: [String] = []
            let summary = await ExposureSummary(Self.totals(groups), of: entry.plan) { experiments in
                keys += experiments.map(\.key)
                return [:]
            }
            return (keys, summary)
        }
        let wrong = ["control", "one"].map { Self.group($0, revision, days: [(Self.today, million)]) }
        let former = Self.group("one", "0123456789abcdef", days: [(Self.today - 1, million)])
        let right = [(1, "control"), (4, "one")].map { Self.group($1, revision, days: [(Self.today, $0 * million)]) }
        for (groups, keys) in [(wrong, []), (wrong + [former], ["steps"]), (right + [former], [])] {
            #expect(await read(groups).keys == keys)
        }
        // One look at all units can miss what each of their days shows on the experiment's page.
        let calm = await read(right).summary
        #expect(calm["steps"]?.units == 5 * million)
        #expect(Self.overview(entry.plan, calm).contains("see the experiment&#39;s page"))
        #expect(await Self.overview(entry.plan, read(wrong).summary).contains("mismatch, p ="))
        let many = Self.group("one", "0123456789abcdef", days: [(Self.today - 1, 4 * million)])
        let (keys, summary) = await read(wrong + [many])
        #expect(keys.isEmpty, "reading them would take long")
        #expect(summary.mismatches.isEmpty)
        #expect(Self.overview(entry.plan, summary).contains("see the experiment&#39;s page"))
    }

    private static func overview(_ plan: Plan, _ summary: ExposureSummary) -> String {
        OverviewPage(Catalog(plan, at: Catalog.now), in: frame, OverviewQuery(), exposures: .counted(summary)).page
            .html(in: frame)
    }

    @Test("Small shares are not rounded to nothing, and outcomes are compared within a revision")
    func sharesAndOutcomes() throws {
        let entry = try Self.entry(
            "status: running\nvariants: [{ key: control, weight: 99.9985 }, { key: one, weight: 0.0015 }]")
        let groups = [Self.group("control", entry.experiment.revision, days: [(Self.today, 100)])]
        let texts = [
            "control 99.9985%, one 0.0015%", "GROUP BY revision, variant\nORDER BY revision, variant;",
            "row_number() OVER (PARTITION BY unit ORDER BY at, variant)",
        ]
        #expect(Self.page(entry, groups).missing(texts) == [])
    }

    @Test("A variant that the definition does not have is a mismatch, and named")
    func unknownVariant() throws {
        let entry = try Self.entry(Self.ramp)
        let revision = entry.experiment.revision
        let groups = ["control", "one", "two", "gone"].map { Self.group($0, revision, days: [(Self.today, 10)]) }
        let exposures = Self.exposures(entry, groups)
        #expect(exposures.variants == ["control", "one", "two", "gone"])
        #expect(exposures.isMismatch)
        #expect(Self.page(entry, groups).contains("no share: &quot;gone&quot;"))
    }

    @Test(
        "A plot has bars for all days, however many there are",
        arguments: [[5], [1, 2], Array(0..<400), [-719_528, 2_932_896]])
    func plots(days: [Int]) throws {
        let entry = try Self.entry(Self.ramp)
        let groups = ["control", "one", "two"].map {
            Self.group($0, entry.experiment.revision, days: days.map { ($0, 7) })
        }
        let page = Self.page(entry, groups)
        #expect(page.contains("First exposures of each day, by variant"))
        #expect(!page.contains("nan"))
        #expect(!page.contains("inf"))
    }

    @Test(
        "Experiments without a draw, a schedule or a change have a page",
        arguments: [
            "status: running\nunit: none\nvariants: [{ key: a }]", "status: draft\nvariants: [{ key: a }]",
            "status: concluded\nwinner: a\nvariants: [{ key: a }, { key: b }]",
            "status: paused\nvariants: [{ key: a }]",
        ])
    func bare(experiment: String) throws {
        let entry = try Self.entry(experiment)
        let schedule = Self.html(entry, .noStore).split(separator: "Schedule</h2>").last?.split(separator: "<p>")
        #expect(schedule?.dropFirst().first?.first?.isUppercase == true)
        for exposures in [.noStore, .unreadable, .read(Self.exposures(entry, []), others: [])]
            as [ExperimentPage.Exposures]
        {
            #expect(Self.html(entry, exposures).contains("No variant changes a setting."))
        }
    }

    @Test("A change is tried out by a form with what the definition has; pages of files have no form")
    func changes() throws {
        let entry = try Self.entry(Self.ramp)
        #expect(!Self.html(entry, .noStore).contains("Try a change"))
        let page = ExperimentPage.make(entry, .noStore, canChange: true, in: Self.frame).html(in: Self.frame)
        for part in [
            #"<form class="filters" action="../experiments/steps#change" method="get" aria-label="Change">"#,
            #"<option value="paused">paused</option>"#, "(now: running)",
            "(now: 10% since 2026-11-11T12:00Z; 100% from",
            #"name="share.two" value="""#, "(now: 2026-11-11T12:00:00Z)", "(now: not set)", #"name="winner""#,
        ] {
            #expect(page.contains(part), "\(part)")
        }
        #expect(!page.contains("The change</h3>"))
        let bare = try Self.entry("status: running\nunit: none\nvariants: [{ key: a }]")
        let other = ExperimentPage.make(bare, .noStore, canChange: true, in: Self.frame).html(in: Self.frame)
        #expect(other.contains(#"name="status""#))
        #expect(other.found([#"name="traffic""#, #"name="share."#]).isEmpty)
    }
}
