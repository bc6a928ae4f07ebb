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

    /// The paths in the first column of a section's tables, and all words in code, such as the members of steps.
    private struct Listed {
        var paths: Set<String> = []
        var words: Set<String> = []

        init(_ lines: [String]) {
            for line in lines {
                words.formUnion(Self.code(line[...]))
                guard line.hasPrefix("| `"), let cell = line.dropFirst(2).split(separator: "|").first else { continue }
                let names = Self.code(cell)
                let prefix = names[0].lastIndex(of: ".").map { names[0][...$0] } ?? ""
                paths.formUnion([names[0]] + names.dropFirst().map { prefix + $0 })
            }
        }

        private static func code(_ text: Substring) -> [String] {
            text.matches(of: /`([^`]+)`/).map { String($0.1) }
        }
    }

    /// Expects that a section lists every member of what a command printed.
    private func expectListed(
        _ section: String, _ outcome: Outcome, status: Int32 = 0, at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: location)
        let lines = try Self.sections.get().first { $0[0] == section }
        let listed = Listed(try #require(lines, "the article has no section \(section)", sourceLocation: location))
        check(try JSONValue(parsing: outcome.output), at: "", listed, section, location)
    }

    private func check(
        _ value: JSONValue, at path: String, _ listed: Listed, _ section: String, _ location: SourceLocation
    ) {
        if Self.elsewhere[section]?.contains(path) == true {
            #expect(listed.paths.contains(path), "\(section): \(path)", sourceLocation: location)
            return
        }
        switch value {
        case .object(let object):
            for member in object.members {
                let place = path.isEmpty ? member.key : "\(path).\(member.key)"
                check(member.value, at: place, listed, section, location)
            }
        case .array(let elements) where elements.contains { !$0.members.isEmpty }:
            for element in elements { check(element, at: path + "[]", listed, section, location) }
        default:
            let isListed = listed.paths.contains {
                $0 == path || $0.hasPrefix(path + ".") || $0.hasPrefix(path + "[]")
            }
            #expect(isListed, "\(section): \(path)", sourceLocation: location)
        }
    }

    /// Expects that the table of steps has the members of each step.
    private func expectStepsListed(_ outcome: Outcome, at location: SourceLocation = #_sourceLocation) throws {
        let listed = Listed(try #require(try Self.sections.get().first { $0[0] == "allot explain" }))
        guard case .array(let experiments)? = try JSONValue(parsing: outcome.output)["experiments"] else { return }
        for case .array(let steps)? in experiments.map({ $0["steps"] }) {
            for member in steps.flatMap(\.members) {
                #expect(listed.words.contains(member.key), "\(member.key)", sourceLocation: location)
            }
        }
    }

    @Test("What commands print of definitions")
    func definitions() throws {
        try expectListed("allot check", Program.run(["check", Shop.folder.path, "--json", "--at", Shop.instant]))
        try expectListed("allot list", Shop.run("list", "--json"))
        try expectListed("allot show", Shop.run(["show", "--json"] + Shop.experiments))
        try expectListed("allot slots", Shop.run("slots", "checkout", "--place", "1%", "--json"))
        try expectListed("allot bucket", Program.run(["bucket", "s", "u", "--json"]))
        try expectListed("allot bucket", Program.run(["bucket", "s", "u", "--hash", "unleash/1", "--json"]))
        for id in ["user-7", "user-42", ""] {
            let explained = try Shop.run(
                "explain", id, "country=DE", "app_version=2.4.0", "is_pro=true", "--json")
            try expectListed("allot explain", explained)
            try expectStepsListed(explained)
        }
        try expectListed(
            "allot distribution",
            Shop.run("distribution", "--json", "--units", "2000", "--salts", "20", "--salt-units", "500"))
    }

    @Test("What `allot check` and `allot test` print of files that are wrong, and of cases that fail")
    func tests() throws {
        let workspace = try Workspace.withButton()
        let cases = """
            at: 2026-11-21T12:00:00Z
            cases:
              - { name: good, unit: u, expect: { button: green } }
              - { name: other, unit: u, expect: { button: control } }
            """
        try workspace.write("Experiments/tests/page.yaml", cases)
        let command = ["test", "--json", "--coverage", "--mutate"]
        try expectListed("allot test", Program.run(command, in: workspace.url), status: 2)
        try workspace.write("Experiments/button.yaml", "status: running\nvariants: [{ key: a, weight: -1 }]\n")
        try expectListed("allot test", Program.run(command, in: workspace.url), status: 1)
        try expectListed("allot check", Program.run(["check", "--json"], in: workspace.url), status: 1)
    }

    @Test("What commands print of changes")
    func changes() throws {
        let workspace = try Workspace.withButton()
        let before = try workspace.read("Experiments/button.yaml")
        try workspace.write("Experiments/button.yaml", before.replacing("running", with: "draft"))
        let ramp = ["--from", "2026-12-01T09:00:00Z", "--every", "2d", "--json"]
        try expectListed("allot reweight, allot ramp", workspace.run(["ramp", "button", "1%", "100%"] + ramp))
        try expectListed(
            "allot reweight, allot ramp",
            workspace.run("reweight", "button", "control=20%", "green=80%", "--json"))
        try workspace.write("Experiments/button.yaml", before)
        try workspace.write("new/base.json", try workspace.read("Experiments/base.json").replacing("blue", with: "red"))
        try workspace.write(
            "new/button.yaml", before + "\nowner: o\ntraffic: 50%\naudience: { country: DE }\nforced: { a: green }\n")
        try workspace.write("users.csv", "user_id\na\nb\nc\nd\n")
        for users in [[], ["--users", "users.csv"]] {
            try expectListed(
                "allot diff", workspace.run(["diff", "Experiments", "new", "--json"] + users), status: 2)
        }
        try expectListed("allot history", ShopHistory.run("history", "button", "--json"))
    }

    @Test("What `allot srm` and `allot power` print")
    func analyses() throws {
        let exposures = try Exposures(400)
        try exposures.export(exposures.units)
        let srm = ["srm", "exposures.csv", "--definitions", "Experiments", "--json"]
        try expectListed("allot srm", exposures.workspace.run(srm))
        var wrong = exposures.units.filter { $0.variant == "control" || $0.country != "DE" }
        wrong[0].variant = "blue"
        wrong[1].variant = wrong[1].variant == "green" ? "control" : "green"
        try exposures.export(wrong + wrong.prefix(1), others: "x,green,other,2026-11-20T00:00:00Z,\n")
        try expectListed("allot srm", exposures.workspace.run(srm), status: 2)
        try expectListed(
            "allot srm",
            exposures.workspace.run(
                "srm", "exposures.csv", "--experiment", "button", "--shares", "control=1,green=1", "--json"),
            status: 2)
        let power = ["power", "--baseline", "10%", "--effect", "1%", "--json"]
        try expectListed("allot power", Program.run(power))
        try expectListed(
            "allot power",
            Program.run(power + ["--units-per-day", "2000", "--ramp", "1%,10%,50%,100%", "--every", "2d"]))
    }

    @Test("What commands on exposures print")
    func exposures() async throws {
        let workspace = try Workspace()
        for name in ["a.sqlite", "b.sqlite"] {
            let store = try ExposureStore(workspace.url.appending(path: name).path)
            let at: Int64 = 1_793_491_200_000
            _ = try await store.record([
                Exposure(unit: "u", experiment: "e", salt: "e", variant: "a", reason: "split", at: at),
                Exposure(unit: "t", experiment: "e", salt: "e", variant: "a", reason: "forced", at: at),
            ])
            await store.shutdown()
        }
        func run(_ arguments: String...) throws -> Outcome {
            try Program.run(["exposures"] + arguments + ["--json"], in: workspace.url)
        }
        try expectListed("allot exposures counts", run("counts", "a.sqlite"))
        let merged = try run("merge", "a.sqlite", "b.sqlite")
        try expectListed("allot exposures merge, purge, erase", merged)
        #expect(try JSONValue(parsing: merged.output) == [["store": "b.sqlite", "stored": 0, "known": 2]])
        let erased = try run("erase", "a.sqlite", "u")
        try expectListed("allot exposures merge, purge, erase", erased)
        #expect(try JSONValue(parsing: erased.output) == ["unit": "u", "deleted": 1])
        let purged = try run("purge", "a.sqlite", "--before", "2027-01-01T00:00:00Z")
        try expectListed("allot exposures merge, purge, erase", purged)
        #expect(try JSONValue(parsing: purged.output) == ["before": "2027-01-01T00:00:00Z", "deleted": 1])
    }

    @Test("What `allot verify` and `allot import` print")
    func signaturesAndImports() throws {
        let workspace = try Workspace()
        let run = { (arguments: [String]) in try Program.run(arguments, in: workspace.url) }
        #expect(try run(["keys", "generate", "--key", "key.pem", "--public", "public.pem"]).status == 0)
        try workspace.write("values.json", #"{"Page": {"Color": "red"}}"#)
        let token = try run(["sign", "values.json", "--key", "key.pem", "--device", "d", "--app", "a"]).text
        try expectListed(
            "allot verify",
            run([
                "verify", "--token", token.trimmingCharacters(in: .newlines), "--public", "public.pem", "--json",
            ]))
        let rule = #"{"key": "e", "variations": ["a", "b"], "hashVersion": 2, "hashAttribute": "user_id"}"#
        let sticky = #"{"variations": [0, 1], "fallbackAttribute": "device"}"#
        try workspace.write(
            "features.json",
            #"{"features": {"color": {"defaultValue": "a", "rules": [\#(rule)]}, "s": {"defaultValue": 0, "rules": "#
                + #"[\#(sticky)]}}}"#)
        try expectListed(
            "allot import",
            run(["import", "growthbook", "features.json", "--skip-inexact", "-o", "Experiments", "--json"]))
        try workspace.write("assigned.csv", "user_id,flag,variant\n1,color,a\n2,color,a\n3,color,a\n4,color,a\n")
        try expectListed("allot import", run(["import", "--verify", "assigned.csv", "--json"]), status: 2)
    }
}
