import AllotConfiguration

/// Flag definitions in one of the forms that flagd reads: an object or a list of flags, or Kubernetes resources that
/// hold one.
struct FlagdDocument {
    let flags: [(key: String, value: PayloadNode)]
    let evaluators: FlagdEvaluators

    /// The definitions of a payload; several where it is a list of resources.
    static func all(in payload: PayloadNode) throws(ImportProblem) -> [FlagdDocument] {
        guard case .string(let kind)? = payload["kind"]?.value, payload["flags"] == nil else {
            return [try FlagdDocument(payload)]
        }
        switch kind {
        case "List", "FeatureFlagList":
            return try payload.required("items").elements().map(all(in:)).flatMap { $0 }
        case "FeatureFlag", "FeatureFlagConfiguration":
            let spec = try payload.required("spec")
            if let former = spec["featureFlagSpec"] { return [try FlagdDocument(former)] }
            return [try FlagdDocument(spec.required("flagSpec"))]
        default:
            throw payload.problem(
                "this is the Kubernetes resource \(QuotedText(kind)); flag definitions are in a FeatureFlag")
        }
    }

    private init(_ node: PayloadNode) throws(ImportProblem) {
        evaluators = try FlagdEvaluators(node["$evaluators"])
        flags = try node.required("flags").members(orElementsBy: "key")
    }
}
