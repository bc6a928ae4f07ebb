import Allot
import AllotConfiguration
import Foundation
import Testing

/// The tables of the articles name what there is: nothing is left out, and nothing is named that does not exist.
struct RuleTests {
    /// The words in `code` in a column of the tables of an article.
    private static func words(_ article: String, column: Int) throws -> [String] {
        let rows = try Document("Sources/Allot/Allot.docc/\(article).md").lines.filter { $0.hasPrefix("| ") }
        return rows.flatMap { row in
            let cells = row.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
            return cells.dropFirst(column).first?.matches(of: /`([^`]+)`/).map { String($0.1) } ?? []
        }
    }

    /// The names of all properties in a JSON Schema, or of those directly at a path.
    private static func schema(_ name: String) throws -> JSONValue {
        let url = Document.root.appendingPathComponent("Experiments/schema/\(name).schema.json")
        return try JSONValue(parsing: Array(Data(contentsOf: url)))
    }

    private static func properties(_ schema: JSONValue, _ path: String...) throws -> Set<String> {
        var value = schema
        for name in path + ["properties"] {
            guard case .object(let object) = value, let member = object[name] else { return [] }
            value = member
        }
        guard case .object(let object) = value else { return [] }
        return Set(object.members.map(\.key))
    }

    private static func allProperties(_ schema: JSONValue) -> Set<String> {
        switch schema {
        case .object(let object):
            object.members.reduce(into: []) { names, member in
                if member.key == "properties", case .object(let properties) = member.value {
                    names.formUnion(properties.members.map(\.key))
                }
                names.formUnion(allProperties(member.value))
            }
        case .array(let elements): elements.reduce(into: []) { $0.formUnion(allProperties($1)) }
        default: []
        }
    }

    @Test("The article on the order of checks lists every reason in the order of the checks")
    func reasonsAreListedInOrder() throws {
        #expect(try Self.words("TheOrderOfChecks", column: 3) == Reason.allCases.map(\.text))
    }

    @Test("The article on experiments lists the keys of the JSON Schema")
    func keysOfExperimentsAreListed() throws {
        let schema = try Self.schema("experiment")
        let parts = try ["variant", "period"].map { try Self.properties(schema, "$defs", $0) }
        let keys = try parts.reduce(Self.properties(schema)) { $0.union($1) }
        #expect(try Set(Self.words("Experiments", column: 0)) == keys)
    }

    @Test("The article on running the server lists every metric")
    func metricsAreListed() throws {
        let source = try Document("Sources/AllotServing/Metrics/MetricName.swift").text
        let names = Set(source.matches(of: /= "(allot_[a-z_]+)"/).map { String($0.1) })
        let article = try Document("Sources/AllotServer/AllotServer.docc/RunningTheServer.md")
        let listed = article.lines.compactMap { $0.prefixMatch(of: /\| `(allot_[a-z_]+)`/).map { String($0.1) } }
        // Prometheus sees a counter and a timer under a longer name.
        let bare = listed.map { name in
            names.contains(name) ? name : name.replacing(/_(total|seconds)$/, with: "")
        }
        #expect(names.count > 10)
        #expect(Set(bare) == names)
        #expect(listed.count == names.count)
    }

    @Test("The article on conditions lists the operators of the JSON Schema")
    func operatorsAreListed() throws {
        let operators = Self.allProperties(try Self.schema("experiment")).filter { $0.hasPrefix("$") }
        let listed = try Self.words("Conditions", column: 0).filter { $0.hasPrefix("$") }
        #expect(Set(listed) == operators)
        #expect(listed.count == operators.count)
    }
}
