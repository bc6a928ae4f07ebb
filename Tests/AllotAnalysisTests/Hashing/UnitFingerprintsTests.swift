import AllotAnalysis
import TestSupport
import Testing

@Suite struct UnitFingerprintsTests {
    /// Against a set, with many repetitions and IDs that differ little.
    @Test("A repeated unit ID is recognised", arguments: 1...5)
    func findsRepetitions(seed: Int) {
        var random = SeededGenerator(seed: seed)
        var fingerprints = UnitFingerprints()
        var oracle: Set<[UInt8]> = []
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...18, using: &random)
            let unitID = (0..<length).map { _ in UInt8.random(in: 0...2, using: &random) }
            let isNew = fingerprints.insert(unitID.span)
            #expect(isNew == oracle.insert(unitID).inserted)
        }
        #expect(fingerprints.count == oracle.count)
    }

    @Test("Many different unit IDs are all new", arguments: UnitShape.allCases)
    func manyDifferentIDs(shape: UnitShape) {
        var fingerprints = UnitFingerprints()
        for index in 0..<50_000 {
            let unitID = Array(shape.unitID(index).utf8)
            let isNew = fingerprints.insert(unitID.span)
            #expect(isNew)
        }
        #expect(fingerprints.count == 50_000)
    }
}
