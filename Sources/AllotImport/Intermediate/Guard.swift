import AllotConfiguration
import AllotCore

/// A drawing of a number for each unit, as the other system draws it. `Sendable`.
package struct Draw: Sendable, Hashable {
    package var scheme: HashScheme
    /// The other system's salt or seed.
    package var salt: String
    /// The attribute of the other system that holds the unit ID.
    package var unit: String
    /// The number of buckets, where the payload says it; `nil` for the scheme's own.
    package var resolution: Int?

    package init(_ scheme: HashScheme, salt: String, unit: String, resolution: Int? = nil) {
        self.scheme = scheme
        self.salt = salt
        self.unit = unit
        self.resolution = resolution
    }

    /// The number of buckets.
    package var bucketCount: Int {
        resolution ?? scheme.defaultResolution
    }

    /// The number of an empty text, which some systems draw for units without an ID.
    var numberOfEmptyText: Int {
        ForeignHash(scheme, salt: salt, resolution: resolution)?.number(of: "") ?? 0
    }
}

extension Draw {
    /// Compares salts and attributes by their bytes.
    package static func == (left: Draw, right: Draw) -> Bool {
        left.scheme == right.scheme && left.resolution == right.resolution
            && UTF8Order.areEqual(left.salt, right.salt) && UTF8Order.areEqual(left.unit, right.unit)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(scheme)
        hasher.combine(resolution)
        hasher.combine(UTF8Key(salt))
        hasher.combine(UTF8Key(unit))
    }
}

/// Which units a rule is about. `Sendable`.
package indirect enum Guard: Sendable {
    /// Every unit.
    case always
    /// No unit.
    case never
    /// A condition in Allot's language that decides as the other system does for every value, missing ones included.
    /// Attributes have the other system's names.
    case condition(JSONValue)
    /// The unit's bucket is in one of the ranges. A unit without a valid ID has no bucket.
    case draw(Draw, [Range<Int>])
    /// The unit's slot of a layer (a namespace, a group, …) is in one of the ranges.
    case layer(String, Draw, [Range<Int>])
    /// starts <= now < ends
    case period(starts: Instant?, ends: Instant?)
    /// Another flag serves one of these arms, or (`orDefault`) its default because no rule of it applies. The default
    /// also counts if its ``ImportedFlag/defaultArm`` is among the arms.
    case serves(flag: String, arms: Set<String>, orDefault: Bool)
    case all([Guard])
    case any([Guard])
    case not(Guard)
}

extension Guard {
    /// The guard with attributes under other names.
    func renamingAttributes(_ rename: (String) -> String) -> Guard {
        func renamed(_ draw: Draw) -> Draw {
            var draw = draw
            draw.unit = rename(draw.unit)
            return draw
        }
        switch self {
        case .condition(let json): return .condition(json.renamingAttributes(rename))
        case .draw(let draw, let buckets): return .draw(renamed(draw), buckets)
        case .layer(let name, let draw, let slots): return .layer(name, renamed(draw), slots)
        case .all(let parts): return .all(parts.map { $0.renamingAttributes(rename) })
        case .any(let parts): return .any(parts.map { $0.renamingAttributes(rename) })
        case .not(let part): return .not(part.renamingAttributes(rename))
        case .always, .never, .period, .serves: return self
        }
    }
}
