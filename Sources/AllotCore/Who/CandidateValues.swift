import AllotConfiguration

/// Values at and around the literals of tests, in search of one for each way in which tests can come out.
struct CandidateValues {
    private(set) var texts: [String] = ["other", "", "true", "false"]
    private(set) var numbers: [Double] = [0]
    /// Lists and maps.
    private(set) var collections: [JSONValue] = [.array([]), .object([:]), ["other": 1]]

    init(_ predicates: [Condition.Predicate]) {
        for predicate in predicates { add(predicate) }
        let bounds = Set(numbers).sorted()
        // Far numbers beside near ones, because adding 1 changes no large number.
        numbers = bounds + zip(bounds, bounds.dropFirst()).map { $0 + ($1 - $0) / 2 }
        for bound in [bounds.first, bounds.last].compactMap({ $0 }) {
            numbers += [bound - 1, bound + 1, bound.nextDown, bound.nextUp].filter(\.isFinite)
        }
        texts += numbers.compactMap { JSONNumber($0)?.text }
        var seen: Set<UTF8Key> = []
        texts = texts.filter { seen.insert(UTF8Key($0)).inserted }
    }

    private mutating func add(_ literal: JSONValue) {
        switch literal {
        case .string(let text):
            texts += [text, text.lowercased(), text.uppercased()]
            // Text that reads as a number can meet a number.
            if let number = JSONNumber(text) { numbers.append(number.double) }
        case .number(let number): numbers.append(number.double)
        case .array, .object: collections.append(literal)
        case .null, .boolean: break
        }
    }

    private mutating func add(_ predicate: Condition.Predicate) {
        switch predicate {
        case .equals(let literal): add(literal)
        case .isIn(let list, _): for literal in list.literals { add(literal) }
        case .hasAll(let parts): addList(parts)
        case .hasElement(let part): addList([part])
        case .size(let part):
            for size in Self.literals(part).compactMap(Self.size) {
                for count in max(0, size - 1)...size + 1 { addList(of: Array(repeating: "other", count: count)) }
            }
        case .exists, .type: break
        case .orderedNumber(_, let number): numbers.append(number)
        case .orderedText(_, let text): texts += [text, text + "!", String(text.dropLast())]
        case .version(_, let text): texts += Self.versions(around: text)
        case .instant(_, let instant):
            texts += [-1, 0, 1].map { instant.moved(by: $0).description }
        case .hasPart(_, let literals, let ignoringCase):
            for text in literals + (ignoringCase ? literals.map { $0.uppercased() } : []) {
                texts += [text, text + "x", "x" + text, "x" + text + "x"]
            }
        case .matches(let expressions): texts += expressions.flatMap { Self.texts(matching: $0.pattern) }
        case .inNetwork(let networks): texts += Self.addresses(around: networks)
        }
    }

    private static let longestList = 50

    private mutating func addList(of elements: [JSONValue]) {
        if elements.count <= Self.longestList { collections.append(.array(elements)) }
    }

    /// Lists of the literals of conditions on elements.
    private mutating func addList(_ parts: [Condition]) {
        let literals = parts.flatMap(Self.literals)
        addList(of: literals)
        for literal in literals.prefix(Self.longestList) { addList(of: [literal]) }
    }

    /// All literals that a condition compares for equality or order.
    private static func literals(_ condition: Condition) -> [JSONValue] {
        condition.tests.flatMap { test -> [JSONValue] in
            switch test.predicate {
            case .equals(let literal): [literal]
            case .isIn(let list, _): list.literals
            case .orderedNumber(_, let number): [JSONValue(floatLiteral: number)]
            case .hasAll, .hasElement, .size: test.predicate.parts.flatMap(literals)
            case .orderedText(_, let text), .version(_, let text): [.string(text)]
            case .hasPart(_, let literals, _): literals.map(JSONValue.string)
            case .inNetwork(let networks): networks.map { .string($0.address.description) }
            case .instant(_, let instant): [.string(instant.description)]
            case .exists, .type, .matches: []
            }
        }
    }

    private static func size(_ literal: JSONValue) -> Int? {
        guard case .number(let number) = literal, (0...Double(longestList)).contains(number.double) else { return nil }
        return Int(number.double)
    }

    /// The version, and those just before and after it.
    private static func versions(around text: String) -> [String] {
        let core = text.drop { $0 == "v" || $0 == "V" }.prefix { $0 != "-" && $0 != "+" }
        let parts = core.split(separator: ".").compactMap { Int($0) }
        let padded = parts + Array(repeating: 0, count: max(0, 3 - parts.count))
        // Beyond the largest integer the text does not read as a version, and no test accepts it.
        let next = padded.indices.map { index in
            padded.indices.map { String(padded[$0] &+ ($0 == index ? 1 : 0)) }.joined(separator: ".")
        }
        return [text, padded.map(String.init).joined(separator: ".") + "-0", "0.0.0-0"] + next
    }

    /// The first and the last address of each range, and their neighbours.
    private static func addresses(around networks: [IPNetwork]) -> [String] {
        IPNetworkSet(networks).ranges.flatMap { range in
            let (first, last) = (range.lowerBound, range.upperBound)
            let neighbours = [first == 0 ? first : first - 1, last == .max ? last : last + 1]
            return ([first, last] + neighbours).map { IPAddress(bits: $0).description }
        }
    }

    /// Texts that a simple pattern may match.
    private static func texts(matching pattern: String) -> [String] {
        let plain = pattern.filter { !"^$\\".contains($0) }
        let filled = plain.replacing(".*", with: "").replacing(".+", with: "x").replacing(".", with: "x")
        let choices = filled.filter { !"()".contains($0) }.split(separator: "|").map(String.init)
        return [plain, filled] + choices + choices.map { "x" + $0 + "x" }
    }
}

extension Instant {
    package func moved(by seconds: Int64) -> Instant {
        Instant(seconds: self.seconds + seconds, nanoseconds: nanoseconds)
    }
}
