import AllotConfiguration
import Synchronization
import Testing

@testable import AllotClient

struct SettingsBindingTests {
    static func configuration(_ settings: JSONObject, recorder: ExposureLog) -> Configuration {
        Configuration(
            .checkout(settings, isAssigned: true), user: .none, origin: .remote, fetchedAt: nil,
            overrides: LocalOverrides(), recorder: recorder)
    }

    @Test("A section without a configuration has the defaults")
    func defaultsWithoutConfiguration() {
        let checkout = CheckoutSample()
        #expect(checkout.maxItems == 42)
        #expect(checkout.buttonColor == "#0000ff")
        #expect(checkout.note == nil)
        #expect(checkout.$maxItems.source == .default)
        #expect(checkout.$maxItems.state.declaration.section.isEmpty)
        #expect(checkout.$maxItems.refusal == nil)
        #expect(checkout.$maxItems.assignments == [])
        #expect(CheckoutSample(maxItems: 7).maxItems == 7)
    }

    @Test("A section has the values of the configuration")
    func values() {
        let configuration = Configuration(
            .checkout([
                "MaxItems": 7, "ButtonColor": "#00aa00", "Layout": "grid", "Fee": 3, "Note": "sale",
                "Methods": ["card", "paypal"],
            ]), origin: .stored)
        let checkout = configuration.settings(CheckoutSample.self)
        #expect(checkout.maxItems == 7)
        #expect(checkout.buttonColor == "#00aa00")
        #expect(checkout.layout == "grid")
        #expect(checkout.fee == 3)
        #expect(checkout.note == "sale")
        #expect(checkout.methods == ["card", "paypal"])
        #expect(checkout.$maxItems.source == .stored)
        let search = configuration.settings(SearchSample.self)
        #expect(search.ranking == .keyword)
        #expect(search.$ranking.source == .default)
    }

    @Test("A refused value leaves the default")
    func refusedValuesLeaveTheDefault() throws {
        let document = ConfigurationDocument.checkout([
            "MaxItems": 101, "ButtonColor": "#00AA00", "Layout": "tiles", "Fee": "3", "Note": .null,
            "Methods": ["a", 1],
        ])
        let checkout = Configuration(document).settings(CheckoutSample.self)
        #expect(checkout.maxItems == 42)
        #expect(checkout.$maxItems.source == .default)
        let refusals = [
            checkout.$maxItems.refusal, checkout.$buttonColor.refusal, checkout.$layout.refusal, checkout.$fee.refusal,
            checkout.$methods.refusal,
        ].compactMap { $0 }
        #expect(refusals.map { $0.violations.map(\.kind) } == [[.maximum], [.pattern], [.choices], [.type], [.type]])
        #expect(refusals.first?.value == 101)
        #expect(refusals.allSatisfy { $0.source == .remote })
        let remedy = "; correct it in the definitions"
        #expect(
            [0, 2, 3, 4].map { "\(refusals[$0])" } == [
                "Checkout.MaxItems: expected at most 100, found 101\(remedy)",
                #"Checkout.Layout: expected one of "list", "grid", found "tiles"\#(remedy)"#,
                "Checkout.Fee: expected a number, found \"3\"\(remedy)",
                "Checkout.Methods: expected text at [1], found 1\(remedy)",
            ])
        #expect(checkout.note == nil)
        #expect(checkout.$note.refusal == nil)
        #expect(checkout.$note.source == .remote)
    }

    /// Texts of the server cannot turn a message's writing direction or end its line.
    @Test("Refusals contain printable text only")
    func refusalsShowPrintableText() {
        struct Hostile: SettingsSection {
            static let section = "Checkout"
            @Setting("Layout", choices: ["list"]) var layout = "list"
            @Setting("Color", matching: "[a-z]*") var color = "red"
            @Setting("Limit", in: 1...5) var limit = 3
            @Setting("Methods") var methods: [String: Int] = [:]
        }
        let text: JSONValue = "\u{202E}a\nb"
        let bad: JSONObject = ["Layout": text, "Color": text, "Limit": text, "Methods": ["\u{202E}": text]]
        let settings = Configuration(.checkout(bad)).settings(Hostile.self)
        let refusals = [
            settings.$layout.refusal, settings.$color.refusal, settings.$limit.refusal, settings.$methods.refusal,
        ]
        for refusal in refusals.map({ $0?.description ?? "" }) {
            #expect(refusal.contains("\\u202E"), "\(refusal)")
            #expect(!refusal.unicodeScalars.contains("\u{202E}"), "\(refusal)")
            #expect(!refusal.contains("\n"))
        }
    }

    @Test("A section shows overrides; a refusal of one with several violations shows the value once")
    func aRefusalNamesTheValueOnce() {
        struct Both: SettingsSection {
            static let section = "Checkout"
            @Setting("Limit", in: 1...5, choices: [1, 5]) var limit = 5
        }
        var overrides = LocalOverrides()
        overrides.set("Checkout", "Limit", 9)
        overrides.set("Checkout", "MaxItems", 9)
        let configuration = Configuration(.checkout([:]), overrides: overrides)
        let checkout = configuration.settings(CheckoutSample.self)
        #expect(checkout.maxItems == 9)
        #expect(checkout.$maxItems.source == .override)
        let both = configuration.settings(Both.self)
        #expect(
            both.$limit.refusal?.description
                == "Checkout.Limit: expected at most 5 and one of 1, 5, found 9; correct the override on this device")
    }

    @Test("Ranges constrain optional numbers")
    func rangesOfOptionalNumbers() throws {
        struct Optional: SettingsSection {
            static let section = "Checkout"
            @Setting("Limit", in: 1...5) var limit: Int? = nil
            @Setting("Fee", in: 0..., suggestions: [2.5]) var fee: Double? = 1
        }
        _ = try SettingsCatalog(Optional.self)
        func settings(_ limit: JSONValue, _ fee: JSONValue) -> Optional {
            Configuration(.checkout(["Limit": limit, "Fee": fee])).settings(Optional.self)
        }
        #expect(settings(4, .null).limit == 4)
        #expect(settings(4, .null).fee == nil)
        #expect(settings(.null, 0).limit == nil)
        #expect(settings(.null, 0).$limit.refusal == nil)
        #expect(settings(6, -1).limit == nil)
        #expect(settings(6, -1).fee == 1)
        #expect(settings(6, -1).$limit.refusal?.violations.map(\.kind) == [.maximum])
        #expect(Optional().$limit.state.declaration.constraints.maximum == JSONNumber(5))
    }

    @Test("An exposure is reported once, and only by reading")
    func exposureIsReportedOnceAndByReadingAlone() {
        let recorder = ExposureLog()
        let configuration = Self.configuration(["MaxItems": 7, "Layout": "grid"], recorder: recorder)
        let checkout = configuration.settings(CheckoutSample.self)
        #expect(checkout.$maxItems.value == 7)
        #expect(checkout.$maxItems.assignments.first?.variant == "green")
        #expect(checkout.fee == 2.5)
        #expect(recorder.exposed.count == 0)
        #expect(checkout.maxItems == 7)
        #expect(checkout.layout == "grid")
        #expect(checkout.maxItems == 7)
        #expect(configuration.settings(CheckoutSample.self).maxItems == 7)
        #expect(recorder.exposed == ["checkout-button"])
        // Reading a setting whose value was refused is an exposure, too.
        let other = ExposureLog()
        let refused = Self.configuration(["MaxItems": 700], recorder: other).settings(CheckoutSample.self)
        #expect(refused.maxItems == 42)
        #expect(other.exposed.count == 1)
    }

    @Test("A section outlives its configuration")
    func sectionOutlivesItsConfiguration() {
        let recorder = ExposureLog()
        weak var storage: ConfigurationStorage?
        do {
            let checkout: CheckoutSample
            do {
                let configuration = Self.configuration(["MaxItems": 7], recorder: recorder)
                storage = configuration.storage
                checkout = configuration.settings(CheckoutSample.self)
            }
            #expect(recorder.exposed.count == 0)
            #expect(checkout.maxItems == 7)
            #expect(recorder.exposed.count == 1)
        }
        #expect(storage == nil)
    }

    @Test("A section is created once for a snapshot")
    func sectionIsMadeOnceForASnapshot() {
        struct Counting: SettingsSection {
            static let section = "Checkout"
            static let made = Mutex(0)
            @Setting("MaxItems") var maxItems = 0
            init() { Self.made.withLock { $0 += 1 } }
        }
        let configuration = Configuration(.checkout(["MaxItems": 7]))
        for _ in 0..<10 { #expect(configuration.settings(Counting.self).maxItems == 7) }
        #expect(Counting.made.withLock { $0 } == 1)
        #expect(Configuration(.checkout(["MaxItems": 8])).settings(Counting.self).maxItems == 8)
    }

    /// A section whose initialiser reads another snapshot.
    struct Outer: SettingsSection {
        static let section = "Checkout"
        static let other = Configuration(
            ConfigurationDocument(sections: ["Search": ["PageSize": 48], "Checkout": ["MaxItems": 1]], meta: [:]))
        let inner: SearchSample
        let innerCheckout: CheckoutSample
        @Setting("Before") var before = 0
        @Setting("After") var after = 0
        init() {
            inner = Self.other.settings(SearchSample.self)
            innerCheckout = Self.other.settings(CheckoutSample.self)
            _after = Setting(wrappedValue: 0, "After")
        }
    }

    @Test("Creating a section while another is created does not mix their values")
    func nestedBindings() {
        let outer = Configuration(.checkout(["MaxItems": 7, "Before": 3, "After": 4])).settings(Outer.self)
        #expect(outer.before == 3)
        #expect(outer.after == 4)
        #expect(outer.inner.pageSize == 48)
        #expect(outer.innerCheckout.maxItems == 1)
        #expect(SettingsContext.current == nil)
    }

    @Test("Concurrent tasks create sections of their own snapshots")
    func manyTasksBindTheirOwnSnapshots() async {
        let recorder = ExposureLog()
        let shared = Self.configuration(["MaxItems": 50], recorder: recorder)
        await withTaskGroup(of: Bool.self) { group in
            for number in 1...100 {
                group.addTask {
                    let own = Configuration(.checkout(["MaxItems": .number(JSONNumber(number))]))
                    let both = (own.settings(CheckoutSample.self), shared.settings(CheckoutSample.self))
                    await Task.yield()
                    return both.0.maxItems == number && both.1.maxItems == 50
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(recorder.exposed.count == 1)
    }

    @Test("Settings are equal if their values are")
    func equalWhenValuesAre() {
        let left = Configuration(.checkout(["MaxItems": 42])).settings(CheckoutSample.self)
        #expect(left.$maxItems == CheckoutSample().$maxItems)
        #expect(left.$maxItems != CheckoutSample(maxItems: 7).$maxItems)
        let composed = CheckoutSample(note: "\u{e9}").$note
        #expect(composed != CheckoutSample(note: "e\u{301}").$note)
    }
}
