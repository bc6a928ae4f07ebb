/// Reads the syntax of Rust's `regex` crate.
struct RustPatternParser {
    typealias Node = RustPatternNode
    typealias Unsupported = RustPattern.Unsupported

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var depth = 0

    init(_ pattern: String) {
        scalars = Array(pattern.unicodeScalars)
    }

    mutating func pattern() throws(Unsupported) -> Node {
        let root = try choice()
        guard index == scalars.count else { throw Unsupported(reason: "the pattern has a \")\" without a \"(\"") }
        var parts = root.elements
        // At its ends a boundary is the end of the text, or a character that no word has. Inside it would have to look
        // at a character that the pattern takes already.
        if parts.count > 1, case .wordBoundary = parts[0], Self.isWord(parts[1]) {
            parts[0] = .set("(?:\\A|\(Node.notWord))")
        }
        if parts.count > 1, case .wordBoundary = parts[parts.count - 1], Self.isWord(parts[parts.count - 2]) {
            parts[parts.count - 1] = .set("(?:\\z|\(Node.notWord))")
        }
        let result = parts.count == 1 ? parts[0] : Node.sequence(parts)
        guard !result.hasWordBoundary else {
            throw Unsupported(
                reason:
                    "its \\b knows all of Unicode's letters, and can be moved only before or after a plain letter at "
                    + "the ends of a pattern")
        }
        return result
    }

    private static func isWord(_ node: Node) -> Bool {
        switch node {
        case .literal(let scalar):
            scalar == "_" || scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        case .set(let text): text == Node.word || text == "\\p{Nd}"
        default: false
        }
    }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func take(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard scalars[index...].starts(with: wanted) else { return false }
        index += wanted.count
        return true
    }

    private mutating func choice() throws(Unsupported) -> Node {
        depth += 1
        defer { depth -= 1 }
        guard depth < 100 else { throw Unsupported(reason: "its groups are too deep") }
        var alternatives: [Node] = [try sequence()]
        while take("|") { alternatives.append(try sequence()) }
        return alternatives.count == 1 ? alternatives[0] : .choice(alternatives)
    }

    private mutating func sequence() throws(Unsupported) -> Node {
        var parts: [Node] = []
        while let scalar = next, scalar != "|", scalar != ")" { parts.append(try repeated(try atom())) }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func repeated(_ atom: Node) throws(Unsupported) -> Node {
        var suffix: String
        let minimum: Int
        switch next {
        case "*": (suffix, minimum) = ("*", 0)
        case "+": (suffix, minimum) = ("+", 1)
        case "?": (suffix, minimum) = ("?", 0)
        case "{":
            guard let end = scalars[index...].firstIndex(of: "}") else { throw Unsupported(reason: "a \"{\" is open") }
            let text = String(String.UnicodeScalarView(scalars[(index + 1)..<end]))
            let bounds = text.split(separator: ",", omittingEmptySubsequences: false)
            guard bounds.count <= 2, let least = Int(bounds[0]),
                bounds.dropFirst().allSatisfy({ Int($0) != nil || $0.isEmpty })
            else { throw Unsupported(reason: "{\(text)} is not a count of repetitions") }
            (suffix, minimum) = ("{\(text)}", least)
            index = end
        default: return atom
        }
        index += 1
        if take("?") { suffix += "?" }
        if let following = next, "*+?{".unicodeScalars.contains(following) {
            throw Unsupported(reason: "the pattern repeats a repetition, which RE2 refuses")
        }
        switch atom {
        case .start, .end, .wordBoundary, .flags:
            throw Unsupported(reason: "the pattern repeats what takes no character")
        default: return .repeated(atom, minimum: minimum, suffix: suffix)
        }
    }

    private mutating func atom() throws(Unsupported) -> Node {
        guard let scalar = next else { return .sequence([]) }
        index += 1
        switch scalar {
        case ".": return .anyCharacter
        case "^": return .start
        case "$": return .end
        case "(": return try group()
        case "[": return .set(try characterClass())
        case "\\": return try escape()
        case "*", "+", "?", "{": throw Unsupported(reason: "\"\(scalar)\" repeats nothing")
        default: return .literal(scalar)
        }
    }

    private mutating func group() throws(Unsupported) -> Node {
        var opening = "("
        if take("?P<") || take("?<") {
            guard let end = scalars[index...].firstIndex(of: ">"), next != "=", next != "!" else {
                throw Unsupported(reason: "the pattern looks behind, which RE2 cannot")
            }
            index = end + 1
        } else if take("?") {
            opening = "(?"
            while let flag = next, flag != ":", flag != ")" {
                guard "imsU-".unicodeScalars.contains(flag) else {
                    throw Unsupported(reason: "RE2 has no group \"(?\(flag)\"")
                }
                opening.unicodeScalars.append(flag)
                index += 1
            }
            if take(")") { return .flags(opening + ")") }
            opening += ":"
            index += 1
        }
        let part = try choice()
        guard take(")") else { throw Unsupported(reason: "a \"(\" is open") }
        return .group(opening, part)
    }

    /// The node after a backslash outside of a class.
    private mutating func escape() throws(Unsupported) -> Node {
        guard let scalar = next else { throw Unsupported(reason: "the pattern ends with a backslash") }
        switch scalar {
        case "A", "z":
            index += 1
            return .set("\\\(scalar)")
        case "b":
            index += 1
            guard next != "{" else { throw Unsupported(reason: "RE2 has no \\b{…}") }
            return .wordBoundary
        case "W":
            index += 1
            return .set(Node.notWord)
        case "S":
            index += 1
            return .set("[^\(Self.space)]")
        default:
            let isSeveral = scalar == "w" || scalar == "s"
            if let set = try set() { return .set(isSeveral ? "[\(set)]" : set) }
            return .literal(try escapedLiteral())
        }
    }

    private static let space =
        #"\t-\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}"#

    /// A named set of characters after a backslash, as the inside of a class.
    private mutating func set() throws(Unsupported) -> String? {
        guard let letter = next, "dDwspP".unicodeScalars.contains(letter) else { return nil }
        index += 1
        switch letter {
        case "d": return "\\p{Nd}"
        case "D": return "\\P{Nd}"
        case "w": return String(Node.word.dropFirst().dropLast())
        case "s": return Self.space
        default:
            guard take("{") else {
                guard let name = next else { throw Unsupported(reason: "\\p has no name") }
                index += 1
                return "\\\(letter){\(name)}"
            }
            guard let end = scalars[index...].firstIndex(of: "}") else { throw Unsupported(reason: "\\p{ is open") }
            let name = String(String.UnicodeScalarView(scalars[index..<end]))
            index = end + 1
            return "\\\(letter){\(name)}"
        }
    }

    /// A character after a backslash.
    private mutating func escapedLiteral() throws(Unsupported) -> Unicode.Scalar {
        guard let scalar = next else { throw Unsupported(reason: "the pattern ends with a backslash") }
        index += 1
        switch scalar {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "f": return "\u{0C}"
        case "v": return "\u{0B}"
        case "a": return "\u{07}"
        case "x": return try hexadecimal(digits: 2)
        case "u": return try hexadecimal(digits: 4)
        case "U": return try hexadecimal(digits: 8)
        case "<", ">": break
        default:
            let isPunctuation =
                scalar.isASCII && scalar.value > 0x20 && !scalar.properties.isAlphabetic
                && !("0"..."9").contains(scalar)
            if isPunctuation || scalar == " " { return scalar }
        }
        throw Unsupported(reason: "RE2 has no \\\(scalar)")
    }

    private mutating func hexadecimal(digits: Int) throws(Unsupported) -> Unicode.Scalar {
        var end = index + digits
        var start = index
        var closing = 0
        if take("{") {
            start = index
            end = scalars[index...].firstIndex(of: "}") ?? scalars.count
            closing = 1
        }
        guard end + closing <= scalars.count else { throw Unsupported(reason: "a hexadecimal number is cut off") }
        let text = String(String.UnicodeScalarView(scalars[start..<end]))
        guard let value = UInt32(text, radix: 16), let scalar = Unicode.Scalar(value) else {
            throw Unsupported(reason: "\(text) is not the number of a character")
        }
        index = end + closing
        return scalar
    }

    /// A class after its "[".
    private mutating func characterClass() throws(Unsupported) -> String {
        var text = "["
        if take("^") { text += "^" }
        var isFirst = true
        while true {
            guard let scalar = next else { throw Unsupported(reason: "a \"[\" is open") }
            if scalar == "]", !isFirst { break }
            isFirst = false
            if take("[:") {
                guard let end = scalars[index...].firstIndex(of: "]") else {
                    throw Unsupported(reason: "a \"[:\" is open")
                }
                text += "[:"
                text.unicodeScalars.append(contentsOf: scalars[index...end])
                index = end + 1
                continue
            }
            for operation in ["&&", "--", "~~", "["] where scalars[index...].starts(with: operation.unicodeScalars) {
                throw Unsupported(
                    reason: "the pattern computes with sets of characters (\"\(operation)\"), which RE2 cannot")
            }
            index += 1
            guard scalar == "\\" else {
                text += Self.inClass(scalar)
                if next == "-", scalars.dropFirst(index + 1).first != "]" { try range(&text) }
                continue
            }
            if next == "W" || next == "S" { throw Unsupported(reason: "RE2 has no \\W or \\S inside of [ ]") }
            if let set = try set() {
                text += set
            } else {
                text += Self.inClass(try escapedLiteral())
                if next == "-", scalars.dropFirst(index + 1).first != "]" { try range(&text) }
            }
        }
        index += 1
        return text + "]"
    }

    /// The rest of a range in a class, from its "-".
    private mutating func range(_ text: inout String) throws(Unsupported) {
        index += 1
        guard let scalar = next, scalar != "[" else { throw Unsupported(reason: "a range in [ ] has no end") }
        // "--" is an operation on sets.
        guard scalar != "-" else { throw Unsupported(reason: "the pattern computes with sets of characters (\"--\")") }
        index += 1
        text += "-" + Self.inClass(scalar == "\\" ? try escapedLiteral() : scalar)
    }

    private static func inClass(_ scalar: Unicode.Scalar) -> String {
        scalar == "-" ? "\\-" : Node.text(of: scalar)
    }
}
