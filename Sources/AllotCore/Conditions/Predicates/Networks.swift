import AllotConfiguration

/// The operators that look for an address in networks.
enum NetworkOperator: String, Operator {
    case inNetwork = "$inNetwork"
    case notInNetwork = "$notInNetwork"

    var isNegation: Bool { self == .notInNetwork }
    func words(for literal: JSONValue) -> String { "\(verb) an address in \(literal.alternatives)" }

    func predicate<Node>(_ operand: Operand<Node>, _ reading: inout ConditionReading<Node>) -> Condition.Predicate? {
        guard let texts = reading.texts(operand.node, of: rawValue) else { return nil }
        var networks: [IPNetwork] = []
        for (text, node) in texts {
            do {
                networks.append(try IPNetwork(text))
            } catch {
                reading.report(node, "\(QuotedText(text)) \(error.reason)")
            }
        }
        return .inNetwork(networks)
    }
}

extension PassingValues {
    /// The addresses in networks; the candidates are the first and the last one of each range, and their neighbours.
    static func addresses(in networks: [IPNetwork]) -> PassingValues {
        let ranges = IPNetworkSet(networks).ranges
        let cuts = ranges.flatMap { range -> [UInt128] in
            [range.lowerBound] + (range.upperBound == .max ? [] : [range.upperBound + 1])
        }.map { Section.Cut(bound: .address($0), isAfter: false) }
        let literals = networks.map { JSONValue.string($0.address.description) }
        return PassingValues(form: .section(.address, Section(cuts: cuts)), literals: literals) {
            ranges.flatMap { range -> [JSONValue] in
                let (first, last) = (range.lowerBound, range.upperBound)
                let neighbours = [first == 0 ? first : first - 1, last == .max ? last : last + 1]
                return ([first, last] + neighbours).map { .string(IPAddress(bits: $0).description) }
            }
        }
    }
}
