import AllotConfiguration
import TestSupport
import Testing

@Suite(.blocks) struct HoldoutTests {
    private static let holdouts = "half: { share: 20%, experiments: [button, text] }\nfree: { share: 1%, unit: city }\n"

    private static let text = """
        status: running
        traffic: 30%
        audience: { country: DE }
        forced: { u7: b }
        variants: [{ key: a }, { key: b }]
        """

    /// Twenty weeks of units, with a number that is higher for those that are not held out.
    private static func users(_ count: Int = 3000) -> String {
        let rows = (0..<count).map { index in
            let day = index * 20 / count
            let country = index % 3 == 0 ? "FR" : "DE"
            return "u\(index),\(country),2026-11-\(day < 9 ? "0" : "")\(day + 1)T08:00:00Z,\(index % 17).5\n"
        }
        return "user_id,country,at,orders\n" + rows.joined()
    }

    private func workspace(_ users: String = users()) throws -> Workspace {
        try .withButton(and: [
            "Experiments/holdouts.yaml": Self.holdouts, "Experiments/text.yaml": Self.text, "users.csv": users,
            "Others/button.yaml": Workspace.button, "Others/base.json": Workspace.base(), "Others/text.yaml": Self.text,
        ])
    }

    @Test("Counts of both sides are those of allot assign with the holdout and without it")
    func counts() throws {
        let workspace = try workspace()
        func assigned(_ folder: String) throws -> [String: [String]] {
            _ = try workspace.run("assign", "users.csv", "-d", folder, "-o", "out.csv")
            return Dictionary(uniqueKeysWithValues: try workspace.rows().map { ($0[0], Array($0[4...])) })
        }
        // Each unit of button gets a variant unless it is held out.
        let (with, without) = (try assigned("Experiments"), try assigned("Others"))
        let held = Set(with.filter { $0.value[0].isEmpty }.keys)
        let result = try workspace.json("holdout", "half", "--data", "users.csv", "--metric", "orders")
        #expect(result["held_out"] == .int(held.subtracting(["u7"]).count))
        #expect(result["units"] == 2999)
        #expect(result["forced"] == 1)
        #expect(result["dilution"] == 1)
        for (experiment, key) in ["button", "text"].enumerated() {
            let variants = try #require(result["experiments"]?[experiment]?["variants"])
            #expect(result["experiments"]?[experiment]?["experiment"] == .string(key))
            for index in 0..<2 {
                let variant = try #require(variants[index])
                let units = without.filter {
                    .string($0.value[experiment]) == variant["variant"] && $0.key != "u7"
                }.map(\.key)
                #expect(variant["held_out"] == .int(units.count { held.contains($0) }))
                #expect(variant["others"] == .int(units.count { !held.contains($0) }))
            }
        }
    }

    @Test("A unit whose parts are too long together has no valid ID, as for the engine")
    func longUnits() throws {
        let half = String(repeating: "x", count: 600)
        let workspace = try Workspace.withButton(and: [
            "Experiments/holdouts.yaml": "half: { share: 50%, unit: [city, line], experiments: [button] }\n",
            "users.csv": "user_id,city,line\nu1,\(half),\(half)\nu2,bonn,U1\n",
        ])
        let result = try workspace.json("holdout", "half", "--data", "users.csv")
        #expect(result["invalid"] == 1)
        #expect(result["units"] == 1)
    }

    @Test("Shares of a holdout without data are exact, and those that its units get back")
    func planAlone() throws {
        let workspace = try workspace()
        let result = try workspace.json("holdout", "half")
        #expect(result["share"] == 0.2)
        #expect(result["units"] == nil)
        #expect(result["experiments"]?[1]?["variants"]?[0]?["share"] == 0.15)
        try workspace.run("holdout", "half").expectText(
            "half holds out 20% of units (user_id, salt half).", "text", "15%")
    }

    @Test("Weeks begin with the first day, and the ratio of each is tested")
    func weeks() throws {
        let result = try workspace().json("holdout", "half", "--data", "users.csv", "--at-column", "at")
        let ratios = try #require(result["ratios"])
        #expect((2..<5).map { ratios[$0]?["from"] } == ["2026-11-01", "2026-11-08", "2026-11-15"])
        #expect(ratios[5] == nil)
        let units = (2..<5).compactMap { ratios[$0]?["units"] }
        #expect(units == [1049, 1050, 900])
    }

    @Test("A side that lost units is a mismatch with status 2, and names the week")
    func mismatch() throws {
        let workspace = try workspace()
        _ = try workspace.run("assign", "users.csv", "-o", "out.csv")
        // In the second week one half of the held-out units has no row.
        let lost = Set(
            try workspace.rows().filter { $0[4].isEmpty && $0[2] >= "2026-11-08" && $0[2] < "2026-11-15" }.map { $0[0] }
                .enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
        let rows = Self.users().split(separator: "\n").filter { !lost.contains(String($0.prefix { $0 != "," })) }
        try workspace.write("users.csv", rows.joined(separator: "\n") + "\n")
        let outcome = try workspace.run("holdout", "half", "--data", "users.csv", "--at-column", "at")
        outcome.expectText("MISMATCH of the week from 2026-11-08", status: 2)
        for form in ["markdown", "html"] {
            let other = try workspace.run(
                "holdout", "half", "--data", "users.csv", "--at-column", "at", "--format", form)
            other.expectText("MISMATCH", status: 2)
            #expect(other.text.contains("<svg") == (form == "html"))
        }
    }

    @Test("Differences are those of a calculation by hand")
    func metric() throws {
        let workspace = try workspace()
        _ = try workspace.run("assign", "users.csv", "-o", "out.csv")
        let rows = try workspace.rows().filter { $0[0] != "u7" }
        func mean(_ isHeldOut: Bool) throws -> Double {
            let values = rows.filter { $0[4].isEmpty == isHeldOut }.compactMap { Double($0[3]) }
            return values.reduce(0, +) / Double(values.count)
        }
        let result = try workspace.json("holdout", "half", "--data", "users.csv", "--metric", "orders")
        let found = try #require(result["metrics"]?[0])
        let difference = try #require(found["difference"]?.double)
        #expect(abs(difference - (try mean(false) - mean(true))) < 1e-9)
        #expect(found["of"] == "all")
        #expect(result["metrics"]?[1]?["of"] == "touched")
        let (low, high) = (found["interval"]?[0]?.double, found["interval"]?[1]?.double)
        #expect(try #require(low) < difference && difference < #require(high))
    }

    /// With `hashlib`: first buckets of `half:c\\|0|0` and so on, and second ones of `route:c\\|0|0`.
    @Test("A unit of several attributes is joined from the columns of its parts")
    func joinedUnits() throws {
        let rows = (0..<400).map { "c|\($0 % 20),\($0 / 20),\($0 % 7)\n" }
        let route = "status: running\nunit: [city, line]\nvariants: [{ key: a }, { key: b }]\n"
        let workspace = try Workspace.withButton(and: [
            "Experiments/holdouts.yaml": "half: { share: 20%, unit: [city, line], experiments: [route] }\n",
            "Experiments/route.yaml": route, "users.csv": "city,line,orders\n" + rows.joined() + "c,,1\n",
        ])
        let result = try workspace.json("holdout", "half", "--data", "users.csv", "--metric", "orders")
        #expect(result["units"] == 400)
        #expect(result["held_out"] == 76)
        #expect(result["dilution"] == 1)
        let variant = try #require(result["experiments"]?[0]?["variants"]?[0])
        #expect(variant["held_out"] == 39)
        #expect(variant["others"] == 156)
        try workspace.run("holdout", "half", "--data", "users.csv", "--unit-column", "line").expectErrors(
            "has a column for each of them")
    }

    @Test("Dilution is that of recorded exposures where they are given")
    func exposures() throws {
        let workspace = try workspace()
        _ = try workspace.run("assign", "users.csv", "-o", "out.csv")
        let rows = try workspace.rows().filter { $0[0] != "u7" }
        let (held, rest) = (rows.filter { $0[4].isEmpty }.map { $0[0] }, rows.filter { !$0[4].isEmpty }.map { $0[0] })
        // Of the others one in ten met an experiment, some twice; forced ones, overrides and other experiments do not
        // count, and two held-out units met one as well.
        let met = rest.enumerated().filter { $0.offset % 10 == 0 }.map(\.element)
        let counted =
            met.map { "\($0),button,green,split,false" } + met.prefix(5).map { "\($0),text,b,split,false" }
            + held.prefix(2).map { "\($0),button,control,winner,false" }
        let uncounted = [
            "\(rest[1]),button,green,forced,false", "\(rest[2]),button,green,split,true",
            "\(rest[3]),city-test,a,split,false", "absent,button,green,split,false", ",button,green,split,false",
        ]
        let header = "unit,experiment,variant,reason,override"
        try workspace.write("met.csv", ([header] + uncounted + counted).joined(separator: "\n") + "\n")
        let words = ["holdout", "half", "--data", "users.csv"]
        let result = try workspace.json("holdout", "half", "--data", "users.csv", "--exposures", "met.csv")
        #expect(result["dilution_by"] == "exposure")
        #expect(result["others_exposed"] == .int(met.count))
        #expect(result["held_out_exposed"] == 2)
        let dilution = try #require(result["dilution"]?.double)
        #expect(abs(dilution - Double(met.count) / Double(rest.count)) < 1e-12)
        let plain = try workspace.json("holdout", "half", "--data", "users.csv")
        #expect(plain["dilution_by"] == "decision")
        #expect(plain["others_exposed"] == .null)
        #expect(plain["ratios"] == result["ratios"])
        try workspace.run(words + ["--exposures", "met.csv"]).expectFlatText(
            "of the other units met an experiment, by the exposures in met.csv: an effect on these is 0.1 of it",
            "100.00% of the other units get a variant of an experiment", "2 held-out units met one as well")
        try workspace.run(words + ["--exposures", "users.csv"]).expectErrors("has no column \"variant\"")
        try workspace.run("holdout", "half", "--exposures", "met.csv").expectErrors("goes with --data", status: 64)
    }

    @Test("Bad input is refused with its place, and nothing is written")
    func badInput() throws {
        let workspace = try workspace("user_id,country,orders\na,DE,1\nb,DE,much\n")
        func run(_ arguments: String...) throws -> Outcome {
            try workspace.run(["holdout", "half", "-o", "report.txt"] + arguments)
        }
        try run("--data", "users.csv", "--metric", "orders").expectErrors("users.csv:3:6: ", "is not a number")
        try run("--data", "users.csv", "--metric", "order").expectErrors("has no column \"order\"")
        try run("--data", "users.csv", "--unit-column", "id").expectErrors("has no column \"id\"")
        try run("--data", "users.csv", "--at-column", "country").expectErrors("users.csv:2:3: ")
        #expect(try run("--metric", "orders").status == 64)
        #expect(try !workspace.files.contains("report.txt"))
        try workspace.run("holdout", "hal").expectErrors("unknown holdout \"hal\"; did you mean \"half\"?")
        try workspace.run("holdout", "free").expectErrors("covers no experiment")
    }

    @Test("Rows that do not count are said")
    func leftOut() throws {
        let workspace = try workspace("user_id,country,orders\na,DE,1\nb,FR,\na,DE,1\n,DE,2\nu7,DE,3\n")
        let outcome = try workspace.run("holdout", "half", "--data", "users.csv", "--metric", "orders")
        outcome.expectFlatText(
            "1 row with a variant by force, 1 row with an ID that came before, 1 row with no valid ID",
            "1 unit without orders: left out.")
        try workspace.run("holdout", "half", "--data", "users.csv", "--metric", "orders").expectText("–")
    }
}
