import Testing

@testable import AllotServing

struct ReloadTimingTests {
    /// Timelines of a folder: a time in milliseconds, with "!" if the folder has changed, and the step then.
    @Test(
        "A folder is loaded a moment after a change, and published when it was still for the interval",
        arguments: [
            "100 wait, 125! wait, 140 wait, 150 load, 400 wait, 624 wait, 625 publish, 1124 wait, 1125 poll",
            // The load takes longer than the interval.
            "100! wait, 125 load, 2000 publish",
            // A folder that changes again is loaded after the interval only.
            "100! wait, 125 load, 300! wait, 400 wait, 799 wait, 800 load, 825 publish",
            // After a publication, the next change is loaded after a moment again.
            "100! wait, 125 load, 200! wait, 700 load, 725 publish, 900! wait, 925 load",
        ])
    func restingFolder(timeline: String) {
        var timing = ReloadTiming(interval: .milliseconds(500))
        let found = timeline.split(separator: ", ").map { entry in
            let event = entry.prefix { $0 != " " }
            let time = Int(event.prefix(while: \.isNumber)) ?? 0
            return "\(event) \(timing.step(at: .milliseconds(time), hasChanged: event.hasSuffix("!")))"
        }
        #expect(found.joined(separator: ", ") == timeline)
    }

    /// The steps within 12 seconds of a folder that changes at certain times.
    ///
    /// - Parameters:
    ///   - content: What a load finds at a time, as a number; `nil` if it finds nothing.
    ///   - pollsChange: Whether each poll notices a change.
    private func unrest(
        changes: (Int) -> Bool, pollsChange: Bool = false, content: (Int) -> Int?
    ) -> [(at: Int, step: ReloadTiming.Step)] {
        var timing = ReloadTiming(interval: .milliseconds(500))
        return stride(from: 0, to: 12_000, by: 25).compactMap { time in
            let now = Duration.milliseconds(time)
            var step = timing.step(at: now, hasChanged: changes(time))
            if step == .sample { step = timing.sampled(content(time), for: .zero, until: now) }
            if step == .poll { timing.polled(for: .zero, until: now, isHelped: false, hasChanged: pollsChange) }
            return [.wait, .poll].contains(step) ? nil : (at: time, step: step)
        }
    }

    private func text(_ steps: [(at: Int, step: ReloadTiming.Step)]) -> String {
        steps.map { "\($0.at) \($0.step)" }.joined(separator: ", ")
    }

    @Test("A folder that is touched all the time is published as soon as two loads in a row find the same")
    func touchedFolder() {
        let found = unrest(changes: { $0.isMultiple(of: 300) }, content: { _ in 1 })
        #expect(text(found) == "25 load, 4000 publish, 4225 load, 8200 publish, 8425 load")
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
        let touches: (Int) -> Bool = { $0.isMultiple(of: 300) }
        #expect(text(unrest(changes: touches) { $0 }) == "25 load, 5000 report(isRead: true)")
        #expect(text(unrest(changes: touches) { _ in nil }) == "25 load, 5000 report(isRead: false)")
        let settled = unrest(changes: touches) { min($0, 6000) }
        let steps = "25 load, 5000 report(isRead: true), 6500 publish, 6625 load, 10600 publish, 10825 load"
        #expect(text(settled) == steps)
        // The rest ends it, too.
        let copied = unrest(changes: { touches($0) && $0 <= 6000 }, content: { $0 })
        #expect(text(copied) == "25 load, 5000 report(isRead: true), 6500 load, 6525 publish")
    }

    @Test("Changes that only polls notice are published in the same way")
    func polledChanges() {
        let touched = unrest(changes: { _ in false }, pollsChange: true, content: { _ in 1 })
        #expect(touched.first?.at == 4525)
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
