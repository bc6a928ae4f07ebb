import AllotConfiguration
import AllotCore
import AllotDefinitions
import Testing

@testable import AllotProofs

/// Tests and statements of units of several attributes, and of windows.
struct WindowProofTests {
    private static var files: [String: String] {
        var files = Shop.files
        files["routes.yaml"] = """
            status: running
            unit: [city, line]
            period: { every: 1h, from: 2026-12-01T00:00Z, balanced: true }
            audience: { city: { $in: [berlin, bonn] } }
            variants: [{ key: slow }, { key: fast }]
            forced: { "berlin|U1": fast }
            """
        return files
    }

    /// The unit bonn|U9 is slow in window 0 or 1, and fast in the other one.
    @Test("A unit of several attributes is tested in the window of an instant")
    func oneUnit() throws {
        func isRight(_ instant: String, _ variant: String) throws -> Bool {
            try Shop.lines(
                "unit: { city: bonn, line: U9 }\nat: \(instant)\nexpect: { routes: \(variant) }", in: Self.files
            ).isEmpty
        }
        for instant in ["2026-12-01T00:10:00Z", "2026-12-01T01:10:00Z"] {
            #expect(try isRight(instant, "slow") != isRight(instant, "fast"))
        }
        #expect(try isRight("2026-12-01T00:10:00Z", "slow") == isRight("2026-12-01T01:10:00Z", "fast"))
        // Over both windows neither holds.
        let both = "unit: { city: bonn, line: U9 }\nfrom: 2026-12-01T00:00:00Z\nuntil: 2026-12-01T02:00:00Z\n"
        for variant in ["slow", "fast"] {
            #expect(try !Shop.lines(both + "expect: { routes: \(variant) }", in: Self.files).isEmpty)
        }
        #expect(try Shop.lines(both + "expect: { routes: [slow, fast] }", in: Self.files) == [])
    }

    @Test(
        "Statements about every unit of several attributes are proved",
        arguments: [
            "attributes: { city: bonn }\nshares: { routes: { slow: 45%, fast: 45% } }",
            "attributes: { city: berlin, line: U1 }\nexpect: { routes: fast }\nincludes_forced: true",
            "attributes: { city: paris }\nexpect: { routes: none }",
            "attributes: { city: berlin }\nbucket: { routes: 0 }\nexpect: { routes: slow }",
            "attributes: { city: null }\nexpect: { routes: none }",
            "attributes: { city: bonn }\nbucket: { routes: 0 }\nexpect: { routes: [slow, none] }",
        ])
    func proved(_ body: String) throws {
        var files = Self.files
        if body.contains("45%") { files["holdouts.yaml"] = "all: { share: 10%, unit: [city, line] }" }
        #expect(try Shop.lines("at: 2026-12-01T00:10:00Z\n" + body, in: files) == [])
    }

    /// At 01:30 the window 1 of `balanced`, the mirror image of window 0, and the windows 0 of the others hash "@0".
    @Test(
        "Windows of one salt and one hashed number are not taken for independent ones",
        arguments: [
            ("{ same: [a], other: [b] }", "0%"), ("{ same: [a], other: [a] }", "50%"),
            ("{ balanced: [a], other: [a] }", "0%"), ("{ balanced: [b], other: [a] }", "50%"),
        ])
    func dependentWindows(_ requirement: String, _ share: String) throws {
        var files = ["base.yaml": "config_sections: { P: { settings: { S: { value: 1 } } } }"]
        let periods = [
            ("same", "every: 1h, from: 2026-12-01T01:00Z"), ("other", "every: 2h, from: 2026-12-01T00:00Z"),
            ("balanced", "every: 1h, from: 2026-12-01T00:00Z, balanced: true"),
        ]
        for (name, period) in periods {
            files[name + ".yaml"] = """
                status: running
                salt: one
                period: { \(period) }
                variants: [{ key: a }, { key: b }]
                """
        }
        files["inner.yaml"] = "status: running\nrequires: \(requirement)\nvariants: [{ key: x }]"
        let body = "at: 2026-12-01T01:30:00Z\nshares: { inner: { x: \(share) } }"
        #expect(try Shop.lines(body, in: files) == [])
    }

    @Test("A span of time has the windows of every experiment")
    func instants() throws {
        var files = Self.files
        files["halves.yaml"] = """
            status: running
            period: { every: 30m, from: 2026-12-01T00:00Z }
            variants: [{ key: a }, { key: b }]
            """
        let plan = try Shop.load(files).plan
        let experiments = ["routes", "halves"].compactMap { plan.index(of: $0) }
        let start: Int64 = 1_796_083_200  // 2026-12-01T00:00:00Z
        let span = TestCase.Moments.during(Instant(seconds: start - 60), Instant(seconds: start + 7200))
        let offsets = span.instants(plan, deciding: experiments).map { $0.seconds - start }
        #expect(offsets == [-60, 0, 1800, 3600, 5400])
    }

    @Test("Mutants leave out what is before the first window, where no unit is enrolled")
    func mutants() throws {
        func words(_ head: String) throws -> [String] {
            var files = Self.files
            files["halves.yaml"] = """
                status: running
                \(head)
                period: { every: 30m, from: 2026-12-01T00:00Z }
                variants: [{ key: a }, { key: b }]
                """
            return MutantFactory(try Shop.load(files).definitions).mutants.filter { $0.name == "halves" }.map(\.words)
        }
        let starts = try words("starts: 2026-12-01T00:00Z").filter { $0.hasPrefix("starts") }
        #expect(starts == ["starts a second later"])
        let steps = [("2026-11-01T00:00:00Z", "10%"), ("2026-12-01T00:00:00Z", "20%"), ("2026-12-02T00:00:00Z", "30%")]
        let traffic = steps.map { "{ from: \($0), share: \($1) }" }.joined(separator: ", ")
        let shares = try words("traffic: [\(traffic)]").filter { $0.contains(" buckets instead of ") }
        #expect(shares.count { $0.hasPrefix("traffic from 2026-12-01") } == 2)
        #expect(!shares.contains { $0.hasPrefix("traffic from 2026-11-01") })
    }

    @Test("Mutants of a period are noticed at both sides of a window's start, and only made where they matter")
    func periodMutants() throws {
        func words(_ schedule: String, balanced: Bool = false) throws -> [String] {
            var files = Self.files
            files["halves.yaml"] = """
                status: running
                \(schedule)
                period: { every: 30m, from: 2026-12-01T00:00Z, balanced: \(balanced) }
                variants: [{ key: a }, { key: b }]
                """
            return MutantFactory(try Shop.load(files).definitions).mutants
                .filter { $0.name == "halves" && $0.words.hasPrefix("period: ") }.map { String($0.words.dropFirst(8)) }
        }
        let from = ["from a second earlier", "from a second later"]
        let all = ["windows a second shorter", from[0], "windows a second longer", from[1]]
        #expect(try words("ends: 2026-12-02T00:00Z") == all)
        #expect(try words("", balanced: true) == all + ["not balanced"])
        // In the only window the number is 0, whatever its length is.
        #expect(try words("ends: 2026-12-01T00:10Z", balanced: true) == from)
        #expect(try words("starts: 2026-12-01T00:10Z\nends: 2026-12-01T00:20Z", balanced: true) == [])
        #expect(try words("starts: 2026-12-01T00:40Z\nends: 2026-12-01T00:50Z", balanced: true) == ["not balanced"])

        func survivors(_ instants: [(String, String)]) throws -> [String] {
            let cases = instants.map { instant, variant in
                "  - { name: \"\(instant)\", at: \(instant), unit: { city: bonn, line: U9 }, "
                    + "expect: { routes: \(variant) } }\n"
            }
            let report = try Shop.tests("cases:\n" + cases.joined(), in: Self.files).run(mutates: true)
            #expect(report.count(.passed) == instants.count)
            return report.mutation?.survivors.map(\.words).filter { $0.hasPrefix("period: ") } ?? []
        }
        #expect(try survivors([("2026-12-01T00:30:00Z", "slow")]).count == 5)
        let sides = [
            ("2026-12-01T00:00:00Z", "slow"), ("2026-12-01T00:59:59Z", "slow"), ("2026-12-01T01:00:00Z", "fast"),
            ("2026-12-01T03:00:00Z", "slow"),
        ]
        #expect(try survivors(sides) == [])
    }

    @Test("A case with more windows than can be gone through is refused")
    func windowLimit() throws {
        var files = Self.files
        files["minutes.yaml"] = """
            status: running
            ends: 2027-12-01T00:00Z
            period: { every: 1m, from: 2026-12-01T00:00Z }
            variants: [{ key: a }, { key: b }]
            """
        func problems(_ until: String, _ body: String) throws -> [String] {
            let span = "from: 2026-01-01T00:00:00Z\nuntil: \(until)-01T00:00:00Z\n"
            return try Shop.problems(Shop.file(span + body), in: files)
        }
        let share = "shares: { minutes: { a: 50% } }"
        let years = try problems("2030-01", share)
        #expect(years.count == 1)
        let message =
            "there are 525600 windows from 2026-01-01T00:00:00Z until 2030-01-01T00:00:00Z, and a case goes through "
            + "100000 at most; shorten the time, or name instants with at (cases[0].until)"
        #expect(years.first?.contains(message) ?? false, "\(years)")
        #expect(try problems("2027-02", share) == [])
        let each = try problems("2027-02", share + "\neach: { country: [DE, US] }")
        #expect(each.first?.contains("there are 89280 windows") ?? false, "\(each)")
        #expect(each.first?.contains(" for each of 2 combinations, and a case ") ?? false, "\(each)")
        #expect(try problems("2030-01", "shares: { routes: { slow: 50% } }") == [])
        #expect(try problems("2030-01", "shares: { steps: { two: 10% } }") == [])
    }

    @Test("A fault of many windows is reported once between two boundaries")
    func repeatedFaults() throws {
        var files = Self.files
        files["halves.yaml"] = """
            status: running
            traffic: [{ from: 2026-12-01T00:00:00Z, share: 10% }, { from: 2026-12-01T06:00:00Z, share: 20% }]
            period: { every: 1h, from: 2026-12-01T00:00Z }
            variants: [{ key: a }, { key: b }]
            """
        let span = "from: 2026-12-01T00:00:00Z\nuntil: 2026-12-01T12:00:00Z\n"
        for (body, count) in [
            ("shares: { halves: { a: 7% } }", 2), ("unit: { city: bonn, line: U9 }\nexpect: { routes: slow }", 1),
        ] {
            let lines = try Shop.lines(span + body, in: files)
            #expect(lines.count { $0.contains(": failed: ") } == count, "\(lines)")
        }
    }

    @Test("An example of a refuted statement names the parts of its unit")
    func refuted() throws {
        let lines = try Shop.lines(
            "at: 2026-12-01T00:10:00Z\nattributes: { city: bonn }\nexpect: { routes: slow }", in: Self.files)
        #expect(lines.first?.contains("routes is fast (split), expected slow") ?? false, "\(lines)")
        #expect(lines.last?.contains("allot explain") ?? false, "\(lines)")
        #expect(lines.last?.contains("line=unit-") ?? false, "\(lines)")
        // One line of the city is forced, and others are not.
        let berlin = "at: 2026-12-01T00:10:00Z\nattributes: { city: berlin }\nexpect: { routes: "
        #expect(try Shop.lines(berlin + "fast }", in: Self.files).contains { $0.contains("slow (split)") })
        let reason = berlin + "{ reason: split } }"
        #expect(try Shop.lines(reason, in: Self.files) == [])
        let forced = try Shop.lines("includes_forced: true\n" + reason, in: Self.files)
        #expect(forced.contains { $0.contains("routes is fast (forced)") }, "\(forced)")
    }
}
