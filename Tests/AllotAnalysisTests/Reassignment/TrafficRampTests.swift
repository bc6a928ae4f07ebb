import AllotConfiguration
import AllotCore
import AllotReports
import TestSupport
import Testing

@testable import AllotAnalysis

struct TrafficRampTests {
    private static let now = Instant(seconds: 1000)

    private static func experiment(_ change: (inout ExperimentDefinition) -> Void = { _ in }) -> Plan.Experiment {
        var experiment = ExperimentDefinition.sample("button")
        change(&experiment)
        return Plan(Definitions([experiment])).experiments[0]
    }

    /// The steps as text, or the error.
    private static func ramp(
        _ shares: [Int], from start: Int64 = 2000, every: String = "100s", of experiment: Plan.Experiment
    ) throws -> String {
        let span = try #require(TimeSpan(every))
        do {
            let ramp = try TrafficRamp(
                shares, from: Instant(seconds: start), every: span, of: experiment, at: now)
            return ramp.traffic.steps.map { "\($0.from.seconds): \($0.share)" }.joined(separator: ", ")
        } catch {
            return "\(error)"
        }
    }

    @Test("A draft, and an experiment that has not started, begin with the first share")
    func newExperiments() throws {
        let draft = Self.experiment { $0.status = .draft }
        #expect(try Self.ramp([10_000, 100_000, 1_000_000], of: draft) == "2000: 10000, 2100: 100000, 2200: 1000000")
        let future = Self.experiment { $0.starts = Instant(seconds: 2000) }
        #expect(try Self.ramp([10_000], of: future) == "2000: 10000")
    }

    @Test("An experiment that enrols units keeps them until the ramp begins")
    func enrolledUnitsStay() throws {
        let tenth = Self.experiment { $0.traffic = .constant(100_000) }
        #expect(try Self.ramp([200_000], of: tenth) == "0: 100000, 2000: 200000")
        let started = Self.experiment {
            $0.traffic = .constant(100_000)
            $0.starts = Instant(seconds: 50)
        }
        #expect(try Self.ramp([200_000], of: started) == "50: 100000, 2000: 200000")
        let none = Self.experiment { $0.traffic = .constant(0) }
        #expect(try Self.ramp([200_000], of: none) == "2000: 200000")
    }

    @Test("Steps that have begun stay, and the others are replaced")
    func stepsAreReplaced() throws {
        let running = Self.experiment {
            $0.traffic = .steps([10: 10_000, 900: 20_000, 1500: 30_000, 3000: 40_000])
        }
        #expect(try Self.ramp([25_000, 50_000], of: running) == "10: 10000, 900: 20000, 2000: 25000, 2100: 50000")
    }

    @Test("Steps have the offset of the first instant")
    func offsets() throws {
        let start = try #require(Instant("2026-12-01T10:00:00+01:00"))
        let ramp = try TrafficRamp(
            [10_000, 100_000], from: start, every: #require(TimeSpan("1d")),
            of: Self.experiment { $0.status = .draft }, at: Self.now)
        #expect(
            ramp.added.map(\.from.writtenText) == ["2026-12-01T10:00:00+01:00", "2026-12-02T10:00:00+01:00"])
    }

    @Test("A ramp that does not rise, or comes too late, is an error")
    func refusals() throws {
        let half = Self.experiment { $0.traffic = .constant(500_000) }
        #expect(
            try Self.ramp([100_000], of: half)
                == "button enrols 50% already, so a step to 10% would make units leave; begin above 50%, or "
                + "set the traffic to 10% first")
        #expect(try Self.ramp([500_000], of: half) == "button enrols 50% already; leave 50% out")
        #expect(
            try Self.ramp([600_000, 600_000], of: half)
                == "60% is not above 60%; list the shares of a ramp in ascending order")
        for start: Int64 in [500, 1000] {
            let text = Instant(seconds: start).shortText
            let error = "button has begun already, so the first step must be after 1970-01-01T00:16:40Z, and not at "
            #expect(try Self.ramp([600_000], from: start, of: half) == error + "\(text); begin later")
        }
        let draft = Self.experiment { $0.status = .draft }
        #expect(try Self.ramp([600_000], from: 500, of: draft) == "500: 600000")
        #expect(try Self.ramp([0], of: draft) == "0% is not above 0%; list the shares of a ramp in ascending order")
        let ending = Self.experiment {
            $0.status = .draft
            $0.ends = Instant(seconds: 2100)
        }
        #expect(
            try Self.ramp([1, 2], of: ending)
                == "button ends at 1970-01-01T00:35:00Z, before the step to 0.0002% at 1970-01-01T00:35:00Z; choose a "
                + "shorter interval, or move the end")
        let over = Self.experiment { $0.status = .concluded }
        #expect(try Self.ramp([1], of: over) == "button is concluded, so its traffic decides nothing any more")
        #expect(try Self.ramp([1, 2, 3], from: 253_402_300_700, every: "1w", of: draft).contains("the year 9999"))
    }

    /// What a ramp does to an experiment that takes only units without a variant of the one that is ramped.
    @Test("The preview tells who enters, and who leaves experiments that require no variant")
    func preview() {
        var button = ExperimentDefinition.sample("button")
        button.traffic = .steps([10: 100_000, 20: 500_000])
        var banner = ExperimentDefinition.sample("banner")
        banner.requirements = [.init(experiment: "button", .noVariant)]
        let plan = Plan(Definitions([button, banner]))
        func lines(after seconds: Int64) -> [String] {
            TextRenderer().lines(RampReport(plan, experiment: 1, after: Instant(seconds: seconds)).blocks)
        }
        #expect(
            lines(after: 0) == [
                "Steps to come, of the units in the audience:",
                "    1970-01-01T00:00:10Z  button  0% → 10%   10% enter",
                "                          banner             90% stay, 10% leave",
                "    1970-01-01T00:00:20Z  button  10% → 50%  10% stay, 40% enter",
                "                          banner             50% stay, 40% leave",
                "Units move or leave in banner.",
            ])
        #expect(lines(after: 10).count == 4)
        #expect(lines(after: 20) == [])
    }

    /// Both steps come with a window of 10 seconds.
    @Test("The preview of an experiment with a period compares within one window")
    func previewOfWindows() {
        var button = ExperimentDefinition.sample("button")
        button.traffic = .steps([10: 100_000, 20: 500_000])
        button.draw?.period = Period(every: 10, from: Instant(seconds: 0))
        let lines = TextRenderer().lines(
            RampReport(Plan(Definitions([button])), experiment: 0, after: Instant(seconds: 0)).blocks)
        #expect(
            lines.prefix(3) == [
                "Steps to come, of the units in the audience:",
                "    1970-01-01T00:00:10Z  button  0% → 10%   10% enter",
                "    1970-01-01T00:00:20Z  button  10% → 50%  10% stay, 40% enter",
            ])
        #expect(lines.joined(separator: " ").contains("this is the effect within one"))
    }
}
