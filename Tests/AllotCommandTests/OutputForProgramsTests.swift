import AllotConfiguration
import AllotExposures
import Foundation
import TestSupport
import Testing

/// The article "Output for programs" lists the members of what commands print with `--json`.
@Suite(.blocks) struct OutputForProgramsTests {
    /// The lines of the article by the command that its headings name.
    private static let sections = Result {
        let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Allot/Allot.docc/OutputForPrograms.md")
        return try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n## ").map {
            $0.components(separatedBy: "\n")
        }
    }

    /// By section the members of which another table lists the contents, or whose contents are data.
    private static let elsewhere: [String: Set<String>] = [
        "allot diff": ["base", "experiments[].settings[].before", "experiments[].settings[].after"],
        "allot distribution": [
            "samples[].buckets[].test", "samples[].counts[].test", "samples[].counts[].first_buckets",
            "samples[].counts[].second_buckets", "samples[].counts[].independence", "samples[].pairs[].test",
            "samples[].aa.uniformity", "samples[].aa.levels[].test",
        ],
        "allot explain": ["experiments[].steps"],
        "allot history": ["changes[].reassignment", "changes[].problems"],
        "allot list": ["experiments"],
        "allot reweight, allot ramp": ["reassignment"],
        "allot show": ["[].variants[].changes[].base", "[].variants[].changes[].value"],
        "allot srm": ["comparisons[].units_in_several_variants.without", "comparisons[].cause.ineligible"],
        "allot test": ["problems"],
        "allot verify": ["payload"],
    ]

    /// The rows of a section's tables.
    private struct Listed {
        var members: Set<String> = []
        /// The members of each step of an explanation.
        var steps: [String: Set<String>] = [:]

        init(_ section: String) throws {
            let lines = try #require(
                try sections.get().first { $0[0] == section }, "the article has no section \(section)")
            var isOfSteps = false
            for line in lines where line.hasPrefix("| ") {
                let cells = line.split(separator: "|").map(Self.code)
                guard let names = cells.first, let first = names.first else {
                    isOfSteps = line.hasPrefix("| step |")
                    continue
                }
                if isOfSteps {
                    steps[first] = Set(cells[1].filter { !$0.hasPrefix("\"") })
                } else {
                    let prefix = first.lastIndex(of: ".").map { first[...$0] } ?? ""
                    members.formUnion([first] + names.dropFirst().map { prefix + $0 })
                }
            }
        }

        private static func code(_ text: Substring) -> [String] {
            text.matches(of: /`([^`]+)`/).map { String($0.1) }
        }
    }

    /// What a command printed.
    private func printed(
        _ outcome: Outcome, status: Int32 = 0, at location: SourceLocation = #_sourceLocation
    ) throws -> JSONValue {
        #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: location)
        return try JSONValue(parsing: outcome.output)
    }

    /// Expects that a section lists the members of what its command printed, and no others.
    ///
    /// - Parameter rare: those that are listed and that nothing of this has, or what contains them.
    private func expectListed(
        _ section: String, _ outputs: [JSONValue], rare: Set<String> = [],
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let listed = try Listed(section).members
        var paths: Set<String> = []
        for output in outputs { Self.addPaths(of: output, at: "", besides: Self.elsewhere[section] ?? [], to: &paths) }
        let unlisted = paths.filter { path in
            !listed.contains { $0 == path || $0.hasPrefix(path + ".") || $0.hasPrefix(path + "[]") }
        }
        #expect(unlisted.sorted() == [], "\(section) prints these", sourceLocation: location)
        func has(_ name: String, _ path: String) -> Bool {
            path == name || path.hasPrefix(name + ".") || path.hasPrefix(name + "[]")
        }
        let unprinted = listed.filter { path in !paths.contains(path) && !rare.contains { has($0, path) } }
        let common = rare.filter { name in
            let members = listed.filter { has(name, $0) }
            return members.isEmpty || !members.isDisjoint(with: paths)
        }
        #expect(unprinted.sorted() == [], "\(section) does not print these", sourceLocation: location)
        #expect(common.sorted() == [], "\(section) prints these, or does not list them", sourceLocation: location)
    }

    private static func addPaths(
        of value: JSONValue, at path: String, besides elsewhere: Set<String>, to paths: inout Set<String>
    ) {
        if elsewhere.contains(path) { return }
        if case .array(let elements) = value {
            for element in elements where !element.members.isEmpty {
                addPaths(of: element, at: path + "[]", besides: elsewhere, to: &paths)
            }
        }
        for member in value.members {
            let place = path.isEmpty ? member.key : "\(path).\(member.key)"
            paths.insert(place)
            addPaths(of: member.value, at: place, besides: elsewhere, to: &paths)
        }
    }

    /// Expects that the table of steps has the members of each step, and no others.
    private func expectStepsListed(_ outputs: [JSONValue]) throws {
        var found: [String: Set<String>] = [:]
        for case .array(let experiments)? in outputs.map({ $0["experiments"] }) {
            for case .array(let steps)? in experiments.map({ $0["steps"] }) {
                for step in steps {
                    guard case .string(let name)? = step["step"] else { continue }
                    found[name, default: []].formUnion(step.members.map(\.key).filter { $0 != "step" })
                    for case .array(let elements) in step.members.map(\.value) {
                        found[name, default: []].formUnion(elements.flatMap(\.members).map(\.key))
                    }
                }
            }
        }
        #expect(found == (try Listed("allot explain").steps))
    }

    @Test("What commands print of definitions")
    func definitions() throws {
        try expectListed("allot list", [printed(Shop.run("list", "--json"))])
        try expectListed("allot show", [printed(Shop.run(["show", "--who", "--json"] + Shop.experiments))])
        try expectListed(
            "allot slots", [printed(Shop.run("slots", "checkout", "--place", "1%", "--json"))],
            rare: ["hash", "resolution"])
        try expectListed(
            "allot bucket",
            [
                printed(Program.run(["bucket", "s", "u", "--json"])),
                printed(Program.run(["bucket", "s", "u", "--hash", "unleash/1", "--json"])),
            ])
        try expectListed(
            "allot distribution",
            [
                printed(
                    Shop.run(
                        "distribution", "--json", "--units", "2000", "--salts", "20", "--salt-units", "500"))
            ],
            rare: [
                "findings[].text", "findings[].sample", "findings[].p_value_corrected",
                "findings[].p_value_corrected_log10",
            ])
    }

    @Test("What `allot explain` prints")
    func explanations() throws {
        let workspace = try Workspace.withButton()
        try workspace.write(
            "Experiments/button.yaml",
            try workspace.read("Experiments/button.yaml")
                + "\ntraffic: [{ share: 50%, from: 2026-11-20T00:00:00Z }]\n")
        var outputs = [try printed(workspace.run("explain", "u", "--json"))]
        for id in ["user-7", "user-42", ""] {
            outputs.append(
                try printed(
                    Shop.run("explain", id, "country=DE", "app_version=2.4.0", "is_pro=true", "--json")))
        }
        outputs.append(try printed(Shop.run("explain", "user-42", "contry=DE", "--json")))
        try expectListed("allot explain", outputs)
        try expectStepsListed(outputs)
    }

    @Test("What `allot check` and `allot test` print, also of files that are wrong and of cases that fail")
    func tests() throws {
        let workspace = try Workspace.withButton()
        let cases = """
            at: 2026-11-21T12:00:00Z
            cases:
              - { name: good, unit: u, expect: { button: green } }
              - { name: other, unit: u, expect: { button: control } }
            """
        try workspace.write("Experiments/tests/page.yaml", cases)
        let test = { try Program.run(["test", "--json", "--coverage", "--mutate"], in: workspace.url) }
        let check = { try Program.run(["check", "--json", "--at", Shop.instant], in: workspace.url) }
        let (tested, checked) = (try printed(test(), status: 2), try printed(check()))
        try workspace.write("Experiments/button.yaml", "status: running\nvariants: [{ key: a, weight: -1 }]\n")
        try expectListed(
            "allot test", [tested, printed(test(), status: 1)], rare: ["cases[].findings[].circumstances"])
        try expectListed("allot check", [checked, printed(check(), status: 1)])
    }

    @Test("What commands print of changes")
    func changes() throws {
        let workspace = try Workspace.withButton()
        let before = try workspace.read("Experiments/button.yaml")
        try workspace.write("Experiments/button.yaml", before + "\ntraffic: 10%\n")
        let ramp = try printed(
            workspace.run("ramp", "button", "20%", "100%", "--from", "2026-12-01T09:00:00Z", "--every", "2d", "--json"))
        try workspace.write("Experiments/button.yaml", before.replacing("running", with: "draft"))
        let reweight = try printed(workspace.run("reweight", "button", "control=20%", "green=80%", "--json"))
        try expectListed("allot reweight, allot ramp", [ramp, reweight])
        try workspace.write("Experiments/button.yaml", before)
        try workspace.write("new/base.json", try workspace.read("Experiments/base.json").replacing("blue", with: "red"))
        try workspace.write(
            "new/button.yaml", before + "\nowner: o\ntraffic: 50%\naudience: { country: DE }\nforced: { a: control }\n")
        try workspace.write("users.csv", "user_id,country\na,DE\nb,DE\nc,FR\nd,FR\n")
        let diff = ["diff", "Experiments", "new", "--json"]
        try expectListed(
            "allot diff",
            [
                printed(workspace.run(diff), status: 2),
                printed(workspace.run(diff + ["--users", "users.csv"]), status: 2),
            ],
            rare: ["experiments[].returning"])
        try expectListed("allot history", [printed(ShopHistory.run("history", "button", "--json"))])
    }

    @Test("What `allot srm` and `allot power` print")
    func analyses() throws {
        let exposures = try Exposures(400)
        try exposures.export(exposures.units)
        let srm = ["srm", "exposures.csv", "--definitions", "Experiments", "--json"]
        let even = try printed(exposures.workspace.run(srm))
        var wrong = exposures.units.filter { $0.variant == "control" || $0.country != "DE" }
        wrong[0].variant = "blue"
        wrong[1].variant = wrong[1].variant == "green" ? "control" : "green"
        var other = wrong[2]
        other.variant = other.variant == "green" ? "control" : "green"
        try exposures.export(wrong + [wrong[0], other], others: "x,green,other,2026-11-20T00:00:00Z,\n")
        let uneven = try printed(exposures.workspace.run(srm), status: 2)
        let shares = ["srm", "exposures.csv", "--experiment", "button", "--shares", "control=1,green=1", "--json"]
        let withoutDefinitions = try printed(exposures.workspace.run(shares), status: 2)
        let rows = exposures.units.sorted { $0.variant < $1.variant }.map { "\($0.id),\($0.variant),button\n" }
        try exposures.workspace.write("exposures.csv", "unit,variant,experiment\n" + rows.joined())
        let sorted = try printed(exposures.workspace.run(shares + ["--time-order"]))
        try expectListed(
            "allot srm", [even, uneven, withoutDefinitions, sorted],
            rare: [
                "comparisons[].cause.basis.missing_attributes", "comparisons[].cause.basis.status",
                "other_salts", "periods_not_tested", "comparisons[].localisation.source[].and",
                "comparisons[].cause.wrong_variants.source", "comparisons[].returning_units.alarm",
                "comparisons[].returning_units.p_value_returning", "comparisons[].returning_units.p_value_both",
                "comparisons[].returning_units.variants",
            ])
        let power = ["power", "--baseline", "10%", "--effect", "1%", "--json"]
        try expectListed(
            "allot power",
            [
                printed(Program.run(power)),
                printed(
                    Program.run(
                        power + ["--units-per-day", "2000", "--ramp", "1%,10%,50%,100%", "--every", "2d"])),
            ])
    }

    @Test("What commands on exposures print")
    func exposures() async throws {
        let at: Int64 = 1_793_491_200_000
        let both = [
            Exposure(unit: "u", experiment: "e", salt: "e", variant: "a", reason: "split", at: at),
            Exposure(unit: "t", experiment: "e", salt: "e", variant: "a", reason: "forced", at: at),
        ]
        let stored = try await ExposuresTests.Stored(both, name: "a.sqlite")
        try await stored.add(both, to: "b.sqlite")
        func run(_ arguments: String...) throws -> Outcome {
            try stored.run(arguments + ["--json"])
        }
        try expectListed("allot exposures counts", [printed(run("counts", "a.sqlite"))])
        let merged = try printed(run("merge", "a.sqlite", "b.sqlite"))
        #expect(merged == [["store": "b.sqlite", "stored": 0, "known": 2]])
        let instant: JSONValue = "2026-11-01T00:00:00.000Z"
        let parts: JSONValue = [["experiment": "e", "exposures": 1, "earliest": instant, "latest": instant]]
        let kept = try printed(run("erase", "a.sqlite", "u"))
        #expect(kept == ["unit": "u", "experiments": parts, "deleted": 0, "written": false])
        let erased = try printed(run("erase", "a.sqlite", "u", "--write"))
        #expect(erased == ["unit": "u", "experiments": parts, "deleted": 1, "written": true])
        let purged = try printed(run("purge", "a.sqlite", "--all", "--before", "9999-01-01T00:00:00Z", "--write"))
        #expect(
            purged == [
                "all": true, "before": "9999-01-01T00:00:00Z", "experiment": [], "unknown": false,
                "experiments": parts, "deleted": 1, "written": true,
            ])
        let chosen = try printed(run("purge", "a.sqlite", "--experiment", "e", "--unknown"))
        #expect(chosen["experiment"] == ["e"])
        #expect(chosen["unknown"] == true)
        #expect(chosen["all"] == false)
        try expectListed("allot exposures merge, purge, erase", [merged, kept, erased, purged])
    }

    @Test("What `allot verify`, `allot device` and `allot import` print")
    func signaturesAndImports() throws {
        let workspace = try Workspace()
        let run = { (arguments: [String]) in try Program.run(arguments, in: workspace.url) }
        #expect(try run(["keys", "generate", "--key", "key.pem", "--public", "public.pem"]).status == 0)
        try workspace.write("values.json", #"{"Page": {"Color": "red"}}"#)
        let token = try run(["sign", "values.json", "--key", "key.pem", "--device", "d", "--app", "a"]).text
        try expectListed(
            "allot verify",
            [
                printed(
                    run([
                        "verify", "--token", token.trimmingCharacters(in: .newlines), "--public", "public.pem",
                        "--json",
                    ]))
            ])
        let readout = #"{"readout":1,"settings":{"Page.Color":"red"},"user":"v","variants":{"button":"control"}}"#
        let shop = try Workspace.withButton()
        try expectListed("allot device", [printed(shop.run("device", readout, "--json"))])
        let rule = #"{"key": "e", "variations": ["a", "b"], "hashVersion": 2, "hashAttribute": "user_id"}"#
        let sticky = #"{"variations": [0, 1], "fallbackAttribute": "device"}"#
        try workspace.write(
            "features.json",
            #"{"features": {"color": {"defaultValue": "a", "rules": [\#(rule)]}, "s": {"defaultValue": 0, "rules": "#
                + #"[\#(sticky)]}}}"#)
        let imported = try printed(
            run(["import", "growthbook", "features.json", "--skip-inexact", "-o", "Experiments", "--json"]))
        try workspace.write("assigned.csv", "user_id,flag,variant\n1,color,a\n2,color,a\n3,color,a\n4,color,a\n")
        let verified = try printed(run(["import", "--verify", "assigned.csv", "--json"]), status: 2)
        try expectListed(
            "allot import", [imported, verified],
            rare: ["names[].count", "names[].experiment", "names[].now", "names[].recorded"])
    }
}
