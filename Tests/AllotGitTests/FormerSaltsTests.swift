import AllotConfiguration
import AllotCore
import AllotDefinitions
import Foundation
import TestSupport
import Testing

@testable import AllotGit

/// Keys and salts that a branch had before, and that an experiment uses again.
@Suite(.blocks) struct FormerSaltsTests {
    /// Days of a folder, each a commit: files and what they become, `nil` for deleted ones. The last day is on disk
    /// only, unless `isCommitted`.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let days: [[String: String?]]
        /// The experiments with a warning.
        let warned: [String]
        let isCommitted: Bool

        init(_ name: String, _ days: [[String: String?]], warned: [String] = [], isCommitted: Bool = true) {
            (testDescription, self.days, self.warned, self.isCommitted) = (name, days, warned, isCommitted)
        }
    }

    private static let live = "status: running\nvariants: [{ key: control }, { key: green }]\n"
    private static let other = "status: running\nvariants: [{ key: control }, { key: blue }, { key: red }]\n"
    private static let draft = other.replacing("running", with: "draft")
    private static let gone: String? = nil

    static let cases: [Case] = [
        Case("a key", [["a": live], ["a": gone], ["a": other]], warned: ["a"]),
        Case("on disk only", [["a": live], ["a": gone], ["a": other]], warned: ["a"], isCommitted: false),
        Case("as a draft", [["a": live], ["a": gone], ["a": draft]], warned: ["a"]),
        Case("a draft on disk", [["a": live], ["a": gone], ["a": draft]], warned: ["a"], isCommitted: false),
        Case("a salt of another key", [["a": live], ["a": gone], ["b": other + "salt: a"]], warned: ["b"]),
        Case(
            "a former own salt",
            [["a": live + "salt: s"], ["a": live + "salt: t"], ["a": other + "salt: s"]], warned: ["a"]),
        Case(
            "a former salt on disk, under another key",
            [["a": live + "salt: s"], ["a": live + "salt: t"], ["b": other + "salt: s"]], warned: ["b"],
            isCommitted: false),
        Case(
            "a deleted key as a salt on disk",
            [["a": live], ["a": gone], ["b": other + "salt: a"]], warned: ["b"], isCommitted: false),
        Case(
            "a key after its own salt",
            [["a": live + "salt: s"], ["a": gone], ["b": other + "salt: s"]], warned: ["b"]),
        Case("another ending", [["a": live], ["a": gone], ["a.yml": other]], warned: ["a"]),
        Case(
            "JSON", [["a": live], ["a": gone], ["a.json": #"{"status": "running", "variants": [{"key": "x"}]}"#]],
            warned: ["a"]),
        Case(
            "concluded before",
            [["a": live], ["a": live.replacing("running", with: "concluded")], ["a": gone], ["a": other]],
            warned: ["a"]),
        Case("twice", [["a": live], ["a": gone], ["a": other], ["a": gone], ["a": live]], warned: ["a"]),
        Case("long ago", [["a": live], ["a": gone], ["a": other], ["b": live], ["b": other]], warned: ["a"]),
        Case("a new salt", [["a": live], ["a": gone], ["a": other + "salt: a.2"]]),
        Case("renamed with its salt", [["a": live], ["a": gone, "b": live + "salt: a"]]),
        Case("renamed on disk", [["a": live], ["a": gone, "b": live + "salt: a"]], isCommitted: false),
        Case("replaced at once", [["a": live], ["a": other]]),
        Case("put back as it was", [["a": live], ["a": gone], ["a": live]]),
        Case("put back on disk", [["a": live], ["a": gone], ["a": live]], isCommitted: false),
        Case("a draft before", [["a": draft], ["a": gone], ["a": live]]),
        Case("a draft for a while", [["a": live], ["a": draft], ["a": live]]),
        Case(
            "no randomisation",
            [["a": live], ["a": gone], ["a": "status: running\nunit: none\nvariants: [{ key: x }]"]]),
        Case("broken for a while", [["a": live], ["a": "status: ["], ["a": live]]),
        Case("other experiments", [["a": live], ["b": live], ["b": gone], ["a": other]]),
    ]

    private func play(_ row: Case, in repository: TestRepository, _ folder: String = "Experiments") throws {
        try repository.write(#"{"config_sections": {}}"#, to: "\(folder)/base.json")
        for (index, files) in row.days.enumerated() {
            for (name, text) in files {
                let path = "\(folder)/\(name)\(name.contains(".") ? "" : ".yaml")"
                if let text {
                    try repository.write(text, to: path)
                } else {
                    try FileManager.default.removeItem(atPath: "\(repository.path)/\(path)")
                }
            }
            guard row.isCommitted || index < row.days.count - 1 else { return }
            try repository.commit("Day \(index + 1)", at: "2026-01-0\(index + 1)T00:00:00Z")
        }
    }

    private func warnings(_ place: DefinitionsPlace) throws -> [String: String] {
        let loader = DefinitionsLoader(now: Instant(seconds: 1_800_000_000))
        return FormerSalts.warnings(about: try loader.load(place).definitions, in: place)
    }

    @Test("A salt that comes back is named", arguments: cases)
    func namesSalts(row: Case) throws {
        let repository = try TestRepository()
        try play(row, in: repository)
        let found = try warnings(.folder(repository.path + "/Experiments"))
        #expect(found.keys.sorted() == row.warned, "\(found)")
        guard row.isCommitted else { return }
        let branch = DefinitionsPlace.revision(
            try GitFolder(GitRepository(directory: repository.path), revision: "main", path: "Experiments"))
        #expect(try warnings(branch) == found)
    }

    @Test("The warning names the experiment, its last commit, and a salt that is free")
    func namesTheFix() throws {
        let repository = try TestRepository()
        try play(Self.cases[0], in: repository)
        try repository.write(Self.live + "salt: a.2", to: "Experiments/b.yaml")
        try repository.commit("Day 4", at: "2026-01-04T00:00:00Z")
        let commit = try repository.git(["rev-parse", "HEAD~2"]).prefix(12)
        let text = try #require(try warnings(.folder(repository.path + "/Experiments"))["a"])
        #expect(
            text == "a key that is used again repeats the old split: \"a\" was the salt of a until \(commit) of "
                + "2026-01-02T00:00:00Z, and each unit has the bucket again that it had there; give it a new salt, "
                + "such as salt: a.3")
        let history = try ExperimentHistory(
            of: "a", in: .folder(repository.path + "/Experiments"), limits: .init())
        #expect(history.lines.count { $0.contains("a key that is used again repeats the old split") } == 1)
    }

    @Test("A folder that was moved is followed")
    func movedFolders() throws {
        let repository = try TestRepository()
        try play(
            Case("", [["a": Self.live, "b": Self.live], ["a": Self.gone]]), in: repository, "Trials")
        try repository.git(["mv", "Trials", "Experiments"])
        try repository.commit("Move", at: "2026-01-03T00:00:00Z")
        try repository.write(Self.other, to: "Experiments/a.yaml")
        #expect(try warnings(.folder(repository.path + "/Experiments")).keys.sorted() == ["a"])
    }

    @Test("Without a history there is no warning, and no failure")
    func withoutHistory() throws {
        let repository = try TestRepository()
        try play(Self.cases[0], in: repository)
        try repository.git(["clone", "-q", "--depth=1", "file://\(repository.path)", "shallow"])
        #expect(try warnings(.folder(repository.path + "/shallow/Experiments")) == [:])
        // A damaged repository, one without a commit, and no repository.
        try repository.write("nonsense", to: "shallow/.git/HEAD")
        #expect(try warnings(.folder(repository.path + "/shallow/Experiments")) == [:])
        let empty = try TestRepository()
        try empty.write(Self.live, to: "Experiments/a.yaml")
        #expect(try warnings(.folder(empty.path + "/Experiments")) == [:])
        let folder = try TemporaryFolder()
        try folder.write(Self.live, to: "Experiments/a.yaml")
        #expect(try warnings(.folder(folder.path + "/Experiments")) == [:])
    }
}
