import AllotConfiguration

/// One line of the table of operators: a condition, values of the attribute `a` that satisfy it, and others.
package struct ConditionRow: Sendable, CustomStringConvertible {
    /// The line as it is written.
    package let description: String
    package let condition: JSONValue
    package let values: [(value: ConditionOracle.Value, holds: Bool)]

    /// - Parameter line: Three cells with " | " between them; " ; " stands between values.
    fileprivate init(_ line: Substring, _ condition: (JSONValue) -> JSONValue) {
        let cells = "\(line) ".split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
        precondition(cells.count == 3, "\(line)")
        func values(_ cell: String) -> [ConditionOracle.Value] {
            cell.split(separator: " ; ").map { Self.trimmed($0) }.filter { !$0.isEmpty }.map(Self.value)
        }
        description = String(line)
        self.condition = condition(Self.json(cells[0]))
        self.values =
            values(cells[1]).map { (value: $0, holds: true) }
            + values(cells[2]).map { (value: $0, holds: false) }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }

    /// JSON for a value with a type, text in single quotes for one without, as in CSV, and a hyphen for none at all.
    private static func value(_ text: Substring) -> ConditionOracle.Value {
        if text == "-" { return .missing }
        guard text.hasPrefix("'"), case .string(let untyped) = json("\"\(text.dropFirst().dropLast())\"") else {
            return .typed(json(text))
        }
        return .untyped(untyped)
    }

    private static func json(_ text: some StringProtocol) -> JSONValue {
        guard let value = try? JSONValue(parsing: Array(text.utf8)) else { preconditionFailure("\(text) is not JSON") }
        return value
    }
}

/// The operators of conditions, line by line: what they make of missing values, of text without a type, and of values
/// of other types. `ConditionOracle` tests random combinations.
package enum ConditionTable {
    package static let rows: [ConditionRow] =
        lines(of: tests) { .object(JSONObject([(key: "a", value: $0)])) } + lines(of: conditions) { $0 }

    private static func lines(of table: String, _ condition: (JSONValue) -> JSONValue) -> [ConditionRow] {
        table.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { ConditionRow($0, condition) }
    }

    /// Tests of the attribute. The group `staff` has the members "anna" and 7.
    private static let tests = #"""
        # Equality: text without a type is read as the type of the literal.
        5 | 5 ; 5.0 ; "5" ; '5' ; '5.0' ; '05' ; '5e0' | 6 ; ' 5' ; '+5' ; '5.' ; '0x5' ; 'NaN' ; true ; [5] ; null ; -
        "5" | "5" ; '5' | 5 ; '5.0' ; '05' ; -
        "007" | '007' | '7' ; 7
        "7 " | '7 ' | '7'
        "é" | "é" ; 'é' | "e\u0301" ; 'e\u0301'
        "true" | "true" ; 'true' | true ; 'TRUE'
        true | true ; 'true' ; 'TRUE' | false ; "true" ; 1 ; '1' ; '' ; -
        false | false ; 'False' | null ; 0 ; 'no' ; -
        null | null ; - ; '' | "" ; 'null' ; 0 ; false ; []
        [1, 2] | [1, 2] | [2, 1] ; [1] ; 1
        {"x": 1, "y": [1, null]} | {"y": [1, null], "x": 1.0} | {"x": 1} ; 'x'
        {"$eq": 5} | '5' | '6' ; -
        {"$ne": "x"} | 'y' ; 5 ; null ; - ; '' | 'x' ; "x"
        {"$ne": 5} | 'many' ; 'NaN' ; "x" ; true ; - | 5 ; '5.0' ; "5"

        # Sets: one element of a list is enough.
        {"$in": [1, "x", true, null]} | 1 ; 'x' ; 'true' ; null ; - ; ["y", "x"] | 'y' ; "true" ; 2 ; ["y"] ; []
        {"$in": [1, "x", true]} | '1.0' | '' ; - ; null
        {"$in": []} |  | 'x' ; [] ; -
        {"$nin": [1, "x"]} | 'y' ; ["y"] ; '' ; - | '1.0' ; 'x' ; ["y", "x"]
        {"$nin": []} | 'x' ; - |
        {"$ini": ["straße", "ÜNITED", "σ"]} | 'STRAßE' ; "ünited" ; 'Σ' | 'STRASSE' ; 5 ; -
        {"$nini": ["de"]} | 'FR' ; - | 'DE' ; "De"
        {"$inGroup": "staff"} | 'anna' ; "anna" ; 7 ; '7.0' | 'Anna' ; -
        {"$notInGroup": "staff"} | 'Anna' ; - | 'anna' ; 7

        # Presence and types: text without a type has every type that it reads as.
        {"$exists": true} | 'x' ; "" ; false ; 0 ; [] | null ; - ; ''
        {"$exists": false} | null ; - ; '' | 'x' ; false
        {"$type": "string"} | "x" ; 'x' ; '5' | 5 ; true ; null ; -
        {"$type": "number"} | 5 ; '5' | "5" ; '5x' ; 'NaN' ; -
        {"$type": "boolean"} | false ; 'True' | "true" ; 1 ; -
        {"$type": "array"} | [] | {} ; 'x' ; -
        {"$type": "object"} | {} ; {"x": 1} | [] ; -
        {"$type": "null"} | null ; '' ; - | 0 ; "" ; 'null'

        # Order: of numbers by value, of text by bytes.
        {"$gt": 10} | 11 ; '11' ; "11" ; '1e2' | 10 ; '9' ; 'NaN' ; 'many' ; true ; [11] ; null ; -
        {"$gt": "10"} | '9' ; "9" | '1' ; 9 ; -
        {"$lt": 10} | -1 ; '9' | '10' ; '' ; -
        {"$lte": "b"} | 'a' ; 'b' | 'c' ; 'é'
        {"$gte": 10, "$lt": 5000} | '10' ; '4999' | '9' ; '5e3'

        # Versions: only text is a version.
        {"$vgte": "2.3.0"} | '2.3.0' ; '2.10.1' ; 'v3' ; "2.3.0+5" | '2.3.0-beta.1' ; '2.2.9' ; 'x' ; 3 ; -
        {"$vgte": "1"} | '1.0' ; '1.2.3.4.5.6' | '1.2.3.4.5.6.7' ; '1.2.3.04' ; '01' ; '1.'
        {"$veq": "2.3"} | '2.3.0+5' ; 'v2.3' | '2.3.1' ; 2.3
        {"$veq": 2} | '2' ; "2" | 2 ; -
        {"$veq": "1.2.3.0.0.0"} | 'v1.2.3' | '1.2.3.1'
        {"$vne": "2.3.0"} | '2.3.1' ; 'x' ; 3 ; '' ; - | '2.3' ; '2.3.0+5'
        {"$vgt": "1.2.3"} | '1.2.3.1' ; '1.2.4-rc.1' | '1.2.3' ; '1.2.3-rc.1'
        {"$vgt": "1.2.3.9"} | '1.2.3.10' | '1.2.3.8'
        {"$vlt": "1.2.3.4"} | '1.2.3.4-rc.1' ; '1.2.3' | '1.2.3.4' ; 'x' ; -
        {"$vlte": "2.0.0-rc.2"} | '2.0.0-rc.2' ; '2.0.0-beta.11' | '2.0.0-rc.10' ; '2.0.0'

        # Instants: of text, or of numbers that count from 1970.
        {"$before": "2026-01-01T00:00:00Z"} | "2025-12-31T23:59:59Z" ; '2025-12-31T23:59:59+00:00' | '2025-12-31' ; -
        {"$before": "2026-01-01T00:00:00Z"} | '2026-01-01T00:30:00+01:00' | '2026-01-01T00:00:00Z' ; 1735689600 ; 'x'
        {"$onOrBefore": "2026-01-01T00:00:00Z"} | '2026-01-01T01:00:00+01:00' | '2026-01-01T00:00:00.1Z'
        {"$after": "2026-01-01T00:00:00Z"} | '2026-01-01T00:00:00.000000001Z' | '2026-01-01T00:00:00Z' ; 'x' ; -
        {"$onOrAfter": "2026-01-01T00:00:00Z"} | '2026-01-01T01:00:00+01:00' | '2025-12-31T23:59:59Z' ; 'x' ; -
        {"$onOrAfter": {"instant": "2026-01-01T00:00:00.5Z", "epoch": "seconds"}} | '1767225600.5' | '1767225600'
        {"$before": {"instant": "1969-12-31T23:59:59.25Z", "epoch": "milliseconds"}} | '-751' ; -751 | '-750' ; -
        {"$before": {"instant": "2026-01-01T00:00:00Z", "epoch": "seconds"}} | 1735689600 | '2025-01-01T00:00:00Z'
        {"$after": {"instant": "2026-01-01T00:00:00Z", "epoch": "seconds"}} | 1767225601 | 1767225600 ; true
        {"$after": {"instant": "2026-01-01T00:00:00Z", "epoch": "milliseconds"}} | 1767225600001 | 1767225601

        # Parts of text.
        {"$startsWith": "ab"} | 'abc' ; "ab" | 'cab' ; 'Abc' ; 5 ; ["ab"] ; -
        {"$startsWith": ["x", "ab"]} | 'abc' | 'bx' ; ["x"]
        {"$startsWith": "5"} | '5' ; "55" | 5
        {"$endsWith": "bc"} | 'abc' | 'bcd' ; -
        {"$endsWith": ["x", "ab"]} | 'cab' | 'abc'
        {"$contains": "b"} | 'abc' | 'ac' ; -
        {"$contains": "abcd"} | 'abcde' | 'abc'
        {"$contains": ["x", "b"]} | 'abc' | 'aB'
        {"$startsWithi": "AB"} | 'abc' | 'bab'
        {"$startsWithi": "i"} | '\u0130stanbul' | 'ab'
        {"$startsWithi": ""} | 'x' | '' ; -
        {"$endsWithi": ["x", "É"]} | 'caf\u00e9' | 'cafe'
        {"$endsWithi": "\u0307"} | '\u0130' | 'i'
        {"$containsi": "STRA\u1e9eE"} | 'Hauptstraße 5' | 'Strasse'
        {"$containsi": "aab"} | 'AAAB' | 'ab'
        {"$containsi": "\u0307s"} | '\u0130S' | 's'
        {"$containsi": ""} | 'x' | -
        {"$regex": "^a.c$"} | 'abc' ; "abc" | 'abcd' ; 5 ; -
        {"$regex": "B"} | 'aBc' | 'abc'
        {"$regex": ["^x", "c$"]} | 'abc' | 'ab'
        {"$regex": "5"} | '5' | 5
        {"$regexi": "B"} | 'abc' | 'ac' ; -
        {"$regexi": ["^x", "^A"]} | 'abc' | 'ba'
        {"$regexi": ["^x", "^y"]} | 'Yes' | 'abc'

        # Networks.
        {"$inNetwork": ["192.0.2.0/24", "2001:db8::/32"]} | '192.0.2.7' ; '2001:DB8::1' ; '::ffff:192.0.2.7' | '1.2.3.4'
        {"$inNetwork": "192.0.2.0/24"} | "192.0.2.1" | '192.0.2.07' ; 'nowhere' ; 10 ; ["192.0.2.1"] ; -
        {"$inNetwork": "::/0"} | '::1' | '10.0.0.1' ; '' ; -
        {"$notInNetwork": "192.0.2.0/24"} | 'nowhere' ; 10 ; - | '192.0.2.7'
        {"$notInNetwork": "::/0"} | '10.0.0.1' ; '' ; - | '::1'

        # Lists: a single value is not a list.
        {"$all": ["x"]} | ["x"] | "x" ; 'x' ; [] ; -
        {"$all": ["x", {"$startsWith": "y"}]} | ["yes", "x"] | ["x"]
        {"$alli": ["X"]} | ["x"] | ["y"] ; "x" ; -
        {"$size": 2} | [1, 2] | [1] ; 2 ; '2' ; -
        {"$size": {"$gt": 2}} | [1, 2, 3] | [1, 2]
        {"$elemMatch": {"$eq": 0}} | [1, 0] | [1] ; 0 ; [] ; -
        {"$elemMatch": {"x": 1, "y": {"$gt": 5}}} | [{"x": 1, "y": 6}] | [{"x": 1}, {"y": 6}]
        {"$elemMatch": {"x.y": 1}} | [{"x": {"y": 1}}] | [{"x": 1}]
        {"$elemMatch": {"x.\u0301b": 1}} | [{"x": {"\u0301b": 1}}] | [{"x": 1}]
        {"$elemMatch": {"$not": {"$eq": 1}}} | [1, 2] | [1, 1]
        {"$elemMatch": {"$not": 5}} | [4] | [5]
        {"$elemMatch": {"$not": {}}} |  | [{}]
        {"$elemMatch": {"$or": [{"$gt": 5}, {"$lt": 1}]}} | [3, 6] | [3, 4]
        {"$elemMatch": {"$or": [{"x": 1}, {"x": 2}]}} | [{"x": 3}, {"x": 2}] | [{"x": 3}]
        {"$elemMatch": {"$nor": [{"$gt": 5}, {"$lt": 1}]}} | [3] | [0, 6]
        {"$elemMatch": {"$not": {"$or": [{"$gt": 5}, {"$lt": 1}]}}} | [0, 6, 3] | [0, 6]
        {"$elemMatch": {"$gt": 0, "$and": [{"$lt": 9}, {"$not": {"$eq": 5}}]}} | [4] | [5, 9]
        {"$elemMatch": {"$and": [{"$exists": true}, {"x": 1}]}} | [{"x": 1}] | [{"x": 2}]

        # A missing attribute fails the test, so that it passes the negation.
        {"$not": {"$gt": 5}} | '5' ; 'x' ; '' ; - | '6'
        {"$not": {"$startsWith": ["x"]}} | 'y' ; '' ; - | 'xy'
        """#

    /// Whole conditions. The segment `europe` has the units whose attribute is DE or FR.
    private static let conditions = #"""
        {} | 'z' ; - |
        {"$or": []} | 'z' ; - |
        {"$and": []} | 'z' ; - |
        {"$nor": []} |  | 'z' ; -
        {"$or": [{"a": "x"}, {"a": "y"}]} | 'y' | 'z' ; -
        {"$nor": [{"a": "x"}, {"a": "y"}]} | 'z' ; - | 'y'
        {"$and": [{"a": {"$gt": 1}}, {"a": {"$lt": 3}}]} | '2' | '1' ; '3' ; -
        {"$not": {"a": "x"}} | 'y' ; - | 'x'
        {"$segment": "europe"} | 'FR' | 'US' ; -
        {"a.b": 1} | {"b": 1} | {"c": 1} ; 5 ; -
        {"a.\u0301b": 1} | {"\u0301b": 1} | {"b": 1}
        """#
}
