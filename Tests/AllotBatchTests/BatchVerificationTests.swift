import AllotConfiguration
import AllotCore
import AllotFiles
import TestSupport
import Testing

@testable import AllotBatch

struct BatchVerificationTests {
    private func verify(
        _ csv: String, _ plan: Plan, _ change: (inout BatchVerification) -> Void = { _ in }
    ) throws -> VerificationResult {
        var verification = BatchVerification(plan: plan, instant: Instant(seconds: 10))
        change(&verification)
        return try verification.run(InputFile(csv))
    }

    /// Counts are those of subjects decided one by one, whatever the chunks and threads.
    @Test("Rows that say what single decisions say are kept, and the others are counted", arguments: 0..<20)
    func agreesWithSingleDecisions(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let plan = Plan(RandomDefinitions.make(&random))
        var csv = "country,user_id,org_id,experiment,variant\n"
        var changed: Set<Int> = []
        var (count, withoutUnit) = (0, 0)
        for _ in 0..<100 {
            let attributes = RandomDefinitions.attributes(&random)
            var subject = Subject()
            for (name, value) in attributes { subject.setUntyped(name, value) }
            for assignment in plan.assignments(for: subject, at: Instant(seconds: 10)) {
                var variant = assignment.variant ?? ""
                if assignment.reason == .noUnit {
                    withoutUnit += 1
                } else if count % 11 == 3 {
                    variant = "other-\(count)"
                    changed.insert(count)
                }
                count += 1
                let fields = ["country", "user_id", "org_id"].map { attributes[$0] ?? "" }
                csv += csvText([fields + [assignment.experiment, variant]])
            }
        }
        let result = try verify(csv, plan) {
            $0.chunkSize = [64, 1000, 1 << 20][seed % 3]
            $0.threadCount = 1 + seed % 3
        }
        #expect(result.rowCount == count)
        #expect(result.keptCount == count - changed.count - withoutUnit)
        #expect(result.withoutUnitCount == withoutUnit)
        #expect(result.differences.reduce(0) { $0 + $1.count } == changed.count)
        #expect(result.isExact == (changed.count + withoutUnit == 0))
    }

    /// A plan of experiments with settings.
    private static func makePlan(_ base: JSONObject, _ experiments: [ExperimentDefinition]) -> Plan {
        Plan(Definitions(base: base, experiments: experiments))
    }

    private static var plan: Plan {
        var experiment = ExperimentDefinition.sample("button")
        experiment.variants = [
            VariantDefinition(
                key: "green", buckets: [0..<Bucketing.bucketCount], overrides: ["Flags": ["color": "green", "size": 2]])
        ]
        return makePlan(
            ["Flags": ["color": "blue", "size": 1, "note": .null, "on": true, "box": ["w": [2], "h": 1]]], [experiment])
    }

    @Test("Experiments are named by key, settings with or without their section, and values may be in quotes")
    func names() throws {
        let csv = #"""
            user_id,flag,variant
            u1,button,green
            u1,color,green
            u1,Flags.color,"""green"""
            u1,size,2
            u1,note,
            u1,note,null
            u1,on,True
            u1,on,TRUE
            u1,size,2.0
            u1,Flags.size,20e-1
            u1,box,"{ ""h"": 1.0, ""w"": [2] }"
            """#
        let result = try verify(csv + "\n", Self.plan)
        #expect(result.differences == [])
        #expect(result.keptCount == 11)
        let other = try verify("user_id,flag,variant\nu1,size,20\nu1,on,false\nu1,box,{}\n", Self.plan)
        #expect(other.keptCount == 0)
    }

    @Test("Differences say what was recorded, what is assigned and why, the most frequent first, with units")
    func differences() throws {
        let csv = """
            user_id,experiment,variant
            u1,button,red
            u2,button,red
            u3,button,red
            u4,button,red
            ,button,red
            u5,absent,red
            """
        let result = try verify(csv + "\n", Self.plan)
        #expect(
            result.differences.map {
                "\($0.count) \($0.experiment) \($0.recorded) \($0.found) \($0.reason) \($0.examples)"
            } == [
                #"4 button red green split ["u1", "u2", "u3"]"#, #"1 absent red  unknown ["u5"]"#,
            ])
        #expect(result.keptCount == 0)
        #expect(result.rowCount == 6)
        #expect(result.withoutUnitCount == 1)
    }

    @Test("A recorded value is not taken for the key of a variant, and a flag not for an experiment of its name")
    func ambiguousNames() throws {
        var experiment = ExperimentDefinition.sample("size")
        experiment.variants = [
            VariantDefinition(key: "0", buckets: [0..<Bucketing.bucketCount], overrides: ["Flags": ["size": 1]]),
            VariantDefinition(key: "1", buckets: [], overrides: ["Flags": ["size": 0]]),
        ]
        let plan = Self.makePlan(["Flags": ["size": 7]], [experiment])
        #expect(try verify("user_id,flag,variant\nu,size,1\n", plan).isExact)
        #expect(try verify("user_id,flag,variant\nu,size,0\n", plan).keptCount == 0)
        #expect(try verify("user_id,experiment,variant\nu,size,0\n", plan).isExact)
        #expect(try verify("user_id,experiment,variant\nu,size,1\n", plan).keptCount == 0)
    }

    @Test("Files that prove nothing are errors")
    func noEvidence() throws {
        #expect(throws: BatchError.self) { try verify("user_id,flag,variant\n", Self.plan) }
        #expect(throws: BatchError.self) {
            try verify("user_id,flag,variant\nu,color,green\n", Self.plan) {
                $0.attributeColumns = ["country": "user_id"]
            }
        }
        let result = try verify("user_id,flag,variant\n,color,blue\n,button,\n", Self.plan)
        #expect(result.keptCount == 0)
        #expect(result.withoutUnitCount == 2)
        #expect(!result.isExact)
    }

    @Test("Names of the other system are the keys that they have become")
    func renamed() throws {
        let result = try verify("user_id,flag,variant\nu,But Ton,Green!\nu,size,Green!\nu,color,Red\n", Self.plan) {
            $0.key = { $0.lowercased().filter(\.isLetter) }
        }
        #expect(result.keptCount == 2)
    }

    @Test("An experiment that the other system knows by a name is found by it, and several may be one there")
    func otherNames() throws {
        func experiment(_ key: String, _ audience: JSONValue) -> ExperimentDefinition {
            var experiment = ExperimentDefinition.sample(key)
            experiment.audience = ConditionParser.parse(audience, segments: SegmentTable()).condition ?? .everyone
            experiment.variants = [
                VariantDefinition(key: key, buckets: [0..<Bucketing.bucketCount], overrides: [:])
            ]
            return experiment
        }
        let plan = Self.makePlan([:], [experiment("a", ["c": 1]), experiment("a-2", ["c": 2]), experiment("a-3", [:])])
        let csv =
            "user_id,c,experiment,variant\nu,1,a,a\nu,2,a,a-2\nu,3,a,\nu,2,a,\nu,1,A,a-3\nu,1,a-3,a-3\nu,2,a-2,a-2\n"
        let result = try verify(csv, plan) { $0.otherNames = ["a-2": "a", "a-3": "A"] }
        // Only the unit that is recorded without a variant and gets a-2 differs.
        #expect(result.differences.map { "\($0.experiment) \($0.recorded) \($0.found)" } == ["a  a-2"])
    }

    @Test("More kinds of differences than are kept are counted alike by any number of threads")
    func manyDifferences() throws {
        var csv = "user_id,flag,variant\n"
        for number in 0..<12_000 { csv += "u,color,\(number)\n" }
        let results = try [1, 3].map { threads in
            try verify(csv, Self.plan) {
                $0.threadCount = threads
                $0.chunkSize = 20_000
            }
        }
        #expect(results[0].differences == results[1].differences)
        #expect(results[0].differences.reduce(0) { $0 + $1.count } == 12_000)
        #expect(results[0].differences[0].experiment == "(others)")
    }

    @Test("Missing columns are an error that names the option")
    func columns() throws {
        for (csv, message) in [
            ("user_id,variant\nu,green\n", "has no column \"experiment\" or \"flag\""),
            ("user_id,flag\nu,color\n", "has no column \"variant\""),
            ("id,flag,variant\nu,color,blue\n", "name the column of the unit IDs"),
        ] {
            let error = #expect(throws: BatchError.self) { try verify(csv, Self.plan) }
            #expect(error?.description.contains(message) == true)
        }
        let result = try verify("user_id,what,got\nu,color,green\n", Self.plan) {
            $0.experimentColumn = "what"
            $0.variantColumn = "got"
        }
        #expect(result.isExact)
    }
}
