import AllotConfiguration
import AllotCore

/// The work that an import may do for parts of a payload that use each other, which may come to more than any machine
/// can do.
final class Budget {
    private var left: Int

    init(_ amount: Int) {
        left = amount
    }

    func spend(_ amount: Int = 1, at node: PayloadNode, _ message: String) throws(ImportProblem) {
        left -= amount
        guard left >= 0 else { throw node.problem(message) }
    }
}

/// A part of a payload that Allot cannot decide exactly as the other system does, or cannot read. `Sendable`.
///
/// Thrown while one flag is translated, it makes that flag inexact; thrown elsewhere it ends the import.
public struct ImportProblem: Error, Sendable, Hashable, CustomStringConvertible {
    let path: PayloadPath
    /// The fault, its reason and its fix.
    let message: String
    /// Whether a value has another type than it should have, which makes some SDKs refuse the whole payload.
    var isMismatch = false

    init(_ path: PayloadPath, _ message: String) {
        self.path = path
        self.message = message
    }

    func mismatching(_ isMismatch: Bool) -> ImportProblem {
        var problem = self
        problem.isMismatch = isMismatch
        return problem
    }

    /// A text that is hashed with the unit ID and cannot be a salt in Allot.
    init(_ path: PayloadPath, salt: String, of scheme: HashScheme?) {
        let found = salt.utf8.contains(0) ? "contains U+0000" : "has \(salt.utf8.count) bytes"
        self.init(path, "a salt has \(ForeignHash.saltForm(of: scheme)) in Allot, and this one \(found)")
    }

    /// `$.flags[0].rules: message`
    public var description: String {
        "\(PrintableText(path.description)): \(message)"
    }
}
