import AllotConfiguration
import AllotCore
import AllotFiles
import TestSupport

@testable import AllotAnalysis

/// An export of exposures over two weeks, and the results of `allot srm`.
struct Export {
    /// A row with its unit, variant, hour since 2026-11-01, revision, and values of further columns.
    struct Row {
        var unit: String
        var variant: String
        /// `nil` for no time.
        var hour: Int?
        var revision = ""
        var values: [String] = []

        var text: String {
            let time = hour.map { Instant(seconds: 1_793_491_200 + Int64($0) * 3600).description } ?? ""
            return ([unit, variant, time, revision] + values).joined(separator: ",") + "\n"
        }
    }

    /// The plan whose first experiment, `x`, is tested.
    let plan: Plan
    var columns: [String] = []
    var rows: [Row] = []
    var hasTimes = true

    init(_ plan: Plan) { self.plan = plan }

    /// An experiment `x` with variants of some weights, `a`, `b` and so on.
    init(weights: [Int] = [1, 1], more: String = "", others: KeyValuePairs<String, String> = [:]) throws {
        let variants = weights.enumerated().map { "{ key: \(Self.name($0)), weight: \($1) }" }
        let files = [("x.yaml", "status: running\n\(more)variants: [\(variants.joined(separator: ", "))]\n")]
        plan = try .of(files: files + others.map { ($0.key, $0.value) })
    }

    static func name(_ variant: Int) -> String { String(UnicodeScalar(UInt8(97 + variant))) }

    /// The variant that an experiment assigns.
    func variant(_ unit: String, of experiment: String = "x") -> String {
        plan.recomputedVariant(of: unit, in: plan.index(of: experiment) ?? 0) ?? "none"
    }

    /// Units with their own variants, evenly over 14 days, each row with a change.
    func faultless(
        _ count: Int, prefix: String = "u", revision: String = "", change: (inout Row) -> Void = { _ in }
    ) -> [Row] {
        (0..<count).map { number in
            let unit = "\(prefix)\(number)"
            var row = Row(unit: unit, variant: variant(unit), hour: number * 336 / count, revision: revision)
            change(&row)
            return row
        }
    }

    var csv: String {
        let header = (["unit", "variant", hasTimes ? "at" : "time_unread", "revision"] + columns)
        return header.joined(separator: ",") + "\n" + rows.map(\.text).joined()
    }

    /// The results, by the plan or by shares.
    func results(
        shares: String? = nil, _ configure: (inout SampleRatioAnalysis) -> Void = { _ in }
    ) throws -> SampleRatioResults {
        try sampleRatio(
            csv, shares.map { .shares(try GivenShares($0)) } ?? .plan(plan, at: Instant(seconds: 1_795_000_000))
        ) {
            $0.experiments = ["x"]
            configure(&$0)
        }
    }
}

/// The results of rows against shares.
func sampleRatio(
    _ csv: String, shares: String, _ configure: (inout SampleRatioAnalysis) -> Void = { _ in }
) throws -> SampleRatioResults {
    try sampleRatio(csv, .shares(try GivenShares(shares)), configure)
}

/// The results of `allot srm` on the text of a file.
func sampleRatio(
    _ csv: String, _ expectation: SampleRatioAnalysis.Expectation,
    _ configure: (inout SampleRatioAnalysis) -> Void = { _ in }
) throws -> SampleRatioResults {
    let folder = try TemporaryFolder()
    try folder.write(csv, to: "data.csv")
    var analysis = SampleRatioAnalysis(expectation)
    configure(&analysis)
    return try analysis.results(from: InputFile(path: folder.path("data.csv")))
}

extension SampleRatioResults {
    /// The first line.
    var firstLine: String { lines.first ?? "" }
    /// All lines, with single spaces.
    var text: String { lines.joined(separator: " ").split(separator: " ").joined(separator: " ") }
}
