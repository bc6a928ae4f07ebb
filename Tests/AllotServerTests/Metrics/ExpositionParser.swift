/// A small reader of Prometheus' text format 0.0.4, written from its description and not from the writer.
struct Exposition: Equatable {
    struct Sample: Equatable {
        var name: String
        var labels: [String: String]
        var value: Double
    }

    struct Malformed: Error {
        let line: String
    }

    var types: [String: String] = [:]
    var helps: [String: String] = [:]
    var samples: [Sample] = []

    init(_ bytes: [UInt8]) throws {
        guard bytes.isEmpty || bytes.last == UInt8(ascii: "\n") else {
            throw Malformed(line: "no line feed at the end")
        }
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix("# ") {
                let words = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
                guard words.count == 4 else { throw Malformed(line: text) }
                switch words[1] {
                case "TYPE":
                    guard types.updateValue(words[3], forKey: words[2]) == nil else { throw Malformed(line: text) }
                case "HELP":
                    var rest = Substring(words[3])
                    helps[words[2]] = try Self.unescaped(&rest, until: nil, line: text)
                default: throw Malformed(line: text)
                }
            } else {
                samples.append(try Self.sample(text))
            }
        }
    }

    subscript(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        let found = samples.filter { $0.name == name && $0.labels == labels }
        return found.count == 1 ? found[0].value : nil
    }

    private static func sample(_ line: String) throws -> Sample {
        var rest = Substring(line)
        let name = String(rest.prefix { $0 != "{" && $0 != " " })
        guard isName(name, colon: true) else { throw Malformed(line: line) }
        rest.removeFirst(name.count)
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest.removeFirst()
            while rest.first != "}" {
                let key = String(rest.prefix { $0 != "=" })
                guard isName(key, colon: false), rest.dropFirst(key.count).hasPrefix("=\"") else {
                    throw Malformed(line: line)
                }
                rest.removeFirst(key.count + 2)
                let value = try unescaped(&rest, until: "\"", line: line)
                guard labels.updateValue(value, forKey: key) == nil else { throw Malformed(line: line) }
                if rest.first == "," { rest.removeFirst() } else if rest.first != "}" { throw Malformed(line: line) }
            }
            rest.removeFirst()
        }
        guard rest.first == " ", let value = Double(rest.dropFirst()) else { throw Malformed(line: line) }
        return Sample(name: name, labels: labels, value: value)
    }

    /// Reads up to an end mark, which it takes away, or to the end.
    private static func unescaped(_ rest: inout Substring, until end: Unicode.Scalar?, line: String) throws -> String {
        var result = String.UnicodeScalarView()
        var scalars = rest.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            if scalar == end {
                rest = Substring(scalars)
                return String(result)
            }
            guard scalar == "\\" else {
                result.append(scalar)
                continue
            }
            switch scalars.popFirst() {
            case "n": result.append("\n")
            case "\\": result.append("\\")
            case "\"" where end != nil: result.append("\"")
            default: throw Malformed(line: line)
            }
        }
        guard end == nil else { throw Malformed(line: line) }
        return String(result)
    }

    private static func isName(_ text: String, colon: Bool) -> Bool {
        guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            case UInt8(ascii: ":"): colon
            default: false
            }
        }
    }
}
