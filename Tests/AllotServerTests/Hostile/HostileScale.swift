import Foundation

/// How much of something hostile clients do: little by default, more with `ALLOT_HOSTILE=FACTOR`.
enum HostileScale {
    private static let factor = ProcessInfo.processInfo.environment["ALLOT_HOSTILE"].flatMap { Int($0) } ?? 1

    /// Whether clients do much: then tests may also wait for times that are not a setting.
    static var isLarge: Bool { factor > 1 }

    /// A number of rounds.
    static func rounds(_ count: Int) -> Int { count * factor }

    /// A number of connections; a process of tests may have few open at once.
    static func connections(_ count: Int) -> Int { min(count * factor, 200) }
}
