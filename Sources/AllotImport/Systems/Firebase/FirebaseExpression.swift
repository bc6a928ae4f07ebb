import AllotConfiguration
import AllotCore

/// Translates the expression of a condition in a client template: tests of the app and its device, with "&&".
struct FirebaseExpression {
    private static let attributes = [
        "app.build": "app_build", "app.firebaseInstallationId": "firebase_installation_id", "app.id": "app_id",
        "app.version": "app_version", "device.country": "device_country", "device.language": "device_language",
        "device.os": "device_os",
    ]
    private static let versions: Set = ["app.build", "app.version"]
    private static let orders: [String: Set<VersionOrder>] = [
        ".<": [.less], ".<=": [.less, .equal], ".==": [.equal], ".!=": [.less, .greater], ".>": [.greater],
        ".>=": [.greater, .equal],
    ]

    private let node: PayloadNode
    private var rest: Substring.UnicodeScalarView
    private(set) var notes: Set<String> = []

    init(_ node: PayloadNode) throws(ImportProblem) {
        self.node = node
        rest = try node.text()[...].unicodeScalars
    }

    mutating func condition() throws(ImportProblem) -> Guard {
        var tests = [try test()]
        while take("&&") { tests.append(try test()) }
        let more = run { _ in true }
        guard more.isEmpty else { throw node.problem("only \"&&\" can follow a test, not \(QuotedText(more))") }
        return .all(tests)
    }

    private mutating func test() throws(ImportProblem) -> Guard {
        let name = run(where: Self.isOfName)
        switch name.lowercased() {
        case "true": return .always
        case "false": return .never
        case "percent":
            throw node.problem("a percentage of a client template: Google's servers draw it by a hash of their own")
        default: break
        }
        if name.isEmpty, rest.isEmpty { throw node.problem("a test is missing here, such as device.os == 'ios'") }
        guard let (fact, attribute) = Self.attributes.first(where: { name == $0.key || name.hasPrefix($0.key + ".") })
        else {
            let known = Self.attributes.keys.sorted().joined(separator: ", ")
            throw node.problem(
                "\(QuotedText(name.isEmpty ? String(rest) : name)) cannot be imported from an expression, which "
                    + "Google's servers evaluate; an app can send \(known)")
        }
        var operation = String(name.dropFirst(fact.count))
        if operation.count < 2 { operation += run { "<>=!".unicodeScalars.contains($0) } }
        if operation.isEmpty { operation = run(where: Self.isOfName) }
        let targets = try texts()
        notes.insert(Self.note)
        guard Self.versions.contains(fact) else {
            return try .condition(.test(attribute, membership(operation, targets)))
        }
        if let orders = Self.orders[operation], targets.count == 1 {
            notes.insert(Self.noteOnVersions)
            return try FirebaseSignal.version(targets[0], at: node, on: attribute, orders)
        }
        return try .condition(.test(attribute, search(operation, targets)))
    }

    /// The operators of facts that are names.
    private func membership(_ operation: String, _ targets: [String]) throws(ImportProblem) -> JSONObject {
        switch (operation, targets.count) {
        case ("==", 1), ("in", 1): ["$eq": .string(targets[0])]
        case ("!=", 1): ["$exists": true, "$ne": .string(targets[0])]
        case ("in", _): ["$in": .strings(targets)]
        default: throw unknown(operation, targets)
        }
    }

    /// The operators that take versions as texts.
    private func search(_ operation: String, _ targets: [String]) throws(ImportProblem) -> JSONObject {
        switch operation {
        case ".exactlyMatches": return ["$in": .strings(targets)]
        case ".contains": return ["$contains": .strings(targets)]
        case ".notContains": return ["$exists": true, "$not": ["$contains": .strings(targets)]]
        case ".matches":
            // Firebase's patterns are RE2's, as Allot's are.
            for target in targets {
                do throws(RegularExpression.InvalidPattern) {
                    _ = try RegularExpression(target, ignoresCase: false)
                } catch {
                    throw node.problem("the pattern \(QuotedText(target)) is not valid for RE2: \(error.reason)")
                }
            }
            return ["$regex": .strings(targets)]
        default: throw unknown(operation, targets)
        }
    }

    private func unknown(_ operation: String, _ targets: [String]) -> ImportProblem {
        let count = targets.count == 1 ? "one text" : "\(targets.count) texts"
        return node.unknown(operator: operation, " with \(count)")
    }

    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "_.".unicodeScalars.contains(scalar))
    }

    private mutating func run(where isOfKind: (Unicode.Scalar) -> Bool) -> String {
        rest = rest.drop { $0.properties.isWhitespace }
        let run = rest.prefix(while: isOfKind)
        rest = rest[run.endIndex...]
        return String(run)
    }

    private mutating func take(_ token: String) -> Bool {
        rest = rest.drop { $0.properties.isWhitespace }
        guard rest.starts(with: token.unicodeScalars) else { return false }
        rest = rest.dropFirst(token.unicodeScalars.count)
        return true
    }

    private mutating func texts() throws(ImportProblem) -> [String] {
        let isCall = take("(")
        let isList = take("[")
        var texts = [try text()]
        while isList, take(",") { texts.append(try text()) }
        guard !isList || take("]"), !isCall || take(")") else {
            throw node.problem("a list of texts does not end, at \(QuotedText(String(rest)))")
        }
        return texts
    }

    private mutating func text() throws(ImportProblem) -> String {
        guard take("'"), let end = rest.firstIndex(of: "'") else {
            throw node.problem("expected a text in single quotes at \(QuotedText(String(rest)))")
        }
        let scalars = rest[..<end]
        rest = rest[rest.index(after: end)...]
        // Escapes in texts are not documented. A backslash before one of these characters is a pattern's in any case.
        for (scalar, next) in zip(scalars, Array(scalars.dropFirst()) + ["'"]) {
            guard scalar != "\\" || ".+*?()[]{}|^$-/dDsSwW".unicodeScalars.contains(next) else {
                throw node.problem("the backslash in \(QuotedText(String(scalars))) may be a part of it or an escape")
            }
        }
        return String(scalars)
    }

    private static let note =
        "Expressions of client templates test what Google's servers know of an app. Your app has to send it: "
        + attributes.sorted { $0.key < $1.key }.map { "\($0.key) as \($0.value)" }.joined(separator: ", ")
        + ". Texts are equal here if all their characters are; Google does not publish the rules of its servers"

    private static let noteOnVersions =
        "app_version and app_build have to be text of digits and dots where they are compared as versions, and 2.0 is "
        + "2.0.0; Google does not publish how its servers compare other text"
}
