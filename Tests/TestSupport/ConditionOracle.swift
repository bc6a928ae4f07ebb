import AllotConfiguration
import AllotCore
import Foundation

/// The condition language in its simplest form: slow, straight from the JSON of a condition, with the platform's own
/// reader of addresses. Patterns are plain text, and the group and the segment are those of ``RandomOperators``.
package struct ConditionOracle {
    /// An attribute, or an element of a list.
    package enum Value: Sendable {
        case missing
        case typed(JSONValue)
        /// Text without a type, as from CSV.
        case untyped(String)

        package init(_ value: Subject.Value?) {
            self =
                switch value {
                case .typed(let value)?: .typed(value)
                case .untyped(let text)?: .untyped(text)
                case nil: .missing
                }
        }
    }

    private let attributes: [String: Value]

    package init(_ attributes: [String: Value]) {
        self.attributes = attributes.filter { attribute in
            // An empty text without a type is a missing attribute.
            if case .untyped("") = attribute.value { false } else { true }
        }
    }

    /// Whether the attributes satisfy a condition.
    package func holds(_ condition: JSONValue) -> Bool {
        Self.holds(condition, element: nil) { attributes[$0] ?? .missing }
    }

    /// - Parameter element: The element of a list that operators test.
    private static func holds(_ condition: JSONValue, element: Value?, _ value: (String) -> Value) -> Bool {
        guard case .object(let object) = condition else { return false }
        return object.members.allSatisfy { member in
            func parts() -> [JSONValue] { if case .array(let parts) = member.value { parts } else { [] } }
            func isAny() -> Bool { parts().isEmpty || parts().contains { holds($0, element: element, value) } }
            switch member.key {
            case "$and": return parts().allSatisfy { holds($0, element: element, value) }
            case "$or": return isAny()
            case "$nor": return !isAny()
            case "$not" where element == nil || member.value.members?.isEmpty == false:
                return !holds(member.value, element: element, value)
            case "$segment": return holds(RandomOperators.segment, element: element, value)
            case let name where name.hasPrefix("$"): return passes(element ?? .missing, name, member.value)
            case let name: return test(value(name), member.value)
            }
        }
    }

    /// A plain value or operators.
    private static func test(_ value: Value, _ test: JSONValue) -> Bool {
        guard case .object(let object) = test, object.members.contains(where: { $0.key.hasPrefix("$") }) else {
            return equals(value, test)
        }
        return object.members.allSatisfy { passes(value, $0.key, $0.value) }
    }

    private static func passes(_ value: Value, _ name: String, _ literal: JSONValue) -> Bool {
        switch name {
        case "$not": !test(value, literal)
        case "$eq": equals(value, literal)
        case "$ne": !equals(value, literal)
        case "$in": isIn(value, literal)
        case "$nin": !isIn(value, literal)
        case "$ini": isIn(value, literal, folding: true)
        case "$nini": !isIn(value, literal, folding: true)
        case "$inGroup": isIn(value, .array(RandomOperators.group))
        case "$notInGroup": !isIn(value, .array(RandomOperators.group))
        case "$type": isType(value, literal)
        case "$exists": value.isAbsent != (literal == true)
        case "$size": value.elements.map { test(.typed(.number(JSONNumber($0.count))), literal) } ?? false
        case "$all":
            value.elements.map { list in literal.list.allSatisfy { part in list.contains { test($0, part) } } }
                ?? false
        case "$alli":
            value.elements.map { list in
                literal.list.allSatisfy { part in list.contains { isIn($0, part, folding: true) } }
            } ?? false
        case "$elemMatch":
            value.elements?.contains { element in
                holds(literal, element: element) { name in element.member(name) }
            } ?? false
        case "$gt": ordered(value, literal) { $0 > 0 }
        case "$gte": ordered(value, literal) { $0 >= 0 }
        case "$lt": ordered(value, literal) { $0 < 0 }
        case "$lte": ordered(value, literal) { $0 <= 0 }
        case "$after": instant(value, literal) { $0 > 0 }
        case "$onOrAfter": instant(value, literal) { $0 >= 0 }
        case "$before": instant(value, literal) { $0 < 0 }
        case "$onOrBefore": instant(value, literal) { $0 <= 0 }
        case "$veq": version(value, literal) { $0 == 0 }
        case "$vne": !version(value, literal) { $0 == 0 }
        case "$vgt": version(value, literal) { $0 > 0 }
        case "$vgte": version(value, literal) { $0 >= 0 }
        case "$vlt": version(value, literal) { $0 < 0 }
        case "$vlte": version(value, literal) { $0 <= 0 }
        case "$startsWith": value.hasText(literal, folding: false) { $0.starts(with: $1) }
        case "$startsWithi": value.hasText(literal, folding: true) { $0.starts(with: $1) }
        case "$endsWith": value.hasText(literal, folding: false) { $0.reversed().starts(with: $1.reversed()) }
        case "$endsWithi": value.hasText(literal, folding: true) { $0.reversed().starts(with: $1.reversed()) }
        case "$contains", "$regex": value.hasText(literal, folding: false, contains)
        case "$containsi", "$regexi": value.hasText(literal, folding: true, contains)
        case "$inNetwork": isInNetwork(value, literal)
        case "$notInNetwork": !isInNetwork(value, literal)
        default: false
        }
    }

    private static func contains(_ text: [Unicode.Scalar], _ part: [Unicode.Scalar]) -> Bool {
        (0...text.count).contains { text.dropFirst($0).starts(with: part) }
    }

    // MARK: Equality and order

    private static func equals(_ value: Value, _ literal: JSONValue, folding: Bool = false) -> Bool {
        switch (value, literal) {
        case (_, .null): value.isAbsent
        case (_, .number(let number)): value.number == number.double
        case (.untyped(let text), .boolean(let flag)): text.lowercased() == "\(flag)"
        case (.untyped(let text), .string(let other)), (.typed(.string(let text)), .string(let other)):
            text.scalars(folding: folding) == other.scalars(folding: folding)
        case (.typed(let value), _): value == literal
        case (.missing, _), (.untyped, _): false
        }
    }

    private static func isIn(_ value: Value, _ literal: JSONValue, folding: Bool = false) -> Bool {
        (value.elements ?? [value]).contains { element in
            literal.list.contains { equals(element, $0, folding: folding) }
        }
    }

    private static func isType(_ value: Value, _ literal: JSONValue) -> Bool {
        switch (literal, value) {
        case ("null", _): value.isAbsent
        case ("string", _): value.text != nil
        case ("number", .untyped): value.number != nil
        case ("boolean", .untyped(let text)): ["true", "false"].contains(text.lowercased())
        case ("number", .typed(.number)), ("boolean", .typed(.boolean)), ("array", .typed(.array)),
            ("object", .typed(.object)):
            true
        default: false
        }
    }

    private static func ordered(_ value: Value, _ literal: JSONValue, _ accepts: (Int) -> Bool) -> Bool {
        switch literal {
        case .number(let number): value.number.map { accepts(order($0, number.double)) } ?? false
        case .string(let other): value.text.map { accepts(order(UTF8Key($0), UTF8Key(other))) } ?? false
        default: false
        }
    }

    private static func order<Ordered: Comparable>(_ left: Ordered, _ right: Ordered) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }

    // MARK: Instants

    private static func instant(_ value: Value, _ literal: JSONValue, _ accepts: (Int) -> Bool) -> Bool {
        switch literal {
        case .string(let other):
            guard let instant = value.text.flatMap({ Instant(utf8: Array($0.utf8).span) }) else { return false }
            return Instant(other).map { accepts(order(instant, $0)) } ?? false
        case .object(let object):
            guard case .string(let other)? = object["instant"], let instant = Instant(other), let number = value.number
            else { return false }
            let seconds = Double(instant.seconds) + Double(instant.nanoseconds) / 1e9
            return accepts(order(number, object["epoch"] == "seconds" ? seconds : seconds * 1000))
        default: return false
        }
    }

    // MARK: Versions

    private struct Parts {
        let numbers: [String]
        let identifiers: [String]

        init?(_ text: String) {
            let form = /v?((?:0|[1-9][0-9]*)(?:\.(?:0|[1-9][0-9]*)){0,5})(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?/
            guard let match = text.wholeMatch(of: form.matchingSemantics(.unicodeScalar)) else { return nil }
            func identifiers(_ text: Substring?) -> [String]? {
                let all = text.map { $0.split(separator: ".", omittingEmptySubsequences: false).map(String.init) } ?? []
                return all.contains("") ? nil : all
            }
            let numbers = match.1.split(separator: ".").map(String.init)
            guard let names = identifiers(match.2), identifiers(match.3) != nil,
                !names.contains(where: { $0.count > 1 && $0.hasPrefix("0") && $0.allSatisfy(\.isNumber) })
            else { return nil }
            self.numbers = numbers + Array(repeating: "0", count: 6 - numbers.count)
            self.identifiers = names
        }

        /// Numbers as texts of one length.
        private static func padded(_ digits: String) -> String {
            String(repeating: "0", count: 60 - digits.count) + digits
        }

        func order(_ other: Parts) -> Int {
            for (left, right) in zip(numbers, other.numbers) where left != right {
                return ConditionOracle.order(Self.padded(left), Self.padded(right))
            }
            if identifiers.isEmpty || other.identifiers.isEmpty {
                return (identifiers.isEmpty ? 1 : 0) - (other.identifiers.isEmpty ? 1 : 0)
            }
            for (left, right) in zip(identifiers, other.identifiers) where left != right {
                switch (left.allSatisfy(\.isNumber), right.allSatisfy(\.isNumber)) {
                case (true, true): return ConditionOracle.order(Self.padded(left), Self.padded(right))
                case (true, false): return -1
                case (false, true): return 1
                case (false, false): return ConditionOracle.order(UTF8Key(left), UTF8Key(right))
                }
            }
            return ConditionOracle.order(identifiers.count, other.identifiers.count)
        }
    }

    private static func version(_ value: Value, _ literal: JSONValue, _ accepts: (Int) -> Bool) -> Bool {
        let other: String
        switch literal {
        case .string(let literal): other = literal
        case .number(let number): other = number.text
        default: return false
        }
        guard let own = value.text.flatMap(Parts.init), let other = Parts(other) else { return false }
        return accepts(own.order(other))
    }

    // MARK: Networks

    /// The bits of an address: 32 or 128.
    private static func bits(_ text: some StringProtocol) -> [Bool]? {
        guard !text.utf8.contains(0) else { return nil }
        var bytes = Array(repeating: UInt8(0), count: 16)
        if inet_pton(AF_INET, String(text), &bytes) == 1 {
            bytes.removeLast(12)
        } else {
            guard inet_pton(AF_INET6, String(text), &bytes) == 1 else { return nil }
            if bytes.starts(with: Array(repeating: 0, count: 10) + [0xFF, 0xFF]) { bytes.removeFirst(12) }
        }
        return bytes.flatMap { byte in (0..<8).map { byte & (0x80 >> $0) != 0 } }
    }

    private static func isInNetwork(_ value: Value, _ literal: JSONValue) -> Bool {
        guard let address = value.text.flatMap({ bits($0) }) else { return false }
        return literal.list.contains { network in
            guard case .string(let text) = network else { return false }
            let parts = text.split(separator: "/")
            guard let start = bits(parts[0]), start.count == address.count else { return false }
            var length = parts.count > 1 ? Int(parts[1]) ?? 0 : start.count
            // The prefix of an IPv4-mapped network.
            if start.count == 32, parts[0].contains(":"), parts.count > 1 { length -= 96 }
            return address.prefix(length) == start.prefix(length)
        }
    }
}

extension ConditionOracle.Value {
    fileprivate var isAbsent: Bool {
        switch self {
        case .missing, .typed(.null): true
        case .untyped, .typed: false
        }
    }

    fileprivate var elements: [Self]? {
        if case .typed(.array(let elements)) = self { elements.map(Self.typed) } else { nil }
    }

    fileprivate func member(_ name: String) -> Self {
        guard case .typed(.object(let object)) = self, let member = object[name] else { return .missing }
        return .typed(member)
    }

    fileprivate var text: String? {
        switch self {
        case .untyped(let text), .typed(.string(let text)): isAbsent ? nil : text
        case .missing, .typed: nil
        }
    }

    fileprivate var number: Double? {
        if case .typed(.number(let number)) = self { return number.double }
        let form = /-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?/
        guard let text, text.utf8.count <= 40, text.wholeMatch(of: form.matchingSemantics(.unicodeScalar)) != nil else {
            return nil
        }
        return Double(text)
    }

    /// Whether the text has one of the literals.
    fileprivate func hasText(
        _ literal: JSONValue, folding: Bool, _ test: ([Unicode.Scalar], [Unicode.Scalar]) -> Bool
    ) -> Bool {
        guard let scalars = text?.scalars(folding: folding) else { return false }
        return literal.list.contains { part in
            if case .string(let part) = part { test(scalars, part.scalars(folding: folding)) } else { false }
        }
    }
}

extension String {
    fileprivate func scalars(folding: Bool) -> [Unicode.Scalar] {
        folding
            ? unicodeScalars.flatMap { Array($0.properties.lowercaseMapping.unicodeScalars) } : Array(unicodeScalars)
    }
}

extension JSONValue {
    /// The elements of a list, or the value alone.
    fileprivate var list: [JSONValue] {
        if case .array(let elements) = self { elements } else { [self] }
    }
}
