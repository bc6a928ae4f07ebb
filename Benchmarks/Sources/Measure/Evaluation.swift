import Allot
import AllotDefinitions
import CBaseline
import Timing

/// Deciding prepared subjects.
struct Evaluation {
    let name: String
    private let plan: Plan
    private let prepared: [PreparedSubject]
    private static let instant = Instant(seconds: 1_795_262_400)

    static let subjects = (0..<64).map { index in
        var subject = Subject(id: "0f8fad5b-d9cb-469f-a165-70867728\(index + 1000)")
        subject.setUntyped("country", index % 8 == 0 ? "BR" : "DE")
        subject.setUntyped("app_version", index % 4 == 0 ? "2.2.9" : "2.10.1")
        subject.setUntyped("orders", "\(index)")
        return subject
    }

    init(_ name: String) throws {
        self.name = name
        plan = try Definitions.plan(name)
        prepared = Self.subjects.map { [plan] in PreparedSubject($0, for: plan) }
    }

    private func run(_ evaluator: inout Evaluator, count: Int) -> UInt64 {
        var sum = 0
        for index in 0..<count {
            evaluator.evaluate(prepared[index & 63])
            sum &+= evaluator.decision(of: 0).bucket ?? 1
        }
        return UInt64(truncatingIfNeeded: sum)
    }

    func work(count: Int) -> Stopwatch.Work {
        Stopwatch.Work(name: "decide: \(name)", operations: count) {
            var evaluator = Evaluator(plan: plan, at: Self.instant)
            return run(&evaluator, count: count)
        }
    }

    /// How often the allocator is asked for memory.
    func allocations(count: Int) -> UInt64 {
        var evaluator = Evaluator(plan: plan, at: Self.instant)
        Stopwatch.keep(run(&evaluator, count: 64))
        let before = baseline_allocation_count()
        Stopwatch.keep(run(&evaluator, count: count))
        return baseline_allocation_count() - before
    }
}

/// Definitions to measure with.
enum Definitions {
    static func plan(_ name: String) throws -> Plan {
        let variants = "variants: [ { key: a }, { key: b, overrides: { S: { SETTING: 1 } } } ]\n"
        let audience = "audience: { country: { $ne: BR }, app_version: { $vgte: 2.3.0 } }\n"
        var files: [(name: String, text: String)] = []
        switch name {
        case "everyone": files = [("checkout-button", variants)]
        case "two comparisons":
            files = [("checkout-button", "audience: { country: { $ne: BR }, orders: { $gte: 0 } }\n" + variants)]
        default: files = (0..<20).map { ("experiment-\($0)", ($0 % 2 == 0 ? audience : "") + variants) }
        }
        var base = "config_sections:\n  S:\n    settings:\n"
        var sources: [DefinitionSource] = []
        for (index, file) in files.enumerated() {
            base += "      v\(index): { value: 0 }\n"
            let text = "status: running\n" + file.text.split(separator: "SETTING").joined(separator: "v\(index)")
            sources.append(DefinitionSource(name: "\(file.name).yaml", bytes: Array(text.utf8)))
        }
        sources.append(DefinitionSource(name: "base.yaml", bytes: Array(base.utf8)))
        return try DefinitionsLoader().load(sources).plan
    }

    /// `count` experiments, each of one of 100 settings, in layers of `perLayer` experiments with equal slots; without
    /// layers where that is 0.
    static func served(count: Int, perLayer: Int) throws -> Plan {
        var base = "config_sections:\n  S:\n    settings:\n"
        for setting in 0..<100 { base += "      v\(setting): { value: 0 }\n" }
        var sources = [DefinitionSource(name: "base.yaml", bytes: Array(base.utf8))]
        var layers = ""
        for index in 0..<count {
            var text = "status: running\n"
            if perLayer > 0 {
                let place = index % perLayer
                let width = 100 / perLayer
                if place == 0 { layers += "layer-\(index / perLayer): {}\n" }
                text += "layer: layer-\(index / perLayer)\nslots: [\(place * width)%..<\((place + 1) * width)%]\n"
            } else if index % 2 == 0 {
                text += "audience: { country: { $ne: BR }, app_version: { $vgte: 2.3.0 } }\n"
            }
            let setting = perLayer > 0 ? index / perLayer : index
            text += "variants: [ { key: a }, { key: b, overrides: { S: { v\(setting): 1 } } } ]\n"
            sources.append(DefinitionSource(name: "experiment-\(index).yaml", bytes: Array(text.utf8)))
        }
        if perLayer > 0 { sources.append(DefinitionSource(name: "layers.yaml", bytes: Array(layers.utf8))) }
        return try DefinitionsLoader().load(sources).plan
    }
}
