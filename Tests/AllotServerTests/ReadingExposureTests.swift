import AllotConfiguration
import AllotCore
import AllotExposures
import AllotServing
import Logging
import TestSupport
import Testing

/// Exposures of settings that a backend reads.
struct ReadingExposureTests {
    @Test("The exposures of a reading are stored, and those of a setting that no experiment compares are none")
    func stored() async throws {
        let folder = try TemporaryFolder()
        let store = try ExposureStore(folder.path("exposures.sqlite"))
        let plan = try Fixture.plan()
        let plans = PlanStore(plan, loadedAt: Fixture.instant)
        let exposures = ExposureService(store, plans: plans, logger: Logger(label: "tests"))
        let subject = Subject(id: "tester")
        let color = try plan.reading("Page", "Color", as: String.self, for: subject, at: Fixture.instant)
        #expect(color.value == "green")
        for _ in 0..<2 { try await exposures.record(color) }
        let title = try plan.reading("Page", "Title", as: String.self, for: subject, at: Fixture.instant)
        try await exposures.record(title)
        let found = try await store.exposures(ofUnit: "tester")
        #expect(found.map(\.variant) == ["green"])
        #expect(found.map(\.reason) == ["forced"])
        #expect(found.map(\.revision) == [plan.experiments[plan.index(of: "button") ?? 0].revision])
        await store.shutdown()
        await #expect(throws: ExposureStoreError.closed) { try await exposures.record(color) }
        try await exposures.record(title)
        withExtendedLifetime(folder) {}
    }
}
