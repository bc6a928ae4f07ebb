import AllotConfiguration
import AllotCore

/// The work that an import may do for parts of a payload that use each other, which may exceed any machine.
final class Budget {
    private var left: Int

    init(_ amount: Int) { left = amount }

    func spend(_ amount: Int = 1, at node: PayloadNode, _ message: String) throws(ImportProblem) {
        left -= amount
        guard left >= 0 else { throw node.problem(message) }
    }
}

/// A part of a payload that Allot cannot decide exactly, or cannot read: of a flag, or else of all. `Sendable`.
public struct ImportProblem: Error, Sendable, Hashable, CustomStringConvertible {
    let path: PayloadPath
    let message: String

    init(_ path: PayloadPath, _ message: String) {
        self.path = path
        self.message = message
    }

    init(_ path: PayloadPath, salt: String, of scheme: HashScheme?) {
        let found = salt.utf8.contains(0) ? "contains U+0000" : "has \(salt.utf8.count) bytes"
        self.init(path, "a salt has \(ForeignHash.saltForm(of: scheme)) in Allot, and this one \(found)")
    }

    /// `$.flags[0].rules: message`
    public var description: String { "\(PrintableText(path.description)): \(message)" }
}

/// Where in a payload a value stands: `$.features["checkout-color"].rules[0]`. `Sendable`.
struct PayloadPath: Sendable, Hashable, CustomStringConvertible {
    let description: String

    static let root = PayloadPath(description: "$")

    func appending(index: Int) -> PayloadPath { PayloadPath(description: "\(description)[\(index)]") }

    func appending(key: String) -> PayloadPath {
        let isPlain = key.utf8.first.map { !$0.isDigit } ?? false && key.utf8.allSatisfy(\.isOfPlainName)
        return PayloadPath(description: description + (isPlain ? ".\(key)" : "[\(PrintableText.jsonString(key))]"))
    }
}
