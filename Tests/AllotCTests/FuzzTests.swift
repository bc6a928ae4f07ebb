import AllotCore
import CAllot
import Foundation
import TestSupport
import Testing

/// Random input of any kind: it never crashes, and answers agree. `.ci/fuzz` runs the same tables, for longer and with
/// the address sanitizer.
struct FuzzTests {
    private static let rounds = ProcessInfo.processInfo.environment["ALLOT_ARROW_TABLES"].flatMap(Int.init) ?? 60

    @Test("Hostile tables", arguments: 0..<8)
    func tables(seed: Int) throws {
        let plan = try LentPlan(HostileTable<SeededGenerator>.definitions)
        var failures = 0
        for round in 0..<Self.rounds {
            var trial = HostileTrial(SeededGenerator(seed: seed * 1_000_003 + round))
            let (answer, problem) = trial.run(plan.pointer)
            if let problem {
                Issue.record("seed \(seed), round \(round): \(problem)\n\(trial.description)")
                return
            }
            if case .failure(let message) = answer {
                failures += 1
                #expect(!message.isEmpty)
                #expect(!message.contains("data changed"), "seed \(seed), round \(round): \(message)")
            }
        }
        // Enough of both kinds.
        #expect((Self.rounds / 10...Self.rounds * 9 / 10).contains(failures), "\(failures) of \(Self.rounds)")
        withExtendedLifetime(plan) {}
    }

    private static let texts = [
        #"{"user_id": "u", "country": "DE", "n": [1, null, {"a": 1.5e300}], "t": true}"#,
        #"{"at": "2026-11-21T12:00:00Z", "experiments": ["e1", "e2"], "threads": 2}"#,
        #"{"columns": {"user_id": "id"}, "layout": "long", "all": true, "format": "text"}"#,
        #"{"counts": {"a": 10, "b": 12}, "shares": {"a": 1, "b": 1}, "threshold": 0.01}"#,
        #"{"baseline": "10%", "effect": 0.01, "allocation": [1, 2], "units": 1000}"#,
    ]

    @Test("Mutated JSON for attributes and options", arguments: 0..<4)
    func json(seed: Int) throws {
        let plan = try LentPlan(HostileTable<SeededGenerator>.definitions)
        let table = LentColumn(.table([.texts(["u1", "u2"]).named("user_id"), .integers([1, 9]).named("x")]))
        var random = SeededGenerator(seed: seed)
        func mutated() -> [CChar] {
            var bytes = Array((Self.texts.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 1...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2:
                    bytes.insert(contentsOf: Array("[{\"\\u,:}]0e9".utf8).shuffled(using: &random).prefix(2), at: place)
                case 3: bytes.append(contentsOf: bytes[place...].prefix(20))
                default: bytes.replaceSubrange(place..., with: [])
                }
                if bytes.isEmpty { bytes = [0x7B] }
            }
            return bytes.map { CChar(bitPattern: $0) } + [0]
        }
        for _ in 0..<Self.rounds {
            let (first, second) = (mutated(), mutated())
            var (output, message): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?) = (nil, nil)
            func finish(_ status: allot_status) {
                #expect((status == ALLOT_OK) == (message == nil))
                #expect(status == ALLOT_OK || output == nil)
                allot_text_release(output)
                allot_text_release(message)
                (output, message) = (nil, nil)
            }
            finish(allot_decide(plan.pointer, first, second, &output, &message))
            finish(allot_config(plan.pointer, first, second, &output, &message))
            finish(allot_explain(plan.pointer, first, second, &output, &message))
            finish(allot_power(first, &output, &message))
            finish(allot_srm(plan.pointer, nil, 0, first, &output, &message))
            finish(allot_srm(nil, first, first.count - 1, second, &output, &message))
            let assigned = AssignedTable()
            finish(
                allot_assign(
                    plan.pointer, first, table.schema, table.array, &assigned.schema, &assigned.array, &message))
        }
        withExtendedLifetime((plan, table)) {}
    }
}
