import TestSupport
import Testing

/// `allot srm` with the definitions of the rows' revisions, from Git.
@Suite(.blocks) struct SampleRatioGitTests {
    /// Two revisions of an experiment, committed one after the other, and an export of units of both.
    private static func make() throws -> TestRepository {
        let repository = try TestRepository()
        try repository.write("config_sections: {}\n", to: "Experiments/base.yaml")
        var rows: [String] = []
        for (number, weights) in [(1, 3), (1, 1)].enumerated() {
            try repository.write(
                "status: running\nvariants: [{ key: a, weight: \(weights.0) }, { key: b, weight: \(weights.1) }]\n",
                to: "Experiments/x.yaml")
            try repository.commit("revision \(number)", at: "2026-0\(number + 1)-01T12:00:00Z")
            let users = (0..<400).map { "r\(number)u\($0)\n" }.joined()
            try repository.write("user_id\n" + users, to: "users.csv")
            let assigned = try Program.run(["assign", "users.csv", "--layout", "long"], in: repository.url)
            try #require(assigned.status == 0, "\(assigned.errors)")
            let found = CSVTable(assigned.output).rows
            rows += found.map { "\($0[0]),x,\($0[2]),\($0[3]),\($0[5])\n" }
        }
        try repository.write("unit,experiment,variant,reason,revision\n" + rows.joined(), to: "export.csv")
        return repository
    }

    @Test("Shares and buckets of earlier revisions come from the history of the folder, or from a range of revisions")
    func history() throws {
        let repository = try Self.make()
        for definitions in [[], ["--definitions", "HEAD~1..HEAD"], ["--definitions", "HEAD~1..HEAD:Experiments"]] {
            let result = try Program.run(["srm", "export.csv"] + definitions, in: repository.url)
            #expect(result.status == 0, "\(result)")
            #expect(result.text.hasPrefix("x, 2 revisions: no sign of a sample ratio mismatch over all of them (p = "))
            let own = "every unit has the variant that Allot assigns to it"
            #expect(result.flatText.split(separator: own, omittingEmptySubsequences: false).count == 3, "\(result)")
        }
        // A folder that is not in Git has the present revision only.
        let alone = try Workspace()
        for name in ["Experiments/base.yaml", "Experiments/x.yaml", "export.csv"] {
            try alone.write(name, repository.text(name))
        }
        try alone.run("srm", "export.csv").expectText("400 units NOT TESTED", status: 3)
        #expect(try Program.run(["srm", "export.csv", "--definitions", "nope..HEAD"], in: repository.url).status == 1)
    }
}
