import AllotConfiguration
import AllotCore

/// A version as GrowthBook compares it, which is as text: without a "v" at the start and build metadata ("+" to the end
/// of the line), divided at "-" and ".", numbers padded to five characters with spaces, "~" added to exactly three
/// parts. So `2.0` is before `2.0.0`, and text that is not a version comes after all of them.
struct GrowthBookVersion: Equatable {
    private let parts: [[UInt8]]

    init(_ text: String) {
        var bytes = Array((text.isEmpty ? "0" : text).utf8)[...]
        if bytes.first == UInt8(ascii: "v") { bytes = bytes.dropFirst() }
        let ending = bytes.last == UInt8(ascii: "\n") ? bytes.suffix(1) : []
        let lastLine = bytes.dropLast(ending.count).lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.startIndex
        if let plus = bytes[lastLine...].firstIndex(of: UInt8(ascii: "+")) { bytes = bytes[..<plus] + ending }
        let split = bytes.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
        let parts = split.map { part in
            Self.isNumber(part) ? Array(repeating: Self.space, count: max(0, 5 - part.count)) + part : Array(part)
        }
        self.parts = parts.count == 3 ? parts + [Self.end] : parts
    }

    private static let space = UInt8(ascii: " ")
    private static let end = [UInt8(ascii: "~")]

    private static func isNumber(_ part: some Collection<UInt8>) -> Bool { !part.isEmpty && part.allSatisfy(\.isDigit) }

    /// The operator and the version by which Allot compares as GrowthBook does, wherever both have three numbers; `nil`
    /// for literals without one to three numbers of at most five digits. Longer versions come after a literal of one or
    /// two.
    static func short(_ name: String, _ literal: String) -> (name: String, version: String)? {
        guard Version(Array(literal.utf8).span) != nil else { return nil }
        let text = literal.prefix { $0 != "+" }.drop { $0 == "v" }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= (numbers.count == 3 ? 2 : 1), numbers.count <= 3,
            numbers.allSatisfy({ $0.utf8.count <= 5 && ($0 == "0" || !$0.hasPrefix("0")) }),
            // Numbers of a pre-release are padded as well.
            parts.dropFirst().joined().split(separator: ".").allSatisfy({ part in
                part.utf8.first.map { !$0.isDigit } ?? false || part.utf8.count <= 4 && part.utf8.allSatisfy(\.isDigit)
            })
        else { return nil }
        if numbers.count == 3 { return (name, literal) }
        let first = (numbers + ["0", "0"]).prefix(3).joined(separator: ".") + "-0"
        switch name {
        case "$vgt", "$vgte": return ("$vgte", first)
        case "$vlt", "$vlte": return ("$vlt", first)
        default: return nil
        }
    }

    /// The condition that a text is the same version. A pattern has what may follow a "v" at the start.
    func isSame(_ test: (JSONObject) -> JSONValue) -> JSONValue {
        var body = ""
        for (index, part) in parts.enumerated() {
            let number = part.drop { $0 == Self.space }
            let isPadded = part.count == 5 && number.count < 5 && Self.isNumber(number)
            let isText = !Self.isNumber(part) || part.count >= 5
            let texts = [isText ? Self.quoted(part) : nil, isPadded ? Self.quoted(number) : nil].compactMap { $0 }
            let pattern = "(?:\(texts.joined(separator: "|")))"
            // GrowthBook adds the "~" itself to three parts.
            let isAdded = index == 3 && parts.count == 4 && part == Self.end
            body += isAdded ? "(?:[-.]\(pattern))?" : (index > 0 ? "[-.]" : "") + pattern
        }
        body += #"(?:\+[^\n]*)?$"#
        let isWithoutV: [JSONValue] = [
            test(["$regex": .string("^\(body)")]), .not(test(["$startsWith": "v"])), .not(test(["$eq": ""])),
        ]
        let empty = self == GrowthBookVersion("") ? test(["$eq": ""]) : .never
        return .any([test(["$regex": .string("^v\(body)")]), .all(isWithoutV), empty])
    }

    private static func quoted(_ bytes: some Collection<UInt8>) -> String {
        bytes.map { byte in
            byte.isOfPlainName || byte == space || byte == UInt8(ascii: "~")
                ? String(UnicodeScalar(byte)) : "\\x{\(String(byte, radix: 16))}"
        }.joined()
    }
}
