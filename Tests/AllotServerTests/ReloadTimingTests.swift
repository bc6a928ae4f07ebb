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

    /// A step, and its time in milliseconds.
    private struct Timed: Equatable {
        let at: Int
        let step: ReloadTiming.Step

        init(_ at: Int, _ step: ReloadTiming.Step) { (self.at, self.step) = (at, step) }
    }

    /// The steps within 12 seconds of a folder that changes at certain times.
    ///
    /// - Parameters:
    ///   - content: What a load finds at a time, as a number; `nil` if it finds nothing.
    ///   - pollsChange: Whether each poll notices a change.
    private func unrest(
        changes: (Int) -> Bool, pollsChange: Bool = false, content: (Int) -> Int?
    ) -> [Timed] {
        var timing = ReloadTiming(interval: .milliseconds(500))
        return stride(from: 0, to: 12_000, by: 25).compactMap { time in
            let now = Duration.milliseconds(time)
            var step = timing.step(at: now, hasChanged: changes(time))
            if step == .sample { step = timing.sampled(content(time), for: .zero, until: now) }
            if step == .poll { timing.polled(for: .zero, until: now, isHelped: false, hasChanged: pollsChange) }
            return [.wait, .poll].contains(step) ? nil : Timed(time, step)
        }
    }

    @Test("A folder that is touched all the time is published as soon as two loads in a row find the same")
    func touchedFolder() {
        let found = unrest(changes: { $0.isMultiple(of: 300) }, content: { _ in 1 })
        let expected = [
            Timed(25, .load), Timed(4000, .publish), Timed(4225, .load), Timed(8200, .publish), Timed(8425, .load),
        ]
        #expect(found == expected)
    }

    @Test("A change in the midst of that is published within five seconds")
    func changeAmongTouches() {
        for time in stride(from: 0, to: 4200, by: 100) {
            let found = unrest(changes: { $0.isMultiple(of: 300) }, content: { $0 < time ? 1 : 2 })
            let published = found.first { $0.step == .publish && $0.at >= time + 500 }
            #expect(published.map { $0.at <= time + 5000 } == true, "\(time): \(found)")
            #expect(!found.contains { $0.step == .report(isRead: true) })
        }
    }

    @Test("A folder whose content is another each time, or cannot be read, is reported once, and later published")
    func changingContent() {
        let contents: [(Int) -> Int?] = [{ $0 }, { _ in nil }]
        for content in contents {
            let found = unrest(changes: { $0.isMultiple(of: 300) }, content: content)
            #expect(found == [Timed(25, .load), Timed(5000, .report(isRead: content(0) != nil))])
        }
        let found = unrest(changes: { $0.isMultiple(of: 300) }, content: { min($0, 6000) })
        let expected = [
            Timed(25, .load), Timed(5000, .report(isRead: true)), Timed(6500, .publish), Timed(6625, .load),
            Timed(10_600, .publish), Timed(10_825, .load),
        ]
        #expect(found == expected)
        // The rest ends it, too.
        let copied = unrest(changes: { $0.isMultiple(of: 300) && $0 <= 6000 }, content: { $0 })
        let rested = [
            Timed(25, .load), Timed(5000, .report(isRead: true)), Timed(6500, .load), Timed(6525, .publish),
        ]
        #expect(copied == rested)
    }

    @Test("Changes that only polls notice are published in the same way")
    func polledChanges() {
        let touched = unrest(changes: { _ in false }, pollsChange: true, content: { _ in 1 })
        #expect(touched.first == Timed(4525, .publish))
        #expect(touched.allSatisfy { $0.step == .publish })
        let changed = unrest(changes: { _ in false }, pollsChange: true, content: { $0 })
        #expect(changed.count == 1)
        #expect(changed.first?.step == .report(isRead: true))
        #expect(changed.first.map { (5500...6000).contains($0.at) } == true)
        #expect(unrest(changes: { _ in false }, content: { _ in 1 }).isEmpty)
    }

    @Test("Samples of a large folder leave the processor to others")
    func largeSamples() {
        var timing = ReloadTiming(interval: .milliseconds(500))
        func step(_ time: Int) -> ReloadTiming.Step { timing.step(at: .milliseconds(time), hasChanged: true) }
        #expect([step(0), step(3499), step(3500)] == [.wait, .wait, .sample])
        #expect(timing.sampled(1, for: .seconds(2), until: .milliseconds(5500)) == .wait)
        #expect([step(5500), step(9499), step(9500)] == [.wait, .wait, .sample])
        let first = timing
        #expect(timing.sampled(1, for: .seconds(2), until: .milliseconds(11_500)) == .publish)
        // Only what was compared is reported.
        timing = first
        #expect(timing.sampled(2, for: .seconds(2), until: .milliseconds(11_500)) == .report(isRead: true))
    }

    @Test("Polls take a twentieth of the time at most where changes are noticed without them, else they keep pace")
    func pollsOfLargeFolders() {
        var timing = ReloadTiming(interval: .milliseconds(500))
        #expect(timing.step(at: .milliseconds(499), hasChanged: false) == .wait)
        #expect(timing.step(at: .milliseconds(500), hasChanged: false) == .poll)
        timing.polled(for: .milliseconds(60), until: .milliseconds(560), isHelped: true, hasChanged: false)
        #expect(timing.step(at: .milliseconds(1759), hasChanged: false) == .wait)
        #expect(timing.step(at: .milliseconds(1760), hasChanged: false) == .poll)
        timing.polled(for: .milliseconds(1), until: .milliseconds(1761), isHelped: true, hasChanged: false)
        #expect(timing.step(at: .milliseconds(2261), hasChanged: false) == .poll)
        timing.polled(for: .milliseconds(60), until: .milliseconds(2321), isHelped: false, hasChanged: false)
        #expect(timing.step(at: .milliseconds(2821), hasChanged: false) == .poll)
    }
}
