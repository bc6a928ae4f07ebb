import AllotConfiguration

extension ExperimentDefinition {
    /// Every value that any variant sets, by the path that leads to it; see ``VariantDefinition/overriddenPaths``.
    package var overriddenPaths: [[String]] { variants.flatMap(\.overriddenPaths) }

    /// The values that turn the configuration of a unit with any variant into that of a unit with the given variant:
    /// whatever any variant overrides has this variant's value, else the base's. They are to be merged. Merging removes
    /// nothing, so a member that neither the variant nor the base has is null.
    package func values(of variant: VariantDefinition, base: JSONObject) -> JSONObject {
        let whole = JSONValue.object(base).merging(.object(variant.overrides))
        // The whole of an object before single members of it, which may be null.
        let paths = overriddenPaths.sorted { $0.count < $1.count }
        return paths.reduce(into: [:] as JSONObject) { values, path in
            if case .object(let object) = Self.copy(path[...], from: whole, to: .object(values)) { values = object }
        }
    }

    /// A value with what another has at the end of a path, or where the path ends there early.
    private static func copy(_ path: ArraySlice<String>, from source: JSONValue?, to target: JSONValue?) -> JSONValue {
        guard let name = path.first, case .object(let members)? = source else { return source ?? .null }
        var copy: JSONObject = if case .object(let object)? = target { object } else { [:] }
        copy[name] = Self.copy(path.dropFirst(), from: members[name], to: copy[name])
        return .object(copy)
    }
}
