import AllotExposures
import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import AllotCommand

/// Every example in the help of a command runs in a copy of the sample shop.
@Suite(.blocks) struct HelpExampleTests {
    /// A command line in the help of a command.
    struct Example: CustomTestStringConvertible {
        let line: String

        var testDescription: String { line }
    }

    /// The words that call a command, and those of all commands below it.
    static func calls(of command: any ParsableCommand.Type, _ words: [String] = []) -> [[String]] {
        [words]
            + command.configuration.subcommands.flatMap {
                calls(of: $0, words + [$0.configuration.commandName ?? ""])
            }
    }

    /// The lines below the heading, without descriptions: these come after two spaces, or are further to the right.
    static let examples = calls(of: AllotCommand.self).flatMap { words -> [Example] in
        let lines = Program.answer(words + ["--help"]).text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { !$0.hasPrefix("EXAMPLE") }.dropFirst().prefix { $0.hasPrefix("  ") }
            .filter { !$0.hasPrefix("   ") && $0.contains("allot ") }
            .map { line in
                let text = line.dropFirst(2)
                return Example(line: String(text[..<(text.firstRange(of: "  ")?.lowerBound ?? text.endIndex)]))
            }
    }

    /// Calls the program with sizes that a test has time for, and before the instants that examples name.
    private static let program = #"""
        #!/bin/sh
        case $1 in
        ramp | slots) exec "$ALLOT" "$@" --at \#(Shop.instant) ;;
        distribution)
            case $* in *.csv* | *--generate*) ;; *) set -- "$@" --generate 2000 ;; esac
            case $* in *--salts*) ;; *) set -- "$@" --salts 20 ;; esac
            exec "$ALLOT" $(echo "$@" | sed 's/ [0-9]\{5,\}/ 2000/g') --salt-units 500 ;;
        *) exec "$ALLOT" "$@" ;;
        esac

        """#

    /// The sample in a repository, and the files that examples name besides. Nothing changes it.
    private static let shop: Result<TestRepository, any Error> = Result {
        let shop = try TestRepository()
        let (files, root) = (FileManager.default, shop.url)
        let sample = Shop.folder.appending(path: "../../../../Experiments").standardizedFileURL
        func copy(to folder: String) throws {
            try files.createDirectory(at: root.appending(path: folder), withIntermediateDirectories: true)
            for name in try files.contentsOfDirectory(atPath: sample.path) where name.hasSuffix(".yaml") {
                try files.copyItem(at: sample.appending(path: name), to: root.appending(path: "\(folder)/\(name)"))
            }
        }
        try copy(to: "Experiments")
        try files.copyItem(at: sample.appending(path: "tests"), to: root.appending(path: "Experiments/tests"))
        try files.copyItem(at: sample.appending(path: "users.csv"), to: root.appending(path: "users.csv"))
        try shop.commit("Define the experiments", at: "2026-01-05T09:00:00Z")
        for command in [
            ["tag", "v12"], ["tag", "v13"], ["branch", "release"],
            ["update-ref", "refs/remotes/origin/main", "main"],
        ] {
            try shop.git(command)
        }
        for folder in ["old", "new", "definitions"] { try copy(to: folder) }

        let units = (0..<2000).map { "unit-\($0),\($0 % 3 == 0 ? "DE" : "US")\n" }.joined()
        let variants = (0..<200).map { $0 % 2 == 0 ? "control" : "green" }
        let visits = variants.enumerated().map { "u\($0),\($1),2026-11-21T12:00:00Z\n" }.joined()
        let outcomes = (1...200).map { "user-\(String($0 + 1000).dropFirst()),\($0 % 7)\n" }.joined()
        let texts: [String: String] = [
            "units.csv": "user_id,country\n\(units)", "players.csv": "player,country\n\(units)",
            "export.csv": "user_id,country\nunit-1,NULL\nunit-2,\\N\n", "sheet.csv": "user_id;country\nunit-1;DE\n",
            "outcomes.csv": "user_id,revenue\n\(outcomes)",
            "visits.csv": "user_id,variant,at\n\(visits)",
            "orders.csv": "variant\n\(variants.joined(separator: "\n"))\n",
            "counts.csv": "variant,count\ncontrol,2000\ngreen,1000\n",
            "values.json": #"{"Checkout": {"Steps": 1}}"#,
            "features.json": #"""
            {"features": {"color": {"defaultValue": "a", "rules": [{"key": "e", "variations": ["a", "b"],
            "hashVersion": 2, "hashAttribute": "id"}]}}}
            """#,
            "config.json": #"""
            {"flags": {"f": {"key": "f", "enabled": true, "variationType": "STRING", "totalShards": 10,
            "variations": {"v": {"key": "v", "value": "on"}}, "allocations": [{"key": "a", "splits": [{"variationKey":
            "v", "shards": [{"salt": "s", "ranges": [{"start": 0, "end": 5}]}]}]}]}}}
            """#,
            "bin/allot": Self.program, "bin/curl": "#!/bin/sh\ncat features.json\n",
            "bin/duckdb": "#!/bin/sh\ncat >duckdb.sql\n",
        ]
        for (name, text) in texts {
            try shop.write(text, to: name)
            guard name.hasPrefix("bin/") else { continue }
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(shop.path)/\(name)")
        }
        return shop
    }

    /// Scripts that an example which mentions a text needs first.
    private static let preparations: [(mention: String, script: String)] = [
        ("users.csv.gz", "gzip -k users.csv"),
        (
            "exposures.csv",
            """
            allot assign units.csv --experiment buy-button |
                awk -F, 'NR == 1 { print "unit,country,variant,experiment" }
                    NR > 1 && $3 { print $0 ",buy-button" }' >exposures.csv
            """
        ),
        (
            "import-verify assigned.csv",
            """
            allot assign units.csv --experiment buy-button |
                awk -F, 'NR == 1 { print "id,country,group,experiment" }
                    NR > 1 { print $0 ",buy-button" }' >assigned.csv
            """
        ),
        ("allot sign", "allot keys generate --key signing.pem && allot config user-42 >configuration.json"),
        ("allot keys export", "allot keys generate --key signing.pem --public signing.pub.pem"),
        (
            "allot verify",
            """
            allot keys generate --key signing.pem --public signing.pub.pem && cp signing.pub.pem new.pem
            allot keys generate --key other.pem --public old.pem && allot config user-42 >body
            allot sign body --key signing.pem >signature
            allot sign values.json --key signing.pem --device E621E1F8 --app shop >token
            """
        ),
        ("allot device", #"echo '{"readout": 1, "settings": {"Checkout.Steps": 3}}' >link.txt"#),
        ("CODEOWNERS", "mkdir .github && allot owners -o .github/CODEOWNERS"),
        ("ShopSettings", "mkdir -p Sources/App && allot generate swift -o Sources/App/ShopSettings.swift"),
        ("--check flags.json", "allot generate openfeature -o flags.json"),
    ]

    private static func run(_ script: String, in folder: URL) throws -> Outcome {
        try Outcome(
            of: URL(filePath: "/bin/sh"), ["-c", script], in: folder,
            environment: [
                "ALLOT": Program.url.get().path, "PATH": "\(folder.path)/bin:/usr/bin:/bin", "HOME": folder.path,
                "FEATURES_URL": "https://features.example",
            ])
    }

    @Test("Examples are found, and say everything that is typed")
    func examplesAreFound() {
        #expect(Self.examples.count > 75)
        #expect(Self.examples.allSatisfy { !$0.line.contains("...") && !$0.line.contains("…") })
    }

    @Test("An example runs on the sample", arguments: examples)
    func exampleRuns(example: Example) async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url.appending(path: "shop")
        try FileManager.default.copyItem(at: Self.shop.get().url, to: folder)
        if example.line.contains("allot.sqlite") {
            let store = try ExposureStore(folder.appending(path: "allot.sqlite").path)
            let exposure = Exposure(
                unit: "user-42", experiment: "buy-button", salt: "buy-button", variant: "green", reason: "split",
                at: 1_793_491_200_000)
            _ = try await store.record([exposure])
            await store.shutdown()
        }
        for (mention, script) in Self.preparations where example.line.contains(mention) {
            let prepared = try Self.run(script, in: folder)
            try #require(prepared.status == 0, "\(prepared.errors)")
        }
        let outcome = try Self.run(example.line, in: folder)
        // With 2 a command judges.
        #expect(outcome.status == 0 || outcome.status == 2, "\(outcome.errors)")
        withExtendedLifetime(temporary) {}
    }
}
