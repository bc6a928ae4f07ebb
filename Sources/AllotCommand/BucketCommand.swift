import Allot
import AllotFiles
import ArgumentParser

/// `allot bucket`
struct BucketCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bucket",
        abstract: "Print the hash and the buckets of unit IDs under a salt.",
        discussion: """
            For comparing with another implementation: SHA-256 of the salt, ":" and the unit ID, and the two buckets, \
            0 to 999999, that are computed from its first ten bytes. The first decides enrolment, the second the \
            variant. Fields are separated by tabs.

            EXAMPLE
              allot bucket checkout-button user-42
            """)

    @Argument(help: "The salt of an experiment, a layer or a holdout.", transform: Salt.init(argument:))
    var salt: Salt

    @Argument(help: .value("unit-id", "Unit IDs, taken exactly as they are."))
    var units: [String]

    func validate() throws {
        for unit in units where !(1...UnitID.maximumLength).contains(unit.utf8.count) {
            throw ValidationError("A unit ID has 1 to \(UnitID.maximumLength) bytes; this one has \(unit.utf8.count).")
        }
    }

    func run() throws {
        let hash = SaltedHash(salt)
        try StandardOutput.write(
            units.map { unit in
                let (digest, buckets) = (SHA256.hexadecimal(hash.digest(of: unit)), hash.buckets(of: unit))
                return "\(unit)\tsha256 \(digest)\tfirst \(buckets.first)\tsecond \(buckets.second)"
            })
    }
}

extension Salt {
    /// Reads a salt from the command line.
    init(argument: String) throws {
        guard let salt = Salt(argument) else {
            throw ValidationError(
                "a salt has 1 to 64 letters, digits, \".\", \"_\" and \"-\", and begins with a letter or digit")
        }
        self = salt
    }
}
