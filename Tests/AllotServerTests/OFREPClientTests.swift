import AllotConfiguration
import AllotCore
import AllotDefinitions
import Foundation
import TestSupport
import Testing

/// OpenFeature's client for Python against the server, where it is installed.
@Suite(.runsServer) struct OFREPClientTests {
    /// A Python that has PyPI's openfeature-sdk and openfeature-provider-ofrep.
    private static let python = ProcessInfo.processInfo.environment["ALLOT_OFREP_PYTHON"]
    private static let absence: Comment = "ALLOT_OFREP_PYTHON names no Python with openfeature-provider-ofrep"

    /// Runs a script, which must not print anything.
    private func run(_ script: String, _ server: RunningServer, input: String? = nil) throws {
        let python = try #require(Self.python)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ofrep/\(script)")
        let outcome = try ServerProgram.run(
            URL(filePath: python), [script.path, "http://127.0.0.1:\(server.port)"], input: input)
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text == "")
    }

    @Test("OpenFeature's client for Python reads the answers", .enabled(if: python != nil, absence))
    func clientReadsAnswers() throws {
        try run("check.py", RunningServer(ServerFolder()))
    }

    /// "lid" has a control that overrides nothing, and compares the same setting as "floor", which in turn runs among
    /// the units of that control, and as "sale", which has a winner.
    private static let experiments = [
        "lid.yaml": """
        status: running
        salt: lid-2
        traffic: 80%
        forced: { user-7: open }
        variants:
          - key: control
          - { key: open, overrides: { Limits: { Box: { a: 2 } } } }
        """,
        "floor.yaml": """
        status: running
        requires: { lid: [control] }
        audience: { country: FR }
        variants:
          - { key: high, weight: 2 }
          - { key: low, overrides: { Limits: { Box: { a: 3 } } } }
        """,
        "sale.yaml": """
        status: concluded
        winner: cheap
        audience: { country: DE }
        variants: [{ key: cheap, overrides: { Limits: { Box: { price: 1 } } } }]
        """,
        "holdouts.yaml": "quiet: { share: 10%, experiments: [lid] }",
    ]

    @Test(
        "A hook of OpenFeature's client records exactly the units that the definitions assign, those of a control too",
        .enabled(if: python != nil, absence))
    func hooksRecordExactlyTheAssignedUnits() throws {
        let folder = try ServerFolder()
        try folder.writeDefinitions("definitions", Self.experiments)
        let plan = try Plan.load(folder: folder.definitions)
        let server = try RunningServer(folder.arguments)

        let users = (0..<2000).map { (id: "user-\($0)", country: ["", "FR", "DE"][$0 % 3]) }
        try run(
            "exposures.py", server, input: users.map { "Limits.Box\t\($0.id)\t\($0.country)\n" }.joined())

        for experiment in ["lid", "floor", "sale"] {
            var expected: [String: Set<String>] = [:]
            for user in users {
                let attributes: JSONObject = user.country.isEmpty ? [:] : ["country": .string(user.country)]
                let assignment = plan.assignments(for: Subject(id: user.id, attributes: attributes), at: .now)
                    .first { $0.experiment == experiment && $0.reason != .forced }
                if let variant = assignment?.variant { expected[variant, default: []].insert(user.id) }
            }
            #expect(expected.values.allSatisfy { $0.count > 50 }, "the fixture is of no use")
            #expect(try units(experiment, server) == expected, "\(experiment)")
        }
    }

    /// The units of each variant, as the server exports them.
    private func units(_ experiment: String, _ server: RunningServer) throws -> [String: Set<String>] {
        let rows = try server.get("/exposures?experiment=\(experiment)").body.split(separator: "\n")
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        let header = try #require(rows.first)
        let (unit, variant) = (
            try #require(header.firstIndex(of: "unit")), try #require(header.firstIndex(of: "variant"))
        )
        return Dictionary(grouping: rows.dropFirst()) { $0[variant] }.mapValues { Set($0.map { $0[unit] }) }
    }
}
