import AllotConfiguration
import TestSupport

/// Seeded choices, in few words.
struct Dice {
    private var random: SeededGenerator

    init(seed: Int) {
        random = SeededGenerator(seed: seed)
    }

    /// True in a share of all throws.
    mutating func chance(_ share: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < share
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    /// One of some elements, which must not be empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    /// A number of distinct elements, in random order; all of them if there are no more.
    mutating func pick<Element>(_ count: Int, of elements: [Element]) -> [Element] {
        Array(elements.shuffled(using: &random).prefix(count))
    }

    /// Those elements that a coin of a given share picks, and one at least.
    mutating func some<Element>(of elements: [Element], share: Double = 0.5) -> [Element] {
        let some = elements.filter { _ in chance(share) }
        return some.isEmpty ? [pick(elements)] : some
    }
}
