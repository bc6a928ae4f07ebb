import AllotCore
import TestSupport
import Testing

@testable import AllotAnalysis

struct ExposureLedgerTests {
    private struct Key: Hashable {
        let unit: Int
        let variant: Int
        let period: Int
    }

    /// The slow and simple way, as an oracle; the tables grow many times over.
    @Test("The ledger agrees with a dictionary", arguments: 0..<3)
    func agreesWithADictionary(seed: Int) {
        var generator = SeededGenerator(seed: seed)
        var ledger = ExposureLedger()
        var earliest: [Key: Moment] = [:]
        for _ in 0..<20_000 {
            let key = Key(
                unit: .random(in: 0..<9000, using: &generator), variant: .random(in: 0..<3, using: &generator),
                period: .random(in: 0..<2, using: &generator))
            let moment = Moment(.number, .random(in: 0..<50, using: &generator))
            let hash = "user-\(key.unit)".withBytes { ByteHash.hash($0) }
            let place = ledger.place(hash, variant: key.variant, period: key.period, moment: moment)
            let known = earliest[key]
            let isExpected =
                switch place.change {
                case .new: known == nil
                case .earlier: known.map { moment < $0 } ?? false
                case .asEarly: known == moment
                case .later: known.map { $0 < moment } ?? false
                }
            guard isExpected else { return #expect(isExpected, "\(place.change)") }
            earliest[key] = min(known ?? moment, moment)
        }
        #expect(ledger.records.count == earliest.count)
        #expect(ledger.unitCount == Set(earliest.keys.map(\.unit)).count)
        #expect(ledger.records.count(where: \.isHead) == ledger.unitCount)
        var chain: [Int] = []
        for unit in 0..<9000 {
            guard let head = ledger.head(of: "user-\(unit)".withBytes { ByteHash.hash($0) }) else { continue }
            ledger.chain(head, into: &chain)
            let found = chain.map { ledger.records[$0] }.map {
                (Key(unit: unit, variant: Int($0.variant), period: Int($0.period)), $0.moment)
            }
            #expect(found.allSatisfy { earliest[$0.0] == $0.1 })
        }
    }
}
