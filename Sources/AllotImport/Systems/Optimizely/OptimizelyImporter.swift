import AllotConfiguration
import AllotCore

/// Translates Optimizely's datafile as `optimizely-sdk` 5.7.0 of PyPI evaluates it.
enum OptimizelyImporter: PayloadImporter {
    static let title = "Optimizely"

    static let otherMembers: Set = [
        "accountId", "anonymizeIP", "attributes", "audienceConditions", "audienceIds", "botFiltering", "conditions",
        "entityId", "environmentKey", "events", "featureEnabled", "forcedVariations", "host", "id", "integrations",
        "key", "layerId", "match", "name", "projectId", "publicKey", "publicKeyForODP", "region", "revision", "sdkKey",
        "sendFlagDecisions", "status", "trafficAllocation", "type", "value", "variables", "variationIds",
        "variations", "version",
    ]
    /// Optimizely's user ID is not an attribute there. No attribute has this name.
    static let unit = "user ID"

    static func project(_ payload: PayloadNode, _ options: PayloadImport) throws(ImportProblem) -> ImportedProject {
        let version = try payload.required("version")
        guard ["2", "3", "4"].contains(try version.text()) else {
            throw version.problem("unknown version of the datafile; this importer reads versions 2 to 4")
        }
        var project = ImportedProject(mainUnit: unit)
        project.unitName = "user_id"
        project.needsUnit = true
        project.notes.append(
            "Optimizely draws by the attribute $opt_bucketing_id where an app sends it, and not by the user ID. If "
                + "yours does, give Allot the bucketing ID as the unit ID; the datafile's lists of users stay user IDs."
        )
        project.notes.append(
            "Where an app has a user profile service, users keep the variations that it remembers, whatever the hash "
                + "gives, and the datafile does not say so. If yours does, verify the definitions against recorded "
                + "assignments.")
        let datafile = try OptimizelyDatafile(payload)
        for feature in try payload.list("featureFlags") {
            project.addFlag(try feature.required("key").text(), at: feature.path) { () throws(ImportProblem) in
                try OptimizelyFeature(feature, datafile).flag()
            }
        }
        for experiment in datafile.experiments where !datafile.featureExperiments.contains(experiment.id) {
            project.addFlag(experiment.key, at: experiment.node.path) { () throws(ImportProblem) in
                try experiment.flag(datafile.audiences)
            }
        }
        try noteHoldouts(of: datafile, on: payload["featureFlags"]?.elements() ?? [], in: &project)
        return project
    }

    private static func noteHoldouts(
        of datafile: OptimizelyDatafile, on features: [PayloadNode], in project: inout ImportedProject
    ) throws(ImportProblem) {
        let (idle, running) = (datafile.idleHoldouts, datafile.runningHoldouts)
        project.note("Holdouts that are not running change nothing: \(idle.quoted(atMost: .max)).", if: !idle.isEmpty)
        project.note(
            "Users are held out as optimizely-sdk 5.7.0 does it (\(running.quoted(atMost: .max))). Before 5.4.0 that "
                + "SDK does not know holdouts, before 5.6.0 not localHoldouts, and before 5.7.0 not "
                + "excludeTargetedDeliveries; SDKs of other languages differ too. If yours does, verify the "
                + "definitions against recorded assignments.", if: !running.isEmpty)
        for holdout in datafile.holdouts {
            project.note(
                "The holdout \(QuotedText(holdout.experiment.key)) has a list of flags, which optimizely-sdk 5.7.0 "
                    + "ignores: it holds users out of all flags, and so do the definitions. SDKs that read the list do "
                    + "not hold them out of these",
                on: features.filter { !holdout.lists(flag: $0.annotation("id") ?? "") }
                    .compactMap { $0.annotation("key") })
        }
    }
}

/// The parts of a datafile that flags refer to by their IDs.
struct OptimizelyDatafile {
    let audiences: OptimizelyAudiences
    private(set) var experiments: [OptimizelyExperiment] = []
    private(set) var featureExperiments: Set<String> = []
    private var positions: [String: Int] = [:]
    private var rollouts: [String: PayloadNode] = [:]
    private(set) var holdouts: [OptimizelyHoldout] = []
    private(set) var localHoldouts: [String: [OptimizelyHoldout]] = [:]
    private(set) var runningHoldouts: [String] = []
    private(set) var idleHoldouts: [String] = []

    init(_ payload: PayloadNode) throws(ImportProblem) {
        audiences = try OptimizelyAudiences(payload)
        for node in try payload.list("experiments") { try add(OptimizelyExperiment(node)) }
        for group in try payload.list("groups") {
            for node in try group.required("experiments").elements() {
                try add(OptimizelyExperiment(node, group: group))
            }
        }
        for rollout in try payload.list("rollouts") { rollouts[try rollout.required("id").text()] = rollout }
        for feature in try payload.list("featureFlags") {
            featureExperiments.formUnion(try feature["experimentIds"]?.texts() ?? [])
        }
        for node in try payload.list("holdouts") {
            if let holdout = try running(node) { holdouts.append(holdout) }
        }
        for node in try payload.list("localHoldouts") {
            guard let rules = try node["includedRules"]?.texts(), let holdout = try running(node) else { continue }
            for rule in rules { localHoldouts[rule, default: []].append(holdout) }
        }
    }

    private mutating func running(_ node: PayloadNode) throws(ImportProblem) -> OptimizelyHoldout? {
        let holdout = try OptimizelyHoldout(node)
        guard try holdout.experiment.isRunning() else {
            idleHoldouts.append(holdout.experiment.key)
            return nil
        }
        runningHoldouts.append(holdout.experiment.key)
        return holdout
    }

    private mutating func add(_ experiment: OptimizelyExperiment) throws(ImportProblem) {
        guard positions[experiment.id] == nil else {
            throw experiment.node.problem("there is another experiment with the ID \(QuotedText(experiment.id))")
        }
        positions[experiment.id] = experiments.count
        experiments.append(experiment)
    }

    func experiment(_ id: PayloadNode) throws(ImportProblem) -> OptimizelyExperiment {
        guard let position = positions[try id.text()] else {
            throw id.problem("the datafile has no experiment with this ID")
        }
        return experiments[position]
    }

    func rolloutRules(of feature: PayloadNode) throws(ImportProblem) -> [OptimizelyExperiment] {
        guard let id = feature["rolloutId"], !(try id.text()).isEmpty else { return [] }
        guard let rollout = rollouts[try id.text()] else {
            throw id.problem("the datafile has no rollout with this ID")
        }
        return try rollout.required("experiments").elements().map { node throws(ImportProblem) in
            try OptimizelyExperiment(node)
        }
    }
}
