import AllotConfiguration
import AllotCore
import AllotFiles

/// The list of a folder's definition files with the SHA-256 of each, in a file of the folder: a folder of which a part
/// is missing is then invalid. The file is as `sha256sum` writes it, so that `sha256sum -c MANIFEST.sha256` checks it
/// too: on each line 64 hexadecimal digits, two characters of which the second may be "*", and the name.
struct DefinitionsManifest: Sendable {
    /// The name of the file. Its ending is not that of a definition, and it is not hidden, so that `cp folder/*` copies
    /// it.
    static let name = "MANIFEST.sha256"
    private var digests: [UTF8Key: String] = [:]

    init(_ sources: [DefinitionSource]) {
        for source in sources { digests[UTF8Key(source.name)] = Self.digest(source) }
    }

    var bytes: [UInt8] {
        let lines = digests.sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key.text)\n" }
        return Array(lines.joined().utf8)
    }

    func write(folder: String) throws(FileError) {
        try AtomicOutput.write(
            bytes, to: DefinitionsReading.shown(Self.name, in: folder), rules: OutputRules(isDurable: true))
    }

    private static func digest(_ source: DefinitionSource) -> String {
        SHA256.hexadecimal(SHA256.digest(of: source.bytes))
    }
}

// MARK: - Checking

extension DefinitionsManifest {
    private struct Malformed: Error { let line: Int }

    private init(parsing bytes: [UInt8]) throws(Malformed) {
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            // After the last line feed.
            if line.isEmpty, line.endIndex == bytes.endIndex { break }
            let (digits, separator, name) = (line.prefix(64), line.dropFirst(64).prefix(2), line.dropFirst(66))
            guard digits.count == 64, let digest = String(validating: digits, as: UTF8.self)?.lowercased(),
                digest.utf8.allSatisfy("0123456789abcdef".utf8.contains),
                separator.elementsEqual("  ".utf8) || separator.elementsEqual(" *".utf8), !name.isEmpty,
                let name = String(validating: name, as: UTF8.self),
                digests.updateValue(digest, forKey: UTF8Key(name)) == nil
            else { throw Malformed(line: index + 1) }
        }
    }

    static func problems(of content: DefinitionsFolder.Content, in folder: String) -> [DefinitionProblem] {
        guard let bytes = content.manifest else { return [] }
        let fix = "wait until the folder is copied completely, or write the manifest anew with allot check"
        func problem(_ name: String, _ message: String, at position: SourcePosition? = nil) -> DefinitionProblem {
            DefinitionProblem(
                severity: .error, file: DefinitionsReading.shown(name, in: folder), position: position,
                message: "\(message); \(fix)", path: nil)
        }
        var missing: [UTF8Key: String]
        do throws(Malformed) {
            missing = try Self(parsing: bytes).digests
        } catch {
            return [
                problem(
                    name, "the line is not 64 hexadecimal digits, two spaces and a name that no other line has",
                    at: SourcePosition(line: error.line, column: 1))
            ]
        }
        var problems: [DefinitionProblem] = []
        for source in content.sources {
            switch missing.removeValue(forKey: UTF8Key(source.name)) {
            case digest(source): break
            case nil: problems.append(problem(source.name, "\(name) does not name this file"))
            default: problems.append(problem(source.name, "the file's checksum differs from \(name)"))
            }
        }
        // Unreadable files are reported as that.
        for file in content.unread { missing[UTF8Key(file.name)] = nil }
        return problems
            + missing.keys.map { key in
                let isDefinition = DefinitionsFolder.reads(key.text)
                return problem(
                    key.text,
                    isDefinition ? "the file is missing" : "\(name) names this file, which is not a definition")
            }
    }
}
