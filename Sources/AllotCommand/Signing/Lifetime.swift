import ArgumentParser

/// How long something is in force, on the command line: `7d`, `12h`, `30m`, `90s`.
struct Lifetime: ExpressibleByArgument {
    let seconds: Int64
    let defaultValueDescription: String

    private static let units: [(name: Character, seconds: Int64)] = [
        ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("w", 604_800),
    ]

    /// The longest: a century is a mistake, and sums of it do not overflow.
    private static let limit: Int64 = 36_525 * 86_400

    init?(argument: String) {
        guard let unit = Self.units.first(where: { $0.name == argument.last }) else { return nil }
        let digits = argument.dropLast()
        guard digits.allSatisfy(\.isASCII), digits.allSatisfy(\.isNumber), let count = Int64(digits), count > 0,
            count <= Self.limit / unit.seconds
        else { return nil }
        seconds = count * unit.seconds
        defaultValueDescription = argument
    }
}
