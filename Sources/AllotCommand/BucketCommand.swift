import AllotConfiguration
import AllotCore
import ArgumentParser

struct BucketCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bucket", abstract: "Print the hash and the buckets of unit IDs under a salt.",
        usage: "allot bucket <salt> <unit-id> ... [--hash <scheme>] [<options>]",
        discussion: """
            For comparing with another implementation: SHA-256 of the salt, ":" and the unit ID, and the two buckets, \
            0 to 999999, that are computed from its first ten bytes. The first decides enrolment, the second the \
            variant. With --hash the one bucket that another system gives the unit, counted from 0. Fields are \
            separated by tabs.

            EXAMPLES
              allot bucket checkout-button user-42
              allot bucket --hash eppo/1 checkout-allocation-split user-42
            """)

    @Option(help: .hash) var hash = HashScheme.sha256
    @Option(help: .value("buckets", "The number of buckets, if the other system's payload says it."))
    var resolution: Int?
    @OptionGroup var report: ReportOptions<PlainForms>
    @Argument(help: "The salt of an experiment, a layer or a holdout; with --hash any text.") var salt: String
    @Argument(help: .value("unit-id", "Unit IDs, taken exactly as they are.")) var units: [String]

    func validate() throws {
        if UnitHash(hash, salt: salt) == nil {
            throw ValidationError("The value '\(salt)' is invalid for '<salt>': \(hash.saltForm)")
        }
        if UnitHash(hash, salt: salt, resolution: resolution) == nil {
            throw ValidationError(
                "The value '\(resolution ?? 0)' is invalid for '--resolution': \(hash.resolutionForm)")
        }
        for unit in units where !UnitID.isValidLength(unit.utf8.count) {
            throw ValidationError("A unit ID has 1 to \(UnitID.maximumLength) bytes; this one has \(unit.utf8.count).")
        }
    }

    func run() throws {
        guard let hash = UnitHash(hash, salt: salt, resolution: resolution) else { return }
        let results = units.map { Self.result(of: $0, hash) }
        try report.write(results.map(\.line), json: .array(results.map(\.json)))
    }

    /// The hash of a unit, and its buckets; the fields of the line are separated by tabs.
    private static func result(of unit: String, _ hash: UnitHash) -> (line: String, json: JSONValue) {
        let scheme = hash.scheme.rawValue
        switch hash {
        case .sha256(let salt):
            let hash = SaltedHash(salt)
            let (digest, buckets) = (SHA256.hexadecimal(hash.digest(of: unit)), hash.buckets(of: unit))
            let line = "\(unit)\tsha256 \(digest)\tfirst \(buckets.first)\tsecond \(buckets.second)"
            let json = JSONValue(members: [
                "unit": unit, "hash": scheme, "sha256": digest, "first": buckets.first, "second": buckets.second,
            ])
            return (line, json)
        case .other(let hash):
            let (bucket, resolution) = (hash.number(of: unit), hash.resolution)
            let json = JSONValue(members: ["unit": unit, "hash": scheme, "bucket": bucket, "resolution": resolution])
            return ("\(unit)\t\(scheme) \(bucket)\tof \(resolution)", json)
        }
    }
}
