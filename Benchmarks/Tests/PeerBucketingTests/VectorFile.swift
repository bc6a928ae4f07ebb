import Foundation
import Testing

/// Buckets that the systems' own packages gave; `Benchmarks/peers/vectors.py` writes the file.
struct VectorFile: Decodable {
    let origin: String
    let systems: [System]

    struct System: Decodable, Sendable, CustomTestStringConvertible {
        let system: String
        let package: String
        let function: String
        let cases: [Case]

        var testDescription: String { "\(system), \(package)" }
    }

    struct Case: Decodable, Sendable {
        let salt: String
        let unit: String
        let bucket: UInt32
    }

    static func load() throws -> VectorFile {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/packages.json")
        return try JSONDecoder().decode(VectorFile.self, from: Data(contentsOf: file))
    }
}
