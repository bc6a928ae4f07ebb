import AllotConfiguration
import TestSupport
import Testing

/// Units of the experiment `button` with the variants that `allot assign` gives them, to be recorded well or badly.
struct Exposures {
    struct Unit {
        let id: String
        let country: String
        let platform: String
        var variant: String
    }

    let workspace: Workspace
    let units: [Unit]

    /// - Parameter count: the number of units; one in five is French.
    init(_ count: Int) throws {
        workspace = try Workspace.withButton()
        let countries = ["DE", "US", "FR", "DE", "US"]
        let platforms = ["ios", "web", "android"]
        let rows = (0..<count).map { "user-\($0),\(countries[$0 % 5]),\(platforms[$0 / 5 % 3])\n" }
        let result = try workspace.assign("user_id,country,platform\n" + rows.joined(), "--experiment", "button")
        try #require(result.status == 0, "\(result.errors)")
        units = try workspace.rows().map {
            Unit(id: $0[0], country: $0[1], platform: $0[2], variant: $0[3])
        }
    }

    /// Tests the ratio in a file of the folder.
    func srm(_ arguments: String...) throws -> Outcome { try workspace.run(["srm"] + arguments) }

    /// Writes an export of exposures, in the order of time: a second from one to the next.
    func export(_ units: [Unit], to name: String = "exposures.csv", others: String = "") throws {
        let rows = units.enumerated().map { index, unit in
            let attributes = #""{""country"":""\#(unit.country)"",""platform"":""\#(unit.platform)""}""#
            return "\(unit.id),\(unit.variant),button,\(Self.time(index)),\(attributes)\n"
        }
        try workspace.write(name, "unit,variant,experiment,at,attributes\n" + rows.joined() + others)
    }

    /// 2026-11-01 plus the given number of seconds.
    static func time(_ second: Int) -> String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let hour = padded(second / 3600 % 24)
        return "2026-11-\(padded(1 + second / 86_400))T\(hour):\(padded(second / 60 % 60)):\(padded(second % 60)).000Z"
    }
}

extension Outcome {
    /// Standard output with every run of white space as one space, so that sentences can be found across lines.
    var flatText: String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// A member of the first comparison of the report as JSON, by its path.
    func comparison(_ path: String...) throws -> JSONValue? {
        var value = try JSONValue(parsing: output)
        for name in ["comparisons", "0"] + path {
            switch value {
            case .object(let object): value = object[name] ?? .null
            case .array(let elements):
                value = Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil } ?? .null
            default: return nil
            }
        }
        return value
    }
}
