import AllotConfiguration
import Synchronization
import Testing

@testable import AllotClient

@Suite struct SettingsBindingTests {
    /// Keeps what is reported.
    final class Recorder: ExposureRecording {
        let experiments = Mutex<[String]>([])
        let recordsOnReading = true

        func record(_ assignment: Assignment, in configuration: Configuration) {
            experiments.withLock { $0.append(assignment.experiment) }
        }

        var count: Int { experiments.withLock { $0.count } }
    }

    static func configuration(_ settings: JSONObject, recorder: Recorder) -> Configuration {
        Configuration(
            .checkout(settings, isAssigned: true), user: .none, origin: .remote, fetchedAt: nil,
            overrides: LocalOverrides(), recorder: recorder)
    }

    @Test func defaultsWithoutConfiguration() {
        let checkout = CheckoutSample()
        #expect(checkout.maxItems == 42 && checkout.buttonColor == "#0000ff" && checkout.note == nil)
        #expect(checkout.$maxItems.source == .default && checkout.$maxItems.section == nil)
        #expect(checkout.$maxItems.refusal == nil && checkout.$maxItems.assignments == [])
        #expect(CheckoutSample(maxItems: 7).maxItems == 7)
    }

    @Test func values() {
        let configuration = Configuration(
            .checkout([
                "MaxItems": 7, "ButtonColor": "#00aa00", "Layout": "grid", "Fee": 3, "Note": "sale",
                "Methods": ["card", "paypal"],
            ]), origin: .stored)
        let checkout = configuration.settings(CheckoutSample.self)
        #expect(checkout.maxItems == 7 && checkout.buttonColor == "#00aa00" && checkout.layout == "grid")
        #expect(checkout.fee == 3 && checkout.note == "sale" && checkout.methods == ["card", "paypal"])
        #expect(checkout.$maxItems.source == .stored && checkout.$maxItems.defaultValue == 42)
        #expect(checkout.$maxItems.section == "Checkout" && checkout.$maxItems.key == "MaxItems")
        #expect(checkout.$maxItems.constraints.minimum == JSONNumber(1))
        #expect(checkout.$buttonColor.description == "Of the button that buys")
        let search = configuration.settings(SearchSample.self)
        #expect(search.ranking == .keyword && search.$ranking.source == .default && search.$pageSize.requiresRestart)
    }

    @Test func refusedValuesLeaveTheDefault() throws {
        let document = ConfigurationDocument.checkout([
            "MaxItems": 101, "ButtonColor": "#00AA00", "Layout": "tiles", "Fee": "3", "Note": .null,
            "Methods": ["a", 1],
        ])
        let checkout = Configuration(document).settings(CheckoutSample.self)
        #expect(checkout.maxItems == 42 && checkout.$maxItems.source == .default)
        let refusal = try #require(checkout.$maxItems.refusal)
        #expect(refusal.description == "Checkout.MaxItems is 101, above the maximum 100")
        #expect(refusal.value == 101 && refusal.source == .remote)
        #expect(checkout.$buttonColor.refusal?.violations.map(\.kind) == [.pattern])
        #expect(checkout.$layout.refusal?.violations.map(\.kind) == [.choices])
        #expect(checkout.$fee.refusal?.violations.map(\.kind) == [.type])
        #expect(checkout.$methods.refusal?.description.contains("[1]") == true)
        #expect(checkout.note == nil && checkout.$note.refusal == nil && checkout.$note.source == .remote)
    }

    @Test func overridesAreSeen() {
        var overrides = LocalOverrides()
        overrides.set("Checkout", "MaxItems", 9)
        let checkout = Configuration(.checkout([:]), overrides: overrides).settings(CheckoutSample.self)
        #expect(checkout.maxItems == 9 && checkout.$maxItems.source == .override)
    }

    @Test func exposureIsReportedOnceAndByReadingAlone() {
        let recorder = Recorder()
        let configuration = Self.configuration(["MaxItems": 7, "Layout": "grid"], recorder: recorder)
        let checkout = configuration.settings(CheckoutSample.self)
        #expect(checkout.$maxItems.value == 7 && checkout.$maxItems.assignment?.variant == "green")
        #expect(checkout.fee == 2.5)
        #expect(recorder.count == 0)
        #expect(checkout.maxItems == 7 && checkout.layout == "grid" && checkout.maxItems == 7)
        #expect(configuration.settings(CheckoutSample.self).maxItems == 7)
        #expect(recorder.experiments.withLock { $0 } == ["checkout-button"])
    }

    @Test func refusedValueIsAnExposureToo() {
        let recorder = Recorder()
        let checkout = Self.configuration(["MaxItems": 700], recorder: recorder).settings(CheckoutSample.self)
        #expect(checkout.maxItems == 42)
        #expect(recorder.count == 1)
    }

    @Test func sectionOutlivesItsConfiguration() {
        let recorder = Recorder()
        weak var storage: ConfigurationStorage?
        do {
            let checkout: CheckoutSample
            do {
                let configuration = Self.configuration(["MaxItems": 7], recorder: recorder)
                storage = configuration.storage
                checkout = configuration.settings(CheckoutSample.self)
            }
            #expect(recorder.count == 0)
            #expect(checkout.maxItems == 7)
            #expect(recorder.count == 1)
        }
        #expect(storage == nil)
    }

    @Test func sectionIsMadeOnceForASnapshot() {
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

    @Test func nestedBindings() {
        let outer = Configuration(.checkout(["MaxItems": 7, "Before": 3, "After": 4])).settings(Outer.self)
        #expect(outer.before == 3 && outer.after == 4)
        #expect(outer.inner.pageSize == 48 && outer.innerCheckout.maxItems == 1)
        #expect(SettingsContext.current == nil)
    }

    @Test func manyTasksBindTheirOwnSnapshots() async {
        let recorder = Recorder()
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
        #expect(recorder.count == 1)
    }

    @Test func equalWhenValuesAre() {
        let left = Configuration(.checkout(["MaxItems": 42])).settings(CheckoutSample.self)
        #expect(left.$maxItems == CheckoutSample().$maxItems)
        #expect(left.$maxItems != CheckoutSample(maxItems: 7).$maxItems)
        let composed = CheckoutSample(note: "\u{e9}").$note
        #expect(composed != CheckoutSample(note: "e\u{301}").$note)
    }
}
