import AllotCore
import Foundation
import Testing

@testable import AllotSQL

struct PatternFoldingTests {
    /// Whether more than the usual amounts are wanted, as `PatternEngineTests` says.
    private static let isThorough = ProcessInfo.processInfo.environment["ALLOT_RANDOM_PATTERNS"] != nil

    /// Each set of letters that RE2 finds equal is found as a whole, from any of its members.
    @Test("Letters that are equal without case are the same as in RE2")
    func setsOfEqualLettersAreRE2s() throws {
        var folding = PatternFolding()
        var letters = 0
        for scalar in PatternFolding.lettersWithCase.scalars where Self.hasCase(scalar) && scalar.value % 7 == 0 {
            let folded = try folding.folded(ScalarSet(scalar))
            let expression = try RegularExpression("\\A\\x{\(String(scalar.value, radix: 16))}\\z", ignoresCase: true)
            for other in folded.scalars {
                #expect(expression.matches(String(other)))
                #expect(try folding.folded(ScalarSet(other)) == folded)
            }
            letters += 1
        }
        #expect(letters > 300)
    }

    @Test("The blocks of letters contain every letter with case")
    func noLetterWithCaseIsOverlooked() throws {
        let others = PatternFolding.lettersWithCase.complement
        // All letters with case are in the first two planes; the thorough run looks at the others, too.
        let looked = others.intersection(ScalarSet([0...(Self.isThorough ? 0x10_ffff : 0x1_ffff)]))
        for scalar in looked.scalars where Self.hasCase(scalar) { Issue.record("\(scalar.value)") }
        let members = others.ranges.map {
            "\\x{\(String($0.lowerBound, radix: 16))}-\\x{\(String($0.upperBound, radix: 16))}"
        }
        let expression = try RegularExpression("[\(members.joined())]", ignoresCase: true)
        for scalar in PatternFolding.lettersWithCase.scalars { #expect(!expression.matches(String(scalar))) }
    }

    @Test("A range is folded like its members")
    func rangesAreFoldedWhole() throws {
        var folding = PatternFolding()
        #expect(try folding.folded(ScalarSet([0x6a...0x6c])) == ScalarSet([0x4a...0x4c, 0x6a...0x6c, 0x212a...0x212a]))
        #expect(
            try folding.folded(ScalarSet([0x3b1...0x3b3])) == ScalarSet([0x391...0x393, 0x3b1...0x3b3, 0x3d0...0x3d0]))
        #expect(
            try folding.folded(ScalarSet([0x80...0x10_ffff]))
                == ScalarSet([
                    0x4b...0x4b, 0x53...0x53, 0x6b...0x6b, 0x73...0x73, 0x80...0x10_ffff,
                ]))
        #expect(try folding.folded(.all) == .all)
    }

    private static func hasCase(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.changesWhenCaseMapped || scalar.properties.changesWhenCaseFolded
    }
}
