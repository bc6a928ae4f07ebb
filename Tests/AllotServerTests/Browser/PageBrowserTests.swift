import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotExposures
import Foundation
import TestSupport
import Testing

/// All pages in a real browser: what runs in them, how they look at two widths in light and dark, and whether everyone
/// can use them. `ALLOT_PAGES_FOLDER` keeps the screenshots.
@Suite(
    .enabled(if: Browser.executable != nil, "there is no chromium in PATH, and ALLOT_CHROMIUM names none"),
    .enabled(
        if: Browser.python != nil,
        "ALLOT_BROWSER_PYTHON names no Python with Tests/AllotServerTests/Browser/Pages/requirements.txt"),
    .runsServer) struct PageBrowserTests
{
    /// Markup, a template's tag, and a character that turns the direction of writing.
    private static let markup =
        "</title><script>alert(1)</script><img src=x onerror=alert(2)>' \" javascript:alert(3) {{revision}} "
        + "\u{202E}gnp.exe"

    private static func change(_ banner: String) -> JSONValue { ["Home": ["Banner": .string(banner)]] }

    private static let hostile: JSONValue = [
        "status": "running", "owner": .string(markup), "description": .string(markup),
        "requires": ["winter-banner": "none"],
        "audience": ["<b>&\u{202E}": "</pre><script>alert(4)</script>"],
        "variants": [
            ["key": "control", "description": "<iframe src='https://example.com'></iframe>"],
            ["key": "long", "overrides": change(String(repeating: "x", count: 65_536))],
            ["key": "markup", "overrides": change("<style>*{display:none}</style><script>alert(5)</script>")],
        ],
    ]

    /// The sample shop with an experiment that tries to break out of its page.
    private func shop() throws -> ServerFolder {
        let folder = try ServerFolder()
        let samples = URL(filePath: FileManager.default.currentDirectoryPath).appending(path: "Experiments")
        for file in try FileManager.default.contentsOfDirectory(at: samples, includingPropertiesForKeys: nil)
        where file.pathExtension == "yaml" {
            try folder.write(String(contentsOf: file, encoding: .utf8), to: "shop/\(file.lastPathComponent)")
        }
        try folder.write(Self.hostile.prettyText, to: "shop/hostile.json")
        return folder
    }

    /// Exposures over three weeks, some that do not count and of other revisions and salts, and of an experiment whose
    /// ratio is wrong.
    private func seed(_ store: ExposureStore, _ plan: Plan) async throws {
        let day: Int64 = 86_400_000
        let start = Int64(Date().timeIntervalSince1970 * 1000) / day * day - 20 * day
        var random = SeededGenerator(seed: 7)
        let ranking = ["keyword", "keyword", "popularity", "semantic", "semantic"]
        let kinds: [(key: String, variants: [String], units: Range<Int>, salt: String?, reason: String?)] = [
            ("buy-button", ["control", "green", "large-green", "large-green"], 0..<20_000, nil, nil),
            ("buy-button", ["green"], 200_000..<200_150, nil, "forced"),
            ("buy-button", ["green"], 200_150..<200_300, nil, "override"),
            ("buy-button", ["green"], 0..<300, "first <run>", nil), ("search-ranking", ranking, 0..<9000, nil, nil),
        ]
        var exposures: [Exposure] = []
        for (key, variants, units, salt, reason) in kinds {
            let experiment = try #require(plan.index(of: key).map { plan.experiments[$0] })
            for number in units {
                var exposure = Exposure(
                    unit: "user-\(number)", experiment: key, salt: salt ?? experiment.salt ?? key,
                    variant: random.pick(variants), at: start + Int64.random(in: 0..<20 * day, using: &random))
                let isFormer = key == "buy-button" && exposure.at < start + 4 * day
                exposure.revision = isFormer ? "0123456789abcdef" : experiment.revision
                exposure.isOverridden = reason == "override"
                if reason == "forced" { exposure.reason = "forced" }
                exposures.append(exposure)
            }
        }
        for part in stride(from: 0, to: exposures.count, by: 10_000) {
            _ = try await store.record(Array(exposures[part..<min(part + 10_000, exposures.count)]))
        }
    }

    @Test("Every page works in a browser: readable, reachable by keyboard, and nothing hostile runs")
    func everyPageWorks() async throws {
        let (python, chromium) = (try #require(Browser.python), try #require(Browser.executable))
        let folder = try shop()
        let plan = try Plan.load(folder: folder.path("shop"))
        let store = try ExposureStore(folder.path("exposures.sqlite"))
        try await seed(store, plan)
        await store.shutdown()
        let server = try RunningServer([
            "--definitions", folder.path("shop"), "--exposures", folder.path("exposures.sqlite"),
        ])
        let pictures = ProcessInfo.processInfo.environment["ALLOT_PAGES_FOLDER"] ?? folder.path("pictures")
        let unit =
            "/units/" + "<script>alert('unit')</script>\u{202E}".utf8.map { "%" + String($0, radix: 16) }.joined()
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Pages/pages.py")
        let starts = [
            "/units/user-001?country=DE&app_version=4.2.0",
            "/units?id=user-42&attributes=country%3DFR&at=2027-01-01T00:00:00Z",
            "/units", unit + "?country=%3Cscript%3Ealert(1)%3C/script%3E",
            "/units/" + String(repeating: "x", count: 1024),
            "/device?readout=%7B%22readout%22:1,%22settings%22:%7B%22%3Cscript%3Ealert(1)%3C/script%3E%22:1%7D%7D",
            "/units?id=user-1&at=tomorrow", "/explain/user-42?country=DE", "/experiments/buy-button",
            "/experiments/buy-button?status=paused&traffic=0.5&share.control=%3Cscript%3E",
            "/experiments/search-ranking?status=paused",
            "/experiments/search-ranking", "/experiments/hostile",
        ]
        let outcome = try Outcome(
            of: URL(filePath: python),
            [script.path, "http://127.0.0.1:\(server.port)", "--chromium", chromium.path, "-o", pictures]
                + starts.flatMap { ["--start", $0] }, within: .seconds(800))
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
    }

    @Test("The front of a catalogue of 200 experiments is short, and finds them by layer, status, owner and letter")
    func catalogueWorks() throws {
        let (python, chromium) = (try #require(Browser.python), try #require(Browser.executable))
        let folder = try TemporaryFolder()
        let settings = (0..<30).map { "      S\($0): { value: 1 }" }
        try folder.write(
            (["config_sections:", "  Shop:", "    settings:"] + settings).joined(separator: "\n"), to: "shop/base.yaml")
        let layers = (0..<30).map { "layer-\($0)" }
        try folder.write(layers.map { "\($0): {}\n" }.joined(), to: "shop/layers.yaml")
        for number in 0..<200 {
            let (first, status) = (number / 30 * 10, ["running", "running", "draft", "paused"][number % 4])
            try folder.write(
                """
                status: \(status)
                owner: Team \(number % 17) <team\(number % 17)@example.com>
                description: Does the checkout of experiment \(number) help people to finish their orders?
                layer: \(layers[number % 30])
                slots: [\(first)%..<\(first + 10)%]
                variants: [{ key: a }, { key: b, overrides: { Shop: { S\(number % 30): 2 } } }]
                """, to: "shop/\(["checkout", "search", "banner"][number % 3])-recommendation-\(number).yaml")
        }
        let site = folder.path("site")
        let catalog = try Outcome(
            of: BuiltProgram("allot").url,
            ["catalog", "-o", site, "--definitions", folder.path("shop"), "--no-history"], within: .seconds(100))
        #expect(catalog.status == 0, "\(catalog.errors)")
        let pictures = ProcessInfo.processInfo.environment["ALLOT_PAGES_FOLDER"] ?? folder.path("pictures")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Pages/catalog.py")
        let outcome = try Outcome(
            of: URL(filePath: python),
            [script.path, site, "--chromium", chromium.path, "-o", "\(pictures)/catalog"], within: .seconds(300))
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
    }

    @Test("Settings are changed and added by forms in a browser, but not by a page of another site")
    func settingsAreChanged() throws {
        let (python, chromium) = (try #require(Browser.python), try #require(Browser.executable))
        let folder = try ServerFolder()
        let token = "token-of-edits-00000000001"
        let tokens = try folder.write("explain,edit \(token) Ada\n", to: "tokens")
        let server = try RunningServer(folder.arguments + ["--tokens", tokens, "--allow-editing"])
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Pages/editor.py")
        let pictures = ProcessInfo.processInfo.environment["ALLOT_PAGES_FOLDER"] ?? folder.path("pictures")
        let outcome = try Outcome(
            of: URL(filePath: python),
            [script.path, "http://127.0.0.1:\(server.port)", token, "--chromium", chromium.path, "-o", pictures],
            within: .seconds(300))
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
        let settings = try Plan.load(folder: folder.definitions).definitions.settings
        #expect(settings.first { $0.path == "Page.Color" }?.value == "dark \"red\"")
        #expect(settings.first { $0.path == "New <b>.Steps" }?.value == 2)
        #expect(settings.contains { $0.path == "Page.Title" })
    }
}
