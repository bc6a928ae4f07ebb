import AllotConfiguration
import AllotExposures
import Foundation
import TestSupport
import Testing

@Suite(.blocks) struct ExposuresTests {
    /// A folder with a store "store.sqlite".
    struct Stored {
        let workspace: Workspace

        init(_ exposures: [Exposure], name: String = "store.sqlite") async throws {
            workspace = try Workspace.withButton()
            try await add(exposures, to: name)
        }

        func add(_ exposures: [Exposure], to name: String = "store.sqlite") async throws {
            let store = try ExposureStore(path(name))
            _ = try await store.record(exposures)
            await store.shutdown()
        }

        func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

        func run(_ arguments: [String]) throws -> Outcome {
            try Program.run(["exposures"] + arguments, in: workspace.url)
        }

        func path(_ name: String) -> String {
            workspace.url.appending(path: name).path
        }
    }

    /// 2026-11-01T00:00:00Z plus some seconds.
    private static func exposure(
        _ unit: String, _ variant: String = "green", salt: String = "button", reason: String = "split",
        second: Int64 = 0
    ) -> Exposure {
        let at = (1_793_491_200 + second) * 1000
        var exposure = Exposure(unit: unit, experiment: "button", salt: salt, variant: variant, reason: reason, at: at)
        exposure.revision = "0123456789abcdef"
        return exposure
    }

    private static let header =
        "unit,experiment,salt,variant,revision,reason,override,at,received_at,doubt,reported_at,attributes,window\n"

    private static func row(_ exposure: Exposure) -> String {
        let at = Instant(milliseconds: exposure.at).text(.milliseconds)
        return "\(exposure.unit),button,\(exposure.salt),\(exposure.variant),0123456789abcdef,\(exposure.reason),false,"
            + "\(at),\(at),,,,\n"
    }

    @Test("An export overwrites neither the store nor its own cursor")
    func exportOverItself() async throws {
        let stored = try await Stored([Self.exposure("a")])
        let before = try Data(contentsOf: URL(fileURLWithPath: stored.path("store.sqlite")))
        for (path, option, file) in [
            ("store.sqlite", "-o", "the input itself"), ("./store.sqlite", "--cursor-file", "the input itself"),
            ("store.sqlite-wal", "-o", "a file of the store"),
        ] {
            try stored.run("export", "store.sqlite", option, path).expectFailure(
                "\(path) is \(file); name another file with \(option)")
        }
        try stored.run("export", "store.sqlite", "-o", "c", "--cursor-file", "./c").expectFailure(
            "./c is the output as well; name another file with --cursor-file")
        #expect(try Data(contentsOf: URL(fileURLWithPath: stored.path("store.sqlite"))) == before)
        #expect(!FileManager.default.fileExists(atPath: stored.path("c")))
    }

    @Test(
        "A store that does not exist, or is empty, is an error and is not made one",
        arguments: [
            ["check"], ["counts"], ["export"], ["merge", "new.sqlite"], ["purge", "--before", "2026-01-01T00:00:00Z"],
        ])
    func noStore(command: [String]) async throws {
        let stored = try await Stored([])
        try stored.workspace.write("empty", "")
        let fix = "name the file of allot-server's option --exposures"
        try stored.run(command + ["stroe.sqlite"]).expectFailure("there is no store stroe.sqlite; \(fix)")
        if ["merge", "counts"].contains(command[0]) {
            try stored.run(command + ["empty"]).expectFailure("empty is empty and not a store; \(fix)")
        }
        #expect(try stored.workspace.read("empty") == "")
        #expect(try !stored.workspace.files.contains { ["new.sqlite", "stroe.sqlite"].contains($0) })
    }

    @Test("A cursor file that cannot be read is reported, instead of exporting everything again, and a store too")
    func unseenCursor() async throws {
        let stored = try await Stored([Self.exposure("a")])
        try FileManager.default.createSymbolicLink(
            atPath: stored.path("loop"), withDestinationPath: stored.path("loop"))
        let result = try stored.run("export", "store.sqlite", "--cursor-file", "loop")
        #expect((result.status, result.text) == (1, ""))
        #expect(result.errors.hasPrefix("allot: cannot read loop: "), "\(result.errors)")
        let counts = try stored.run("counts", "loop")
        #expect((counts.status, counts.text) == (1, ""))
        #expect(counts.errors.hasPrefix("allot: cannot read loop: "), "\(counts.errors)")
    }

    @Test("A file that holds no cursor is an error", arguments: [[0xff], Array("-1".utf8), Array("x".utf8), []])
    func noCursor(bytes: [UInt8]) async throws {
        let stored = try await Stored([Self.exposure("a")])
        try Data(bytes).write(to: URL(fileURLWithPath: stored.path("c")))
        try stored.run("export", "store.sqlite", "--cursor-file", "c").expectFailure(
            "c holds no cursor; remove it for an export of all, or name another file")
    }

    @Test("Counts are shown by randomisation, variant and revision, and what is not counted apart")
    func counts() async throws {
        let stored = try await Stored([
            Self.exposure("a"), Self.exposure("b", second: 86_400), Self.exposure("c", "control"),
            Self.exposure("d", reason: "forced"), Self.exposure("a", "control", salt: "again"),
        ])
        try stored.run("counts", "store.sqlite").expectOutput(
            """
            button, salt again
                variant  units  revision          first exposures
                control      1  0123456789abcdef  2026-11-01T00:00Z to 2026-11-01T00:00Z

            button
                variant  units  revision          first exposures
                control      1  0123456789abcdef  2026-11-01T00:00Z to 2026-11-01T00:00Z
                green        1  0123456789abcdef  2026-11-01T00:00Z to 2026-11-01T00:00Z  not counted: forced
                green        2  0123456789abcdef  2026-11-01T00:00Z to 2026-11-02T00:00Z

            """)
        let lines = try stored.run("counts", "store.sqlite", "--format", "markdown").text.split(separator: "\n")
        #expect(lines[..<2] == ["#### button, salt again", "| variant | units | revision | first exposures |  |"])
    }

    @Test("Units of windows are counted as unit-windows")
    func countsOfWindows() async throws {
        let exposures = [(unit: "a", 0), ("a", 1), ("b", 0)].map { unit, window -> Exposure in
            var exposure = Self.exposure(unit)
            exposure.window = Int64(window)
            return exposure
        }
        var other = Self.exposure("a", "control", salt: "again")
        other.experiment = "banner"
        let stored = try await Stored(exposures + [other])
        try stored.run("counts", "store.sqlite").expectOutput(
            """
            banner, salt again
                variant  units  revision          first exposures
                control      1  0123456789abcdef  2026-11-01T00:00Z to 2026-11-01T00:00Z

            button
                variant  unit-windows  revision          first exposures
                green               3  0123456789abcdef  2026-11-01T00:00Z to 2026-11-01T00:00Z

            """)
        let lines = try stored.run("counts", "store.sqlite", "--format", "markdown").text.split(separator: "\n")
        #expect(lines.contains("| variant | unit-windows | revision | first exposures |  |"))
        let json = try JSONValue(parsing: Array(stored.run("counts", "store.sqlite", "--json").text.utf8))
        #expect(json.canonicalText.contains(#""variants":[{"units":3,"variant":"green"}]"#))
    }

    @Test("An export has what counts, or what does not; the next one goes on where it ended")
    func export() async throws {
        let (first, tester, later) = (Self.exposure("a"), Self.exposure("t", reason: "forced"), Self.exposure("b"))
        let stored = try await Stored([first, tester])
        try stored.run("export", "store.sqlite").expectOutput(Self.header + Self.row(first))
        try stored.run("export", "store.sqlite", "--not-counted").expectOutput(Self.header + Self.row(tester))
        for _ in 0..<2 {
            let result = try stored.run("export", "store.sqlite", "--cursor-file", "cursor", "-o", "new.csv")
            #expect(result.status == 0, "\(result.errors)")
            let cursor = try stored.workspace.read("cursor").split(separator: "\n")
            #expect(result.errors == "the next export goes on with --since \(cursor[0])\n")
            #expect(cursor.dropFirst() == [#"{"counted":true}"#])
        }
        #expect(try stored.workspace.read("new.csv") == Self.header)
        try await stored.add([later])
        _ = try stored.run("export", "store.sqlite", "--cursor-file", "cursor", "-o", "new.csv")
        #expect(try stored.workspace.read("new.csv") == Self.header + Self.row(later))
        let lines = try stored.run("export", "store.sqlite", "--format", "ndjson").text.split(separator: "\n")
        let line = try JSONValue(parsing: Array(lines[0].utf8))
        #expect(line["unit"]?.text == "a")
        #expect(line["override"] == false)
    }

    @Test("A cursor goes on for the selection that it is of, and for any if an older version wrote it")
    func cursorOfAnotherSelection() async throws {
        let stored = try await Stored([Self.exposure("a"), Self.exposure("b", salt: "again")])
        let export = ["export", "store.sqlite", "--cursor-file", "c"]
        let own = ["--experiment", "button", "--salt", "again"]
        #expect(try stored.run(export + ["-o", "out.csv"] + own).status == 0)
        let known = try stored.workspace.read("c")
        for options in [[], ["--experiment", "button"], own + ["--not-counted"], own.dropLast() + ["button"]] {
            try stored.run(export + options).expectFailure(
                #"c holds the cursor of another selection, {"counted":true,"experiment":"button","salt":"again"}, "#
                    + "after which rows of this one would be missing; name another file")
        }
        #expect(try stored.workspace.read("c") == known)
        #expect(try stored.run(export + ["-o", "out.csv"] + own).status == 0)
        try stored.workspace.write("c", "0\n")
        #expect(try stored.run(export + ["-o", "out.csv", "--experiment", "button"]).status == 0)
        #expect(try stored.workspace.read("out.csv").split(separator: "\n").count == 3)
        #expect(try stored.workspace.read("c").hasSuffix("\n{\"counted\":true,\"experiment\":\"button\"}\n"))
    }

    @Test("An export notes an experiment or a salt that the store has no exposure to")
    func nothingToExport() async throws {
        let stored = try await Stored([Self.exposure("a", reason: "forced")])
        let unknown = try stored.run("export", "store.sqlite", "--experiment", "buton")
        unknown.expectOutput(Self.header)
        #expect(
            unknown.errorLines.first
                == #"allot: note: the store has no exposure to "buton"; check the experiment's key"#)
        let salt = try stored.run("export", "store.sqlite", "--experiment", "button", "--salt", "x")
        #expect(
            salt.errorLines.first
                == #"allot: note: the store has no exposure to "button" with the salt "x"; it has "button""#)
        #expect(try stored.run("export", "store.sqlite", "--experiment", "button").errorLines.count == 1)
        try stored.run("counts", "store.sqlite", "--experiment", "buton").expectFailure(
            #"the store has no exposure to "buton"; check the experiment's key"#)
    }

    @Test("Stores are merged in any order, and merging again adds nothing")
    func merge() async throws {
        let stored = try await Stored([Self.exposure("a", second: 5), Self.exposure("b")], name: "one.sqlite")
        try await stored.add([Self.exposure("a", second: 2), Self.exposure("c")], to: "two.sqlite")
        try stored.run("merge", "all.sqlite", "one.sqlite", "two.sqlite").expectOutput(
            "one.sqlite: 2 new exposures, 0 known before\ntwo.sqlite: 1 new exposure, 1 known before\n")
        try stored.run("merge", "all.sqlite", "two.sqlite", "one.sqlite").expectOutput(
            "two.sqlite: 0 new exposures, 2 known before\none.sqlite: 0 new exposures, 2 known before\n")
        try stored.run("merge", "other.sqlite", "two.sqlite", "one.sqlite").expectOutput(
            "two.sqlite: 2 new exposures, 0 known before\none.sqlite: 1 new exposure, 1 known before\n")
        let (left, right) = (try stored.run("export", "all.sqlite"), try stored.run("export", "other.sqlite"))
        #expect(left.text.split(separator: "\n").sorted() == right.text.split(separator: "\n").sorted())
        #expect(left.text.contains(Self.row(Self.exposure("a", second: 2))))
    }

    /// Exposures of 2020, two of the experiment "other", one of which no definition has had, and none of which the
    /// definitions have.
    private static func old() -> [Exposure] {
        var exposures = ["a", "b", "c", "d"].enumerated().map { number, unit in
            exposure(unit, second: -200_000_000 + 86_400 * Int64(number))
        }
        for index in 2...3 { exposures[index].experiment = "other" }
        exposures[3].variant = "invented"
        exposures[3].confirmation = .nothing
        return exposures
    }

    /// By the options of `purge` what it says, the units that it deletes, and the sentence at its end.
    static let purges: [(options: [String], units: [String], end: String)] = [
        (["--before", "2020-06-30T00:00:00Z"], [], "0 exposures before 2020-06-30T00:00:00Z"),
        (
            ["--experiment", "other", "--experiment", "button"], ["a", "b", "c", "d"],
            #"4 exposures to "other", "button""#
        ),
        (
            ["--experiment", "other", "--before", "2020-07-03T00:00:00Z"], ["c"],
            #"1 exposure to "other" before 2020-07-03T00:00:00Z"#
        ),
        (["--unknown"], ["d"], "1 exposure to what no definition has had"),
        (["--unknown", "--experiment", "button"], [], #"0 exposures to "button" to what no definition has had"#),
        (
            ["--all", "--before", "9999-01-01T00:00:00Z"], ["a", "b", "c", "d"],
            "4 exposures before 9999-01-01T00:00:00Z"
        ),
    ]

    @Test("A purge says what it would delete, and deletes it with --write only", arguments: purges.indices)
    func purge(number: Int) async throws {
        let (options, units, end) = Self.purges[number]
        let exposures = Self.old()
        let stored = try await Stored(exposures)
        let command = ["purge", "store.sqlite"] + options
        let before = try stored.run("export", "store.sqlite").text
        let preview = try stored.run(command)
        #expect(preview.status == 0, "\(preview.errors)")
        let lines = preview.text.split(separator: "\n").map(String.init)
        #expect(lines.last == end + (units.isEmpty ? "" : ", not deleted yet; --write does it"))
        let experiments = Set(exposures.filter { units.contains($0.unit) }.map(\.experiment))
        #expect(lines.count == (units.isEmpty ? 1 : 2 + experiments.count))
        #expect(try stored.run("export", "store.sqlite").text == before)
        let written = try stored.run(command + ["--write"])
        #expect(written.text.split(separator: "\n").map(String.init).dropLast() == lines.dropLast())
        #expect(written.text.hasSuffix("\(end) deleted\n"))
        let left = try stored.run("export", "store.sqlite").text.split(separator: "\n").dropFirst()
        #expect(left.map { String($0.prefix { $0 != "," }) } == ["a", "b", "c", "d"].filter { !units.contains($0) })
    }

    @Test("A purge notes an experiment that the store has no exposure to, and prints what it has before it deletes")
    func misspeltPurge() async throws {
        let stored = try await Stored(Self.old())
        let note = #"allot: note: the store has no exposure to "buton"; check the experiment's key"#
        for options in [[], ["--json"], ["--write"]] {
            let purge = try stored.run(
                ["purge", "store.sqlite", "--experiment", "buton", "--experiment", "button"] + options)
            #expect(purge.status == 0)
            #expect(purge.errorLines == [note])
        }
        #expect(try stored.run("export", "store.sqlite").text.split(separator: "\n").count == 3)
        let full = try stored.workspace.shell(#""$ALLOT" exposures purge store.sqlite --all --write > /dev/full"#)
        #expect(full.status == 1)
        #expect(try stored.run("export", "store.sqlite").text.split(separator: "\n").count == 3)
    }

    @Test("A variant that the definitions have, or have had, is not unknown")
    func knownExposures() async throws {
        let stored = try await Stored(Self.old())
        try stored.workspace.write(
            "Experiments/other.yaml", "status: running\nvariants: [{ key: green }, { key: invented }]\n")
        // Their salt is "button".
        try stored.run("purge", "store.sqlite", "--unknown").expectOutput(
            """
            experiment  exposures  first              last
            other               1  2020-07-03T04:26Z  2020-07-03T04:26Z

            1 exposure to what no definition has had, not deleted yet; --write does it

            """)
        try stored.workspace.write(
            "Experiments/other.yaml",
            "status: running\nsalt: other-1\nvariants: [{ key: green }, { key: invented }]\n")
        var exposure = Self.exposure("e", "invented", salt: "other-1", second: -200_000_000)
        exposure.experiment = "other"
        exposure.confirmation = .nothing
        try await stored.add([exposure])
        #expect(try stored.run("purge", "store.sqlite", "--unknown", "--write").text.hasPrefix("experiment"))
        #expect(try stored.run("export", "store.sqlite", "--experiment", "other").text.contains("\ne,other,other-1,"))
        let missing = try stored.run("purge", "store.sqlite", "--unknown", "--definitions", "none")
        #expect((missing.status, missing.text) == (1, ""), "\(missing.errors)")
        #expect(missing.errors.hasPrefix("allot: "), "\(missing.errors)")
    }

    @Test("An erasure leaves the units of which the erased one is a part")
    func erasureOfAPart() async throws {
        let stored = try await Stored([Self.exposure("u1"), Self.exposure("u1|bonn"), Self.exposure("u1|berlin")])
        for unit in ["u1", "u1|bonn"] { #expect(try stored.run("erase", "store.sqlite", unit, "--write").status == 0) }
        #expect(
            try stored.run("export", "store.sqlite").text == Self.header + Self.row(Self.exposure("u1|berlin")))
    }

    @Test("An erasure says what it would delete, and deletes it with --write only")
    func erasure() async throws {
        let stored = try await Stored(Self.old() + [Self.exposure("a", "control", second: -200_000_000)])
        let table = """
            experiment  exposures  first              last
            button              2  2020-06-30T04:26Z  2020-06-30T04:26Z


            """
        for _ in 0..<2 {
            try stored.run("erase", "store.sqlite", "a").expectOutput(
                table + "2 exposures of \"a\", not deleted yet; --write does it\n")
        }
        try stored.run("erase", "store.sqlite", "a", "--write").expectOutput(table + "2 exposures of \"a\" deleted\n")
        try stored.run("erase", "store.sqlite", "a").expectOutput("0 exposures of \"a\"\n")
        try stored.run("erase", "store.sqlite", "a", "--write").expectOutput("0 exposures of \"a\" deleted\n")
        #expect(try stored.run("export", "store.sqlite").text.split(separator: "\n").count == 4)
    }

    @Test("A check finds what SQLite finds")
    func check() async throws {
        let stored = try await Stored((0..<500).map { Self.exposure("unit \($0)") })
        try stored.run("check", "store.sqlite").expectOutput("store.sqlite: no damage found\n")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: stored.path("store.sqlite")))
        let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
        // A leaf of an index loses the number of its cells.
        let leaf = stride(from: bytes.count - pageSize, to: 0, by: -pageSize).first { bytes[$0] == 0x0a }
        let page = try #require(leaf)
        bytes.replaceSubrange(page + 3..<page + 5, with: Data(count: 2))
        try bytes.write(to: URL(fileURLWithPath: stored.path("store.sqlite")))
        let result = try stored.run("check", "store.sqlite")
        #expect(result.status == 2)
        #expect(!result.text.isEmpty)
        #expect(result.errors == "allot: store.sqlite is damaged; restore it from a copy\n")
    }
}
