import AllotConfiguration
import AllotCore

/// The field of the context whose value is hashed.
enum UnleashStickiness: Equatable {
    /// The user's ID, else the session's, else a random number.
    case userOrSession
    case field(String)
    case random

    init(_ node: PayloadNode?) throws(ImportProblem) {
        switch try node?.text() ?? "default" {
        case "default": self = .userOrSession
        case "random": self = .random
        default:
            let field = try node?.contextField() ?? ""
            if let node, field == "currentTime" { throw node.problem("the time cannot hold units together") }
            self = .field(field)
        }
    }

    /// The fields, of which the first that is given is hashed, each with a condition that no earlier one is.
    var fields: [(name: String, condition: JSONValue)] {
        switch self {
        case .userOrSession: [("userId", .always), ("sessionId", .test("userId", ["$exists": false]))]
        case .field(let name): [(name, .always)]
        case .random: []
        }
    }
}

struct UnleashStrategy {
    enum Selection {
        case condition(Guard)
        /// By the number of a group's hash.
        case rollout(UnleashStickiness, group: String, percentage: Int)
    }

    let node: PayloadNode
    let name: String
    let selection: Selection
    let constraints: Guard?
    let variants: UnleashVariants?

    init(_ node: PayloadNode, feature: String, defaultGroup: String, segments: UnleashSegments) throws(ImportProblem) {
        self.node = node
        try node.checkMembers(known: Self.members)
        // The SDK reads texts only, under whatever names, and null is not one.
        if let list = node["parameters"] {
            for parameter in try PayloadNode(list.value, path: list.path).members() { _ = try parameter.value.text() }
        }
        name = try node.required("name").text()
        selection = try Self.selection(node, name, defaultGroup)
        constraints = try Self.constraints(node, segments)
        let parameters = node["parameters"]
        variants = try UnleashVariants(
            node["variants"], group: parameters?["groupId"], feature: feature,
            stickiness: UnleashStickiness(parameters?["stickiness"]), overrides: false)
    }

    private static let members: Set = [
        "name", "parameters", "constraints", "segments", "variants", "id", "title", "sortOrder", "disabled",
        "featureName", "links",
    ]

    private static func constraints(_ node: PayloadNode, _ segments: UnleashSegments) throws(ImportProblem) -> Guard? {
        var parts: [Guard] = []
        for reference in try node.list("segments") {
            guard let part = try segments.meaning(of: reference) else { return nil }
            parts.append(part)
        }
        return try UnleashConstraint.meaning(ofAll: node["constraints"]).map { Guard.all(parts + [$0]) }
    }

    /// Whether a strategy is a rollout that names no group, so that the feature's name stands for it.
    static func drawsInFeaturesName(_ node: PayloadNode) throws(ImportProblem) -> Bool {
        let parameters = node["parameters"]
        guard try node.required("name").text() == "flexibleRollout", parameters?["groupId"] == nil,
            let share = parameters?["rollout"],
            case .rollout = try rollout(share, UnleashStickiness(parameters?["stickiness"]), "", node)
        else { return false }
        return true
    }

    private static func selection(
        _ node: PayloadNode, _ name: String, _ defaultGroup: String
    ) throws(ImportProblem) -> Selection {
        let parameters = node["parameters"]
        switch name {
        case "default": return .condition(.always)
        case "applicationHostname":
            throw node.problem("the strategy applicationHostname depends on the machine that the SDK runs on")
        default: break
        }
        guard let key = keys[name] else {
            throw node.problem("the strategy \(QuotedText(name)) is code in the app, which the payload does not have")
        }
        guard let value = parameters?[key] else { return .condition(.never) }
        let stickiness: UnleashStickiness
        switch name {
        case "userWithId": return .condition(.condition(.test("userId", ["$in": .strings(try items(value))])))
        case "remoteAddress": return .condition(.condition(try networks(items(value), of: "remoteAddress", at: value)))
        case "gradualRolloutRandom": return try rollout(value, .random, defaultGroup, node)
        case "flexibleRollout": stickiness = try UnleashStickiness(parameters?["stickiness"])
        default:
            guard parameters?["groupId"] != nil else { return .condition(.never) }
            stickiness = .field(name == "gradualRolloutUserId" ? "userId" : "sessionId")
        }
        return try rollout(value, stickiness, group(parameters, defaultGroup), node)
    }

    /// The parameter without which a strategy holds for no unit.
    private static let keys = [
        "userWithId": "userIds", "remoteAddress": "IPs", "flexibleRollout": "rollout",
        "gradualRolloutUserId": "percentage", "gradualRolloutSessionId": "percentage",
        "gradualRolloutRandom": "percentage",
    ]

    private static func items(_ node: PayloadNode) throws(ImportProblem) -> [String] {
        let text = try node.text()
        if text.contains("\\") { try node.checkPlain(text) }
        return text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    }

    /// Addresses and networks; what is neither counts for nothing.
    static func networks(_ items: [String], of field: String, at node: PayloadNode) throws(ImportProblem) -> JSONValue {
        var (four, six): ([String], [String]) = ([], [])
        for item in items {
            guard let network = try network(item, at: node) else { continue }
            guard item.contains(":") else {
                four.append("\(network)")
                continue
            }
            six.append("\(network)")
            let first = network.address.bits
            let isOneAddress = network.ranges == [first...first] && !network.address.isIPv4
            guard first > IPAddress.mapped.upperBound || isOneAddress else {
                throw node.problem(
                    "the network \(item) may hold IPv4 addresses in the form of IPv6, which Allot takes for the IPv4 "
                        + "addresses that they are")
            }
        }
        var tests: [JSONValue] = []
        // An IPv4 address in the form of IPv6 is another address in Unleash.
        if !four.isEmpty {
            tests.append(.all([.test(field, ["$inNetwork": .strings(four)]), .not(.test(field, ["$contains": ":"]))]))
        }
        if !six.isEmpty { tests.append(.test(field, ["$inNetwork": .strings(six)])) }
        return .any(tests)
    }

    /// The network of an item, as Unleash reads lengths such as "+8" and "08". Returns `nil` for anything else.
    private static func network(_ item: String, at node: PayloadNode) throws(ImportProblem) -> IPNetwork? {
        let parts = item.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var text = item
        if parts.count == 2 {
            if parts[1].contains("."), (try? IPNetwork(parts[1])) != nil {
                throw node.problem("the network \(item) has a mask; write the length of its prefix, such as /8")
            }
            if !parts[1].hasPrefix("-"), let length = UInt8(parts[1]) { text = "\(parts[0])/\(length)" }
        }
        do throws(IPNetwork.Fault) {
            return try IPNetwork(text)
        } catch {
            guard case .hostBits(let wider) = error else { return nil }
            return wider
        }
    }

    private static func group(_ parameters: PayloadNode?, _ defaultGroup: String) throws(ImportProblem) -> String {
        guard let node = parameters?["groupId"] else { return defaultGroup }
        let group = try node.salt(of: .unleash1)
        try node.checkPlain(group)
        return group
    }

    private static func rollout(
        _ share: PayloadNode, _ stickiness: UnleashStickiness, _ group: String, _ node: PayloadNode
    ) throws(ImportProblem) -> Selection {
        let text = try share.text()
        let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return .condition(.never) }
        guard let percentage = Int(digits), percentage <= 100 else {
            throw share.problem("a percentage over 100 makes Unleash switch the whole feature off; correct it there")
        }
        guard percentage > 0 else { return .condition(.never) }
        switch stickiness {
        case .field: break
        case .userOrSession: if percentage == 100 { return .condition(.always) }
        case .random:
            guard percentage == 100 else {
                throw node.problem(
                    "this strategy draws at random on each call, so that no two answers need agree; set its "
                        + "stickiness in Unleash")
            }
            return .condition(.always)
        }
        return .rollout(stickiness, group: group, percentage: percentage)
    }

    /// The units that it enables, one alternative for each field that may be hashed.
    var alternatives: [Guard] {
        guard let constraints else { return [] }
        switch selection {
        case .condition(.never): return []
        case .condition(let condition): return [.all([constraints, condition])]
        case .rollout(let stickiness, let group, let percentage):
            return stickiness.fields.map { field in
                .all([
                    constraints, .condition(field.condition),
                    .draw(Draw(.unleash1, salt: group, unit: field.name), [0..<percentage]),
                ])
            }
        }
    }

    var comment: String {
        var text = "Unleash's strategy \(name)"
        if let title = node.annotation("title") { text += " (\(title))" }
        if case .rollout(let stickiness, let group, let percentage) = selection {
            let fields = stickiness.fields.map(\.name).joined(separator: ", else ")
            text += ": \(percentage) % of \(fields) in the group \(QuotedText(group))"
        }
        return text + "."
    }
}
