import AllotConfiguration
import AllotCore

/// Gives things names that are valid in definitions, each once whatever its case, as files have them. `Sendable`.
struct NameTable: Sendable {
    private var used: Set<String>
    private var numbers: [String: Int] = [:]

    init(reserved: Set<String> = []) { used = reserved }

    /// `name` with "-" for what a name cannot hold, cut to its greatest length, and with a number if it is taken.
    mutating func unique(_ name: String) -> String {
        let valid = Self.valid(name)
        let folded = valid.lowercased()
        guard used.contains(folded) else {
            used.insert(folded)
            return valid
        }
        var number = numbers[folded] ?? 1
        while true {
            number += 1
            let suffix = "-\(number)"
            let candidate = String(valid.prefix(Salt.maximumLength - suffix.utf8.count)) + suffix
            if used.insert(candidate.lowercased()).inserted {
                numbers[folded] = number
                return candidate
            }
        }
    }

    /// `name` with "-" for each run of characters that a name cannot hold, cut to its greatest length.
    static func valid(_ name: String) -> String {
        if Salt.isValid(name) { return name }
        var result = ""
        for byte in name.utf8 {
            if byte.isOfPlainName || byte == UInt8(ascii: ".") {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else if result.last != "-" {
                result.append("-")
            }
        }
        result = String(result.drop { !$0.isLetter && !$0.isNumber }.prefix(Salt.maximumLength))
        while let last = result.last, last == "-" || last == "." { result.removeLast() }
        return result.isEmpty ? "unnamed" : result
    }
}

/// IDs of rules, which end the names of their experiments: numbers would change when a rule is inserted.
enum RuleID {
    /// The ID as names have it: of a random UUID, of version 4, the first eight digits. Returns `nil` without an ID.
    static func short(_ id: String?) -> String? {
        guard let id, !id.isEmpty else { return nil }
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        let isRandom =
            parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts[2].first == "4"
            && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
        return isRandom ? String(parts[0]) : id
    }

    static func name(_ key: String, _ id: String) -> String {
        "\(key.prefix(max(0, Salt.maximumLength - id.utf8.count - 1)))-\(id)"
    }
}
