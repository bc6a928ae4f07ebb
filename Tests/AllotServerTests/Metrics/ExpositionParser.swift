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
        let comment = /[#] (HELP|TYPE) ([^ ]*) ((?:[^\\]|\\[\\n])*)/.matchingSemantics(.unicodeScalar)
        let sample = /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{([\s\S]*)\})? ([^ ]+)/.matchingSemantics(.unicodeScalar)
        for bytes in bytes.split(separator: UInt8(ascii: "\n")) {
            let line = String(decoding: bytes, as: UTF8.self)
            if let match = line.wholeMatch(of: comment) {
                let (_, kind, name, text) = match.output
                guard kind == "TYPE" else {
                    helps[String(name)] = Self.unescaped(text)
                    continue
                }
                guard types.updateValue(String(text), forKey: String(name)) == nil else { throw Malformed(line: line) }
            } else if let match = line.wholeMatch(of: sample), let value = Double(match.output.3) {
                let labels = try Self.labels(match.output.2 ?? "", line)
                samples.append(Sample(name: String(match.output.1), labels: labels, value: value))
            } else {
                throw Malformed(line: line)
            }
        }
    }

    subscript(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        let found = samples.filter { $0.name == name && $0.labels == labels }
        return found.count == 1 ? found[0].value : nil
    }

    private static func labels(_ text: Substring, _ line: String) throws -> [String: String] {
        let label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)",/.matchingSemantics(.unicodeScalar)
        var (labels, rest): ([String: String], Substring) = ([:], text.isEmpty ? text : text + ",")
        while let match = rest.prefixMatch(of: label) {
            let value = unescaped(match.output.2)
            guard labels.updateValue(value, forKey: String(match.output.1)) == nil else { throw Malformed(line: line) }
            rest = rest[match.range.upperBound...]
        }
        guard rest.isEmpty else { throw Malformed(line: line) }
        return labels
    }

    private static func unescaped(_ text: Substring) -> String {
        let escape = /\\(["\\n])/.matchingSemantics(.unicodeScalar)
        let plain = text.replacing(escape) { match -> String in
            match.output.1 == "n" ? "\n" : String(match.output.1)
        }
        return String(plain)
    }
}
