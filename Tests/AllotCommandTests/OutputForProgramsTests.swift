import AllotConfiguration
import AllotExposures
import Foundation
import TestSupport
import Testing

/// The article "Output for programs" lists the members of what commands print with `--json`, and
/// `Experiments/schema/output` has a schema for each command.
@Suite(.blocks) struct OutputForProgramsTests {
    /// What a command printed, with the name of its schema.
    private typealias Output = (schema: String, value: JSONValue)

    @Test(
        "What commands print is what their schemas say",
        .enabled(if: SchemaValidator.isAvailable, "no python3 with the module jsonschema"))
    func outputs() async throws {
        let groups: [[Output]] = try await [
            definitions(), explanations(), tests(), changes(), analyses(), exposures(), signaturesAndImports(),
            failures(),
        ]
        let outputs = groups.flatMap { $0 }
        #expect(try Set(outputs.map(\.schema)) == Set(SchemaValidator.outputSchemas().keys))
        // Two members are missing, and one is unknown.
        let faults = try SchemaValidator.faults(in: outputs + [("verify", ["other": 1])])
        #expect(faults.count == 3, "\(faults)")
    }

    @Test("The article lists the members that the schemas have, and no others")
    func article() throws {
        let schemas = try SchemaValidator.outputSchemas()
        let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Allot/Allot.docc/OutputForPrograms.md")
        var documented: Set<String> = []
        for section in try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n## ") {
            let lines = section.components(separatedBy: "\n")
            let names =
                lines[0].components(separatedBy: ", ").filter { $0.hasPrefix("allot ") }
                .map { String($0.dropFirst("allot ".count).replacing(" ", with: "-")) }
                + (lines[0] == "Failures" ? ["failure"] : [])
            let listed = Listed(lines)
            var allowed = Members(schemas: schemas, listed: listed.members)
            for name in names { try allowed.add(#require(schemas[name], "\(name)"), of: name) }
            let unlisted = allowed.members.filter { path in
                !listed.members.contains { $0 == path || $0.hasPrefix(path + ".") || $0.hasPrefix(path + "[]") }
            }
            #expect(unlisted.sorted() == [], "the schemas of \(lines[0]) have these")
            #expect(listed.members.subtracting(allowed.members).sorted() == [], "the article lists these: \(lines[0])")
            #expect(allowed.others.subtracting(allowed.followed) == Set(listed.others.keys), "\(lines[0])")
            for (other, members) in listed.others {
                let definitions = names.compactMap { name -> JSONValue? in schemas[name]?["$defs"]?[other] }
                let definition = try #require(definitions.first, "\(other)")
                #expect(Members.names(in: definition) == members, "\(lines[0]): \(other)")
            }
            documented.formUnion(names)
        }
        #expect(documented == Set(schemas.keys))
    }

    /// The rows of a section's tables.
    private struct Listed {
        var members: Set<String> = []
        /// The members of definitions whose place another row says, such as the steps of an explanation.
        var others: [String: Set<String>] = [:]

        init(_ lines: [String]) {
            var isOfMembers = false
            for line in lines where line.hasPrefix("| ") {
                let cells = line.split(separator: "|").map { $0.matches(of: /`([^`]+)`/).map { String($0.1) } }
                guard let names = cells.first, let first = names.first else {
                    isOfMembers = line.hasPrefix("| member |")
                    continue
                }
                if isOfMembers {
                    let prefix = first.lastIndex(of: ".").map { first[...$0] } ?? ""
                    members.formUnion([first] + names.dropFirst().map { prefix + $0 })
                } else {
                    others[first] = Set(cells[1].filter { !$0.hasPrefix("\"") })
                }
            }
        }
    }

    /// The members that schemas have, by their paths.
    private struct Members {
        let schemas: [String: JSONValue]
        let listed: Set<String>
        var members: Set<String> = []
        /// The definitions whose members are listed by their paths, and those that are only named somewhere.
        var followed: Set<String> = []
        var others: Set<String> = []

        init(schemas: [String: JSONValue], listed: Set<String>) {
            (self.schemas, self.listed) = (schemas, listed)
        }

        mutating func add(_ schema: JSONValue, of name: String, at path: String = "") throws {
            if case .string(let reference)? = schema["$ref"] {
                let parts = reference.components(separatedBy: "#")
                let file = parts[0].isEmpty ? name : parts[0].replacing(".json", with: "")
                let pointer = parts.dropFirst().joined(separator: "").split(separator: "/").map { String($0) }
                guard listed.contains(where: { $0.hasPrefix(path + ".") }) else {
                    if file == name { others.insert(pointer.last ?? "") }
                    return
                }
                followed.insert(pointer.last ?? "")
                let target = pointer.reduce(schemas[file]) { $0?[$1] }
                try add(#require(target, "\(reference)"), of: file, at: path)
            }
            if case .array(let forms)? = schema["anyOf"] {
                for form in forms { try add(form, of: name, at: path) }
            }
            if let items = schema["items"] { try add(items, of: name, at: path + "[]") }
            for member in schema["properties"]?.members ?? [] {
                let place = path.isEmpty ? member.key : "\(path).\(member.key)"
                members.insert(place)
                try add(member.value, of: name, at: place)
            }
        }

        /// The names of all members at any depth, without those of every step.
        static func names(in schema: JSONValue) -> Set<String> {
            var names = schema["items"].map { Self.names(in: $0) } ?? []
            for member in schema["properties"]?.members ?? [] {
                names.formUnion(Self.names(in: member.value).union([member.key]))
            }
            return names.subtracting(["step", "hash", "resolution"])
        }
    }

    /// What a command printed.
    private func printed(
        _ schema: String, _ outcome: Outcome, status: Int32 = 0, at location: SourceLocation = #_sourceLocation
    ) throws -> Output {
        #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: location)
        return (schema, try JSONValue(parsing: outcome.output))
    }

    private func definitions() throws -> [Output] {
        let distribution = ["distribution", "--generate", "2000", "--salts", "20", "--salt-units", "500", "--json"]
        return try [
            printed("list", Shop.run("list", "--json")),
            printed("show", Shop.run(["show", "--who", "--json"] + Shop.experiments)),
            printed("slots", Shop.run("slots", "checkout", "--json")),
            printed("slots", Shop.run("slots", "checkout", "--place", "1%", "--json")),
            printed("bucket", Program.run(["bucket", "s", "u", "--json"])),
            printed("bucket", Program.run(["bucket", "s", "u", "--hash", "unleash/1", "--json"])),
            printed("distribution", Shop.run(distribution)),
        ]
    }

    /// Failures of definitions, of the command line, and of what is not there.
    private func failures() throws -> [Output] {
        let workspace = try Workspace.withButton("status: runing\n")
        return try [
            printed("failure", workspace.run("list", "--json"), status: 1),
            printed("failure", workspace.run("show", "nothing", "-d", "none", "--json"), status: 1),
            printed("failure", workspace.run("list", "--format", "text", "--json"), status: 64),
            printed("failure", workspace.run("list", "--json", "-o", "list.json"), status: 1),
        ]
    }

    private func explanations() throws -> [Output] {
        let workspace = try Workspace.withButton()
        try workspace.write(
            "Experiments/button.yaml",
            try workspace.read("Experiments/button.yaml")
                + "\ntraffic: [{ share: 50%, from: 2026-11-20T00:00:00Z }]"
                + "\nperiod: { every: 1h, from: 2026-01-01T00:00Z }\n")
        var outputs = [
            try printed("explain", workspace.run("explain", "u", "--json")),
            try printed("show", workspace.run("show", "button", "--json")),
            try printed("explain", Shop.run("explain", "user-42", "contry=DE", "--json")),
        ]
        for id in ["user-7", "user-42", ""] {
            let subject = ["explain", id, "country=DE", "app_version=2.4.0", "is_pro=true"]
            outputs.append(try printed("explain", Shop.run(subject + ["--json"])))
        }
        return outputs
    }

    /// Also of files that are wrong, and of cases that fail.
    private func tests() throws -> [Output] {
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
        let right = [try printed("test", test(), status: 2), try printed("check", check())]
        try workspace.write("Experiments/button.yaml", "status: running\nvariants: [{ key: a, weight: -1 }]\n")
        return try right + [printed("test", test(), status: 1), printed("check", check(), status: 1)]
    }

    private func changes() throws -> [Output] {
        let workspace = try Workspace.withButton()
        let before = try workspace.read("Experiments/button.yaml")
        try workspace.write("Experiments/button.yaml", before + "\ntraffic: 10%\n")
        let steps = ["20%", "100%", "--from", "2026-12-01T09:00:00Z", "--every", "2d"]
        let ramp = try printed("ramp", workspace.run(["ramp", "button"] + steps + ["--json"]))
        try workspace.write("Experiments/button.yaml", before.replacing("running", with: "draft"))
        let shares = ["--shares", "control=20%,green=80%"]
        let reweight = try printed("reweight", workspace.run(["reweight", "button"] + shares + ["--json"]))
        try workspace.write("Experiments/button.yaml", before)
        try workspace.write("new/base.json", try workspace.read("Experiments/base.json").replacing("blue", with: "red"))
        try workspace.write(
            "new/button.yaml", before + "\nowner: o\ntraffic: 50%\naudience: { country: DE }\nforced: { a: control }\n")
        try workspace.write("users.csv", "user_id,country\na,DE\nb,DE\nc,FR\nd,FR\n")
        let diff = ["diff", "Experiments", "new", "--json"]
        return try [
            ramp, reweight, printed("diff", workspace.run(diff), status: 2),
            printed("diff", workspace.run(diff + ["--users", "users.csv"]), status: 2),
            printed("history", ShopHistory.run("history", "button", "--json")),
        ]
    }

    private func analyses() throws -> [Output] {
        let exposures = try Exposures(400)
        let run = { (arguments: [String], status: Int32) in
            try self.printed(
                "srm", exposures.workspace.run(["srm", "exposures.csv", "--json"] + arguments), status: status)
        }
        try exposures.export(exposures.units)
        var outputs = [try run([], 0)]
        var wrong = exposures.units.filter { $0.variant == "control" || $0.country != "DE" }
        wrong[0].variant = "blue"
        wrong[1].variant = wrong[1].variant == "green" ? "control" : "green"
        var other = wrong[2]
        other.variant = other.variant == "green" ? "control" : "green"
        try exposures.export(wrong + [wrong[0], other], others: "x,green,other,2026-11-20T00:00:00Z,\n")
        let shares = ["--experiment", "button", "--shares", "control=1,green=1"]
        outputs += [try run([], 2), try run(shares, 2)]
        let rows = exposures.units.sorted { $0.variant < $1.variant }.map { "\($0.id),\($0.variant),button\n" }
        try exposures.workspace.write("exposures.csv", "unit,variant,experiment\n" + rows.joined())
        outputs.append(try run(shares + ["--time-order"], 0))
        let ramp = ["--units-per-day", "2000", "--ramp", "1%,10%,50%,100%", "--every", "2d"]
        for options in [[], ramp] {
            let power = ["power", "--baseline", "10%", "--effect", "1%", "--json"]
            outputs.append(try printed("power", Program.run(power + options)))
        }
        let held = try Workspace.withButton(and: [
            "Experiments/holdouts.yaml": "half: { share: 50% }\n",
            "users.csv": "user_id,at,n\na,2026-11-01T00:00:00Z,1\n",
            "exposures.csv": "unit,experiment,variant\na,button,green\n",
        ])
        let data = ["--data", "users.csv", "--at-column", "at", "--metric", "n"]
        for options in [[], data, data + ["--exposures", "exposures.csv"]] {
            let holdout = ["holdout", "half", "-d", "Experiments", "--json"]
            outputs.append(try printed("holdout", Program.run(holdout + options, in: held.url)))
        }
        let users = (0..<200).map { "u\($0),2026-11-\($0 < 100 ? "01" : "10")T00:00:00Z,\($0 % 7),\($0 % 9)\n" }
        try exposures.workspace.write("users.csv", "user_id,at,revenue,old\n" + users.joined())
        let plan = ["power", "button", "--data", "users.csv", "--metric", "revenue", "--json"]
        let options = ["--at-column", "at", "--before", "old", "--margin", "10%", "--replay", "--salts", "20"]
        for options in [[], options] {
            outputs.append(try printed("power", exposures.workspace.run(plan + options)))
        }
        let trips = (0..<40).map { "u,2026-11-01T\($0 % 10 + 10):30:00Z,\($0 * $0 % 7)\n" }
        let switchback = try Workspace.withButton(
            Workspace.button + "\nperiod: { every: 1h, from: 2026-12-01T00:00Z, balanced: true }\n",
            and: ["users.csv": "user_id,at,revenue\n" + trips.joined()])
        outputs.append(try printed("power", switchback.run(plan + ["--at-column", "at", "--washout", "10m"])))
        return try outputs + rerandomisations()
    }

    private func rerandomisations() throws -> [Output] {
        let workspace = try Workspace.withButton(Workspace.button.replacing("running", with: "draft"))
        let units = (0..<60).map { "u\($0),\($0 % 7),\($0 % 3 == 0 ? "" : "\($0 * 37 % 11)")\n" }.joined()
        try workspace.write("users.csv", "user_id,orders,visits\n\(units)")
        try workspace.write("outcomes.csv", "user_id,orders,visits\n\(units.replacing(",\n", with: ",4\n"))")
        let salt = ["salt", "button", "--users", "users.csv", "--balance", "orders,visits", "--json"]
        let test = ["rerandomise", "outcomes.csv", "--experiment", "button", "--users", "users.csv", "--json"]
        return try [
            printed("salt", workspace.run(salt + ["--tries", "3"])),
            printed("rerandomise", workspace.run(test + ["--metric", "orders", "--ratio", "visits", "--draws", "19"])),
            printed("salt", workspace.run(salt + ["--accept", "20%", "--write"])),
            printed(
                "rerandomise", workspace.run(test + ["--metric", "orders", "--adjust", "visits", "--draws", "19"])),
        ]
    }

    private func exposures() async throws -> [Output] {
        let at: Int64 = 1_793_491_200_000
        let both = [
            Exposure(unit: "u", experiment: "e", salt: "e", variant: "a", reason: "split", at: at),
            Exposure(unit: "t", experiment: "e", salt: "e", variant: "a", reason: "forced", at: at),
        ]
        let stored = try await ExposuresTests.Stored(both, name: "a.sqlite")
        try await stored.add(both, to: "b.sqlite")
        func run(_ command: String, _ arguments: String...) throws -> Output {
            try printed("exposures-\(command)", stored.run([command] + arguments + ["--json"]))
        }
        let counts = try run("counts", "a.sqlite")
        let checked = try run("check", "a.sqlite")
        let merged = try run("merge", "a.sqlite", "b.sqlite")
        #expect(merged.value == [["store": "b.sqlite", "stored": 0, "known": 2]])
        let instant: JSONValue = "2026-11-01T00:00:00.000Z"
        let parts: JSONValue = [["experiment": "e", "exposures": 1, "earliest": instant, "latest": instant]]
        let kept = try run("erase", "a.sqlite", "u")
        #expect(kept.value == ["unit": "u", "experiments": parts, "deleted": 0, "written": false])
        let erased = try run("erase", "a.sqlite", "u", "--write")
        #expect(erased.value == ["unit": "u", "experiments": parts, "deleted": 1, "written": true])
        let purged = try run("purge", "a.sqlite", "--all", "--before", "9999-01-01T00:00:00Z", "--write")
        #expect(
            purged.value == [
                "all": true, "before": "9999-01-01T00:00:00Z", "experiment": [], "unknown": false,
                "experiments": parts, "deleted": 1, "written": true,
            ])
        let chosen = try run("purge", "a.sqlite", "--experiment", "e", "--unknown")
        #expect(chosen.value["experiment"] == ["e"])
        #expect(chosen.value["unknown"] == true)
        #expect(chosen.value["all"] == false)
        return [counts, checked, merged, kept, erased, purged, chosen]
    }

    private func signaturesAndImports() throws -> [Output] {
        let workspace = try Workspace()
        let run = { (arguments: [String]) in try Program.run(arguments, in: workspace.url) }
        #expect(try run(["keys", "generate", "--key", "key.pem", "--public", "public.pem"]).status == 0)
        try workspace.write("values.json", #"{"Page": {"Color": "red"}}"#)
        let token = try run(["sign", "values.json", "--key", "key.pem", "--device", "d", "--app", "a"]).text
        let verify = ["verify", "--token", token.trimmingCharacters(in: .newlines), "--public", "public.pem", "--json"]
        let readout = #"{"readout":1,"settings":{"Page.Color":"red"},"user":"v","variants":{"button":"control"}}"#
        let device = try Workspace.withButton().run("device", readout, "--json")
        let rule = #"{"key": "e", "variations": ["a", "b"], "hashVersion": 2, "hashAttribute": "user_id"}"#
        let sticky = #"{"variations": [0, 1], "fallbackAttribute": "device"}"#
        try workspace.write(
            "features.json",
            #"{"features": {"color": {"defaultValue": "a", "rules": [\#(rule)]}, "s": {"defaultValue": 0, "rules": "#
                + #"[\#(sticky)]}}}"#)
        let imported = ["import", "growthbook", "features.json", "--skip-inexact", "-o", "Experiments", "--json"]
        try workspace.write("assigned.csv", "user_id,flag,variant\n1,color,a\n2,color,a\n3,color,a\n4,color,a\n")
        return try [
            printed("verify", run(verify)), printed("device", device), printed("import", run(imported)),
            printed("import-verify", run(["import-verify", "assigned.csv", "--json"]), status: 2),
        ]
    }
}
