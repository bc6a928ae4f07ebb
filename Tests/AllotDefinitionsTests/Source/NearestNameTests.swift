import AllotConfiguration
import AllotDefinitions
import TestSupport
import Testing

struct NearestNameTests {
    static let known = [
        "traffic", "variants", "weight", "winner", "key", "ends", "Ends", "$in", "$nin", "overrides", "BASES", "Base",
        "BASS", "rat", "bat",
    ]

    @Test(
        "The nearest known name is suggested: one that differs in case alone, or the smallest of those equally near",
        arguments: [
            ("trafic", "traffic"), ("TRAFFIC", "traffic"), ("wieght", "weight"), ("variant", "variants"),
            ("Overide", "overrides"), ("kye", "key"), ("ky", "key"), ("$i", "$in"), ("ENDS", "Ends"), ("ednsx", nil),
            ("wniner", "winner"), ("BASE", "Base"), ("cat", "bat"), ("layer", nil), ("x", nil), ("", nil),
        ])
    func nearest(name: String, expected: String?) {
        #expect(NearestName.hint(for: name, among: Self.known) == expected)
        #expect(NearestName.hint(for: name, among: Self.known.reversed()) == expected)
    }

    @Test("Very long names get no hint")
    func longNamesGetNoHint() {
        let long = String(repeating: "a", count: 1_000_000)
        #expect(NearestName.hint(for: long, among: [long]) == nil)
        #expect(NearestName.hint(for: "aaa", among: [long, "aab"]) == "aab")
    }

    /// The distance against a slow and simple oracle, through what the hint accepts.
    @Test("The distance agrees with a simple implementation", arguments: [1, 2, 3] as [UInt64])
    func agreesWithOracle(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let name = random.word()
            let other = random.word()
            let distance = slowDistance(Array(name), Array(other))
            let longest = max(name.count, other.count)
            let isNear = distance <= min(max(longest, 3) / 3, 3) && distance < longest
            #expect(NearestName.hint(for: name, among: [other]) == (isNear ? other : nil), "\(name) \(other)")
        }
    }

    private func slowDistance(_ left: [Character], _ right: [Character]) -> Int {
        guard let last = left.last, let other = right.last else { return left.count + right.count }
        let (shorterLeft, shorterRight) = (Array(left.dropLast()), Array(right.dropLast()))
        var best = slowDistance(shorterLeft, shorterRight) + (last == other ? 0 : 1)
        best = min(best, slowDistance(shorterLeft, right) + 1, slowDistance(left, shorterRight) + 1)
        if left.count > 1, right.count > 1, last == right[right.count - 2], other == left[left.count - 2] {
            best = min(best, slowDistance(Array(left.dropLast(2)), Array(right.dropLast(2))) + 1)
        }
        return best
    }
}

extension SeededGenerator {
    /// A word of 1 to 5 letters out of three.
    fileprivate mutating func word() -> String {
        String((0..<Int.random(in: 1...5, using: &self)).map { _ in "abc".randomElement(using: &self) ?? "a" })
    }
}
