/// SplitMix64 (Steele, Lea and Flood 2014): the same numbers for a seed on every machine.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Creates a generator; equal seeds give equal numbers.
    public init(seed: some BinaryInteger) {
        state = UInt64(truncatingIfNeeded: seed)
    }

    /// Returns the next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

extension SeededGenerator {
    /// Returns true in a share of all throws.
    package mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }

    package mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// Returns one of some elements, which must not be empty.
    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    /// Returns a number of distinct elements, in random order; all of them if there are no more.
    package mutating func pick<Element>(_ count: Int, of elements: [Element]) -> [Element] {
        Array(elements.shuffled(using: &self).prefix(count))
    }
}
