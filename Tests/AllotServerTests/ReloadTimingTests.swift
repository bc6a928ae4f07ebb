import Testing

@testable import AllotServing

struct ReloadTimingTests {
    /// The steps at times in milliseconds.
    private func steps(_ events: [(at: Int, hasChanged: Bool)]) -> [ReloadTiming.Step] {
        var timing = ReloadTiming(interval: .milliseconds(500))
        return events.map { timing.step(at: .milliseconds($0.at), hasChanged: $0.hasChanged) }
    }

    @Test("A change is loaded after a moment, and published when the folder was still for the interval")
    func oneChange() {
        let found = steps([
            (100, false), (125, true), (140, false), (150, false), (400, false), (624, false), (625, false),
            (1124, false), (1125, false),
        ])
        #expect(found == [.wait, .wait, .wait, .load, .wait, .wait, .publish, .wait, .poll])
    }

    @Test("What took longer to load than the interval is published at once")
    func largeFolder() {
        #expect(steps([(100, true), (125, false), (2000, false)]) == [.wait, .load, .publish])
    }

    @Test("What was loaded is not published if the folder changes again, which is then loaded after the interval only")
    func changesGoOn() {
        let found = steps([
            (100, true), (125, false), (300, true), (400, false), (799, false), (800, false), (825, false),
        ])
        #expect(found == [.wait, .load, .wait, .wait, .wait, .load, .publish])
    }

    @Test("After a publication the next change is loaded after a moment again")
    func publicationEndsPatience() {
        let found = steps([
            (100, true), (125, false), (200, true), (700, false), (725, false), (900, true), (925, false),
        ])
        #expect(found == [.wait, .load, .wait, .load, .publish, .wait, .load])
    }

    @Test("A folder that never stops changing is never loaded")
    func endlessChanges() {
        #expect(steps((1...100).map { ($0 * 20, true) }).allSatisfy { $0 == .wait })
    }

    @Test("Polls take a twentieth of the time at most where changes are noticed without them, else they keep pace")
    func pollsOfLargeFolders() {
        var timing = ReloadTiming(interval: .milliseconds(500))
        #expect(timing.step(at: .milliseconds(499), hasChanged: false) == .wait)
        #expect(timing.step(at: .milliseconds(500), hasChanged: false) == .poll)
        timing.polled(for: .milliseconds(60), until: .milliseconds(560), isHelped: true)
        #expect(timing.step(at: .milliseconds(1759), hasChanged: false) == .wait)
        #expect(timing.step(at: .milliseconds(1760), hasChanged: false) == .poll)
        timing.polled(for: .milliseconds(1), until: .milliseconds(1761), isHelped: true)
        #expect(timing.step(at: .milliseconds(2261), hasChanged: false) == .poll)
        timing.polled(for: .milliseconds(60), until: .milliseconds(2321), isHelped: false)
        #expect(timing.step(at: .milliseconds(2821), hasChanged: false) == .poll)
    }
}
