import AllotConfiguration

/// Where in a payload a value stands: `$.features["checkout-color"].rules[0]`. `Sendable`.
struct PayloadPath: Sendable, Hashable, CustomStringConvertible {
    private enum Step: Sendable, Hashable {
        case member(String)
        case element(Int)
    }

    private var steps: [Step] = []

    static let root = PayloadPath()

    func appending(key: String) -> PayloadPath {
        var path = self
        path.steps.append(.member(key))
        return path
    }

    func appending(index: Int) -> PayloadPath {
        var path = self
        path.steps.append(.element(index))
        return path
    }

    /// The path as JSONPath (RFC 9535) writes it.
    var description: String {
        steps.reduce("$") { text, step in
            switch step {
            case .element(let index): "\(text)[\(index)]"
            case .member(let key) where Self.isPlain(key): "\(text).\(key)"
            case .member(let key): "\(text)[\(PrintableText.jsonString(key))]"
            }
        }
    }

    private static func isPlain(_ key: String) -> Bool {
        guard let first = key.utf8.first, !first.isDigit else { return false }
        return key.utf8.allSatisfy(\.isOfPlainName)
    }
}
