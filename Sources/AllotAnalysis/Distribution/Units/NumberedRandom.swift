/// Random numbers by their number in the row: SplitMix64 (Steele, Lea and Flood 2014), which can start anywhere.
enum NumberedRandom {
    /// The number at `index`, 0 or more. Numbers at different indices of one seed differ.
    static func value(_ index: Int, seed: UInt64) -> UInt64 {
        mixed(mixed(seed &+ increment) &+ UInt64(truncatingIfNeeded: index) &* increment)
    }

    private static let increment: UInt64 = 0x9e37_79b9_7f4a_7c15

    private static func mixed(_ state: UInt64) -> UInt64 {
        var bits = state
        bits = (bits ^ (bits &>> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits &>> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits &>> 31)
    }

    /// A number from 0 to 1, both excluded.
    static func fraction(_ index: Int, seed: UInt64) -> Double {
        (Double(value(index, seed: seed) &>> 12) + 0.5) * 0x1p-52
    }
}
