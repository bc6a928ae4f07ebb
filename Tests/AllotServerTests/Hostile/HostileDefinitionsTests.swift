import AllotConfiguration
import AllotDefinitions
import AllotFiles
import Foundation
import TestSupport
import Testing

/// Definitions that change, also while they are read, and empty folders, under a real server.
@Suite(.runsServer, .mayHang) struct HostileDefinitionsTests {
    @Test("Changes of definitions are applied or reported")
    func changesAreWatched() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        let first = try server.definitions()["revision"]
        let steps: [(text: String?, line: String, color: JSONValue, isStale: Bool)] = [
            (Fixture.changedButton, "definitions replaced", "dark green", false),
            (Fixture.brokenButton, "definitions not replaced", "dark green", true),
            (Fixture.files["button.yaml"], "definitions replaced", "green", false),
        ]
        for (text, line, color, isStale) in steps {
            try folder.replace("definitions/button.yaml", try #require(text))
            try server.waitForLine(line)
            #expect(try server.color() == color)
            let definitions = try server.definitions()
            #expect(definitions["state"] == (isStale ? "stale" : "current"))
            // Warnings, which there are too, do not count.
            #expect(definitions["problems"] == (isStale ? 2 : nil))
            #expect((definitions["revision"] == first) == (color == "green"))
            #expect(try server.metric("allot_definitions_stale") == (isStale ? 1 : 0))
        }
        #expect(server.lines.contains { $0.contains("/button.yaml:1:9: error: ") })
        #expect(server.lines.contains { $0.contains("/button.yaml:4:") && $0.contains("Colour") })
        #expect(server.lines.contains { $0.contains(" warning ") && $0.contains("/beta.yaml:") })
        #expect(!server.lines.contains { $0.contains(" error ") && $0.contains("/beta.yaml:") })
        #expect(try server.metric(#"allot_definitions_reloads_total{result="replaced"}"#) == 2)
        #expect(try server.metric(#"allot_definitions_reloads_total{result="failed"}"#) == 1)
    }

    @Test("A server starts with an empty folder only if that is allowed")
    func emptyAtStart() throws {
        let folder = try ServerFolder()
        let empty = folder.path("empty")
        try #require(mkdir(empty, 0o700) == 0)
        let arguments = ["--definitions", empty, "--exposures", "none"]
        let outcome = try ServerProgram.start(arguments)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("\(empty): error: the folder defines no setting and no experiment"))
        #expect(outcome.errors.contains("add allow_empty"))
        for server in [
            try RunningServer(arguments + ["--allow-empty"]),
            try RunningServer(arguments, environment: ["ALLOT_ALLOW_EMPTY": "1"]),
        ] {
            let body = try server.get("/activeconfig/user/a").body
            #expect(body.contains(#""config_sections":{}"#), "\(body)")
        }
    }

    // MARK: Links that are swapped

    /// What is swapped.
    enum Link: CaseIterable {
        /// The folder is a link, as deployment tools make it.
        case folder
        /// Each file is a link through `..data`, as Kubernetes mounts a ConfigMap.
        case files
    }

    private static let experiments = (0..<40).map { "e\($0)" }

    /// Writes definitions in which each experiment sets a setting of its own to a version.
    private func write(_ version: String, to name: String, in folder: ServerFolder) throws {
        let settings = Self.experiments.map { #""\#($0)": {"value": "none"}"# }.joined(separator: ", ")
        try folder.write(#"{"config_sections": {"S": {"settings": {\#(settings)}}}}"#, to: "\(name)/base.json")
        for key in Self.experiments {
            try folder.write(
                "status: running\nvariants: [{ key: \(version), overrides: { S: { \(key): \(version) } } }]",
                to: "\(name)/\(key).yaml")
        }
    }

    /// The versions that an answer contains.
    private func versions(_ server: RunningServer) throws -> Set<String> {
        let answer = try JSONValue(parsing: Array(try server.get("/activeconfig/user/a").body.utf8))
        return Set(try Self.experiments.map { try #require(answer.setting("S", $0)?.text) })
    }

    private func swap(_ link: String, to target: String) throws {
        try #require(symlink(target, link + ".new") == 0)
        try #require(rename(link + ".new", link) == 0)
    }

    @Test("A link that is swapped under signals never gives a mixture", arguments: Link.allCases)
    func swappedLinks(_ link: Link) throws {
        let folder = try ServerFolder()
        for version in ["one", "two", "three"] { try write(version, to: "mount/..\(version)", in: folder) }
        let swapped = folder.path("mount/..data")
        try swap(swapped, to: "..one")
        for name in Self.experiments.map({ "\($0).yaml" }) + ["base.json"] {
            try swap(folder.path("mount/\(name)"), to: "..data/\(name)")
        }
        let definitions = link == .folder ? swapped : folder.path("mount")
        let server = try RunningServer(["--definitions", definitions, "--exposures", "none"])
        for number in 0..<HostileScale.rounds(120) {
            server.signal(SIGHUP)
            try swap(swapped, to: number.isMultiple(of: 2) ? "..two" : "..one")
            let versions = try versions(server)
            #expect(versions == ["one"] || versions == ["two"])
            // A log without a reader would be dropped.
            server.readLog()
        }
        try swap(swapped, to: "..three")
        let last = try DefinitionsLoader().load(folder: definitions).plan.revision
        try server.waitForLine("revision=\(last)")
        #expect(try versions(server) == ["three"])
    }
}
