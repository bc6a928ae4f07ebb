import AllotAnalysis
import AllotConfiguration
import AllotDefinitions
import Foundation
import TestSupport
import Testing

@testable import AllotGit

/// What a branch had, commit by commit and at an instant.
@Suite(.blocks) struct BranchTests {
    private static func experiment(_ more: String = "", control: Int = 1) -> String {
        "status: running\n\(more)\nvariants: [{ key: control, weight: \(control) }, { key: green }]\n"
    }

    private func place(_ repository: TestRepository, _ revision: String = "main") throws -> DefinitionsPlace {
        .revision(try GitFolder(GitRepository(directory: repository.path), revision: revision, path: "Experiments"))
    }

    private func history(_ repository: TestRepository) throws -> ExperimentHistory {
        try ExperimentHistory(of: "button", in: place(repository), limits: .init())
    }

    private func instant(_ text: String) throws -> Instant { try #require(Instant(text)) }

    /// A repository with an experiment as it was on each of the first days of 2026, `nil` for deleted, next to another.
    private func repository(_ days: [String?]) throws -> TestRepository {
        let repository = try TestRepository()
        try repository.write("status: running\nvariants: [{ key: a }, { key: b }]\n", to: "Experiments/first.yaml")
        for (text, day) in zip(days, 1...) {
            if let text {
                try repository.write(text, to: "Experiments/button.yaml")
            } else {
                try repository.git(["rm", "-q", "-f", "Experiments/button.yaml"])
            }
            try repository.commit("Day \(day)", at: "2026-01-0\(day)T00:00:00Z")
        }
        return repository
    }

    @Test("A merge counts from when it was merged, and what was on the other branch does not count")
    func merges() throws {
        let repository = try self.repository([Self.experiment()])
        try repository.git(["checkout", "-q", "-b", "topic"])
        for (number, day) in [(1, 2), (2, 3)] {
            try repository.write(Self.experiment("traffic: \(number)0%"), to: "Experiments/button.yaml")
            try repository.commit("Try \(number)", at: "2026-01-0\(day)T00:00:00Z")
        }
        try repository.git(["checkout", "-q", "main"])
        try repository.git(
            ["merge", "-q", "--no-ff", "-m", "Merge the topic", "topic"],
            [
                "GIT_AUTHOR_NAME": "grace", "GIT_AUTHOR_EMAIL": "grace@example.com",
                "GIT_COMMITTER_DATE": "2026-01-05T00:00:00Z",
            ])
        let history = try self.history(repository)
        #expect(history.changes.map(\.commit.subject) == ["Merge the topic", "Day 1"])
        let before = try PastDefinitions(of: place(repository), at: instant("2026-01-04T00:00:00Z"))
        #expect(before.notes.count == 1)
        #expect(before.notes[0].hasSuffix("of 2026-01-01T00:00:00Z: Day 1"))
        let topic = try PastDefinitions(of: place(repository, "topic"), at: instant("2026-01-04T00:00:00Z"))
        #expect(topic.notes[0].hasSuffix("of 2026-01-03T00:00:00Z: Try 2"))
    }

    @Test("Dates that are not in order are reported")
    func disorder() throws {
        let repository = try TestRepository()
        try repository.write(Self.experiment(), to: "Experiments/button.yaml")
        try repository.commit("Late clock", at: "2026-01-09T00:00:00Z")
        try repository.commit("Right clock", at: "2026-01-02T00:00:00Z")
        let past = try PastDefinitions(of: place(repository), at: instant("2026-01-05T00:00:00Z"))
        #expect(past.notes.count == 2)
        #expect(past.notes[0].hasSuffix("Right clock"))
        #expect(past.notes[1].contains("the dates of main are not in order"))
    }

    @Test("A clone with a depth says that older commits are missing")
    func shallowClones() throws {
        let repository = try self.repository([Self.experiment(), Self.experiment("traffic: 10%")])
        try repository.git(["clone", "-q", "--depth=1", "file://\(repository.path)", "clone"])
        let folder = try GitFolder(
            GitRepository(directory: repository.path + "/clone"), revision: "HEAD", path: "Experiments")
        let history = try ExperimentHistory(of: "button", in: .revision(folder), limits: .init())
        #expect(history.lines.last == "this clone has only the last commits; git fetch --unshallow fetches the others")
        let error = #expect(throws: GitError.self) {
            try PastDefinitions(of: .revision(folder), at: instant("2026-01-01T12:00:00Z"))
        }
        #expect(try #require(error).description.contains("git fetch --unshallow"))
    }

    @Test("An experiment that goes and comes back is compared with what it was")
    func returning() throws {
        let repository = try self.repository([Self.experiment(), nil, Self.experiment(control: 3), nil])
        let verdicts = try history(repository).lines.filter { $0.contains("results:") }
        #expect(
            verdicts == [
                "    results: must not be pooled across this change: the experiment ends here",
                "    results: must not be pooled across this change: the ranges of control have "
                    + "changed, so when a unit came also decides its variant; the ranges of green have changed, so "
                    + "when a unit came also decides its variant",
                "    results: must not be pooled across this change: the experiment ends here",
            ])
    }

    @Test(
        "A folder is followed wherever it was moved",
        arguments: [
            ["Experiments", "Trials", "Experiments"], ["", "Experiments"], ["Experiments", ""],
            ["Experiments", "a/b", "", "Experiments", "Trials"],
        ])
    func movedFolders(folders: [String]) throws {
        let repository = try TestRepository()
        func path(_ folder: String) -> String { (folder.isEmpty ? "" : folder + "/") + "button.yaml" }
        try repository.write(Self.experiment(), to: path(folders[0]))
        try repository.commit("Begin", at: "2026-01-01T00:00:00Z")
        for (day, (old, new)) in zip(folders, folders.dropFirst()).enumerated() {
            if !new.isEmpty { try repository.write("", to: new + "/.keep") }
            try repository.git(["mv", path(old), path(new)])
            try repository.commit("Move it", at: "2026-01-0\(day + 2)T00:00:00Z")
        }
        try repository.write(Self.experiment("traffic: 10%"), to: path(try #require(folders.last)))
        try repository.commit("Less", at: "2026-01-09T00:00:00Z")
        let folder = try GitFolder(
            GitRepository(directory: repository.path), revision: "main", path: try #require(folders.last))
        let history = try ExperimentHistory(of: "button", in: .revision(folder), limits: .init())
        #expect(history.changes.map(\.commit.subject) == ["Less", "Begin"])
        #expect(history.changes.last?.folder == folders[0])
        for (day, name) in folders.enumerated() {
            let past = try PastDefinitions(of: .revision(folder), at: instant("2026-01-0\(day + 1)T12:00:00Z"))
            #expect(past.place.name.hasSuffix(":\(name)"))
            #expect(
                try past.load(DefinitionsLoader(now: instant("2026-01-09T00:00:00Z"))) { _ in }.plan.experiments.count
                    == 1)
        }
    }

    /// A thousand commits, fifty of which touch the folder, as `git fast-import` takes them.
    private static func stream() -> String {
        var text = ""
        func data(_ text: String) -> String { "data \(text.utf8.count)\n\(text)\n" }
        for number in 0..<1000 {
            let seconds = 1_767_225_600 + number * 3600
            text +=
                "commit refs/heads/main\ncommitter ada <ada@example.com> \(seconds) +0000\n" + data("Commit \(number)")
            text +=
                number % 20 == 0
                ? "M 100644 inline Experiments/button.yaml\n" + data(experiment("traffic: \(number / 20 + 1)%"))
                : "M 100644 inline code.txt\n" + data("\(number)")
        }
        return text
    }

    @Test("A history of a thousand commits reads only those that touch the folder")
    func manyCommits() throws {
        let repository = try TestRepository()
        try repository.git(["fast-import", "--quiet"], input: Self.stream())
        let history = try self.history(repository)
        #expect(history.commitCount == 50)
        #expect(history.changes.count == 50)
        let past = try PastDefinitions(of: place(repository), at: Instant(seconds: 1_767_225_600 + 500 * 3600))
        #expect(past.notes[0].hasSuffix("Commit 500"))
    }

    /// A history of the folder after a commit that moved it, or a part of it.
    private func history(after move: (TestRepository) throws -> Void) throws -> ExperimentHistory {
        let repository = try TestRepository()
        try repository.write(Self.experiment(), to: "Trials/button.yaml")
        try repository.write(Self.experiment("salt: other.2"), to: "Trials/other.yaml")
        try repository.write(Self.experiment("salt: third.2"), to: "Trials/third.yaml")
        try repository.commit("Begin", at: "2026-01-01T00:00:00Z")
        try move(repository)
        try repository.commit("Move", at: "2026-01-02T00:00:00Z")
        return try history(repository)
    }

    @Test("A folder is followed to its former name if it took most definitions from there and left none")
    func renames() throws {
        #expect(try history { try $0.git(["mv", "Trials", "Experiments"]) }.commitCount == 2)
        let split = try history { repository in
            try repository.write("x", to: "Experiments/README.md")
            try repository.git(["mv", "Trials/button.yaml", "Experiments/button.yaml"])
        }
        #expect(split.commitCount == 1)
        let merged = try history { repository in
            for name in ["a", "b", "c", "d"] {
                try repository.write(Self.experiment("salt: \(name).2\ntraffic: 7%"), to: "Experiments/\(name).yaml")
            }
            try repository.git(["mv", "Trials/button.yaml", "Trials/other.yaml", "Trials/third.yaml", "Experiments/"])
        }
        #expect(merged.commitCount == 1)
    }

    @Test("A former name with a line feed or without UTF-8 ends the history with a note", arguments: ["\n", "\u{7F}"])
    func hostileNames(character: String) throws {
        let repository = try TestRepository()
        try repository.write(Self.experiment(), to: "Trials\(character)main:x/button.yaml")
        try repository.commit("Begin", at: "2026-01-01T00:00:00Z")
        try repository.git(["mv", "Trials\(character)main:x", "Experiments"])
        try repository.commit("Move", at: "2026-01-02T00:00:00Z")
        let history = try self.history(repository)
        #expect(history.commitCount == 1)
        #expect(history.lines.last?.contains("the folder had a name that is not followed: Trials\\") == true)
    }

    @Test("Commits in a row that do not load are one entry")
    func brokenRuns() throws {
        let repository = try self.repository([
            Self.experiment(), "status: x1", "status: x2", "status: x3", Self.experiment(),
        ])
        let history = try self.history(repository)
        #expect(history.changes.map(\.commit.subject) == ["Day 2", "Day 1"])
        #expect(
            history.lines.contains {
                $0.contains("do not load from here to") && $0.contains("of 2026-01-04T00:00:00Z, 3 commits")
            })
    }

    @Test("Instants after 2038 and replaced commits are handled")
    func farInstants() throws {
        let repository = try self.repository([Self.experiment(), Self.experiment("traffic: 1%")])
        let past = try PastDefinitions(of: place(repository), at: instant("2150-01-01T00:00:00Z"))
        #expect(past.notes[0].hasSuffix("Day 2"))
        let plan = try DefinitionsLoader().load(place(repository)).plan
        try repository.git(["replace", "HEAD", "HEAD~1"])
        #expect(try DefinitionsLoader().load(place(repository)).plan.revision == plan.revision)
    }

    @Test("Results are pooled across changes of who is enrolled, and across no others")
    func pooling() throws {
        let concluded = "status: concluded\nvariants: [{ key: control }, { key: green }]\nwinner: "
        let repository = try self.repository([
            Self.experiment(), Self.experiment("traffic: 5%"), Self.experiment("audience: { country: DE }"),
            Self.experiment("requires: { first: [a] }"), concluded + "control", concluded + "green",
        ])
        let verdicts = try history(repository).changes.reversed().map { change -> Bool? in
            if case .changed(let difference) = change.outcome { difference.pooling?.isPossible } else { nil }
        }
        #expect(verdicts == [nil, true, true, false, false, false])
    }
}
