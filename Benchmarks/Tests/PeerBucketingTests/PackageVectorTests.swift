import PeerBucketing
import Testing

/// Each system against what its own package answers.
struct PackageVectorTests {
    @Test("Buckets of the package", arguments: try VectorFile.load().systems)
    func bucketsOfThePackage(_ vectors: VectorFile.System) throws {
        let system = try #require(Peers.named(vectors.system))
        #expect(vectors.cases.count >= 80)
        for vector in vectors.cases {
            let salt = Self.wholeSalt(vector.salt, system: vectors.system)
            #expect(system.bucket(of: vector.unit, under: salt) == vector.bucket, "\(salt), \(vector.unit)")
        }
    }

    /// Where two salts are hashed, the vectors have a fixed second one.
    private static func wholeSalt(_ salt: String, system: String) -> String {
        switch system {
        case "LaunchDarkly": salt + ".c0ffee"
        case "Statsig pass percentage": salt + ".rule"
        default: salt
        }
    }

    @Test("Every system but the plain construction has vectors")
    func everySystemButThePlainConstructionHasVectors() throws {
        let verified = Set(try VectorFile.load().systems.map(\.system))
        let unverified = Peers.all.map(\.name).filter { !verified.contains($0) }
        #expect(unverified == ["CRC32, salt first"])
    }
}
