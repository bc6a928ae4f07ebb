import AllotConfiguration

/// Where in a payload a value stands: `$.features["checkout-color"].rules[0]`. `Sendable`.
package struct PayloadPath: Sendable, Hashable, CustomStringConvertible {
    private enum Step: Sendable, Hashable {
        case member(String)
        case element(Int)
    }

    private var steps: [Step] = []

    /// The whole payload.
    package static let root = PayloadPath()

    /// The path of a member of the object here.
    package func appending(key: String) -> PayloadPath {
        var path = self
        path.steps.append(.member(key))
        return path
    }

    /// The path of an element of the list here.
    package func appending(index: Int) -> PayloadPath {
        var path = self
        path.steps.append(.element(index))
        return path
    }

    /// The path as JSONPath (RFC 9535) writes it.
    package var description: String {
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
