import TestSupport
import Testing

@testable import AllotAnalysis

struct UnitLedgerTests {
    private func record(_ ledger: inout UnitLedger, _ unit: String, _ variant: Int, _ line: Int) -> UnitLedger.Finding {
        unit.withBytes { ledger.record($0, variant: variant, line: line) }
    }

    @Test("A unit is new once")
    func aUnitIsNewOnce() {
        var ledger = UnitLedger()
        #expect(record(&ledger, "a", 0, 2) == .new)
        #expect(record(&ledger, "a", 0, 3) == .repeated)
        #expect(record(&ledger, "b", 1, 4) == .new)
        #expect(record(&ledger, "a", 1, 5) == .inAnotherVariant(first: 0, line: 2))
        // It was reported, and is not reported again, whatever comes.
        #expect(record(&ledger, "a", 1, 6) == .repeated)
        #expect(record(&ledger, "a", 2, 7) == .repeated)
        #expect(ledger.count == 2)
    }

    @Test("An empty unit and the last variant are like any other")
    func anEmptyUnitAndTheLastVariantAreAsGoodAsOthers() {
        var ledger = UnitLedger()
        let last = UnitLedger.variantLimit - 1
        #expect(record(&ledger, "", last, 1 << 50) == .new)
        #expect(record(&ledger, "", last, 3) == .repeated)
        // Lines beyond 36 bits stay at the largest.
        #expect(record(&ledger, "", 0, 4) == .inAnotherVariant(first: last, line: (1 << 36) - 1))
    }

    /// The slow and simple way, as an oracle; the table grows many times over.
    @Test("The ledger agrees with a dictionary", arguments: 0..<4)
    func agreesWithADictionary(seed: Int) {
        var generator = SeededGenerator(seed: seed)
        var ledger = UnitLedger()
        var first: [String: (variant: Int, line: Int)] = [:]
        var crossed: Set<String> = []
        for line in 2..<40_000 {
            let unit = "user-\(Int.random(in: 0..<20_000, using: &generator))"
            let variant = Int.random(in: 0..<3, using: &generator)
            let expected: UnitLedger.Finding
            if let known = first[unit] {
                let isCrossing = known.variant != variant && crossed.insert(unit).inserted
                expected = isCrossing ? .inAnotherVariant(first: known.variant, line: known.line) : .repeated
            } else {
                first[unit] = (variant, line)
                expected = .new
            }
            let found = record(&ledger, unit, variant, line)
            guard found == expected else {
                Issue.record("line \(line): \(found), expected \(expected)")
                return
            }
        }
        #expect(ledger.count == first.count)
    }
}
