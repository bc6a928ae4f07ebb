import AllotConfiguration
import AllotCore

/// Text that is compared by its bytes, as names are everywhere in Allot.
@propertyWrapper
struct Bytewise: Sendable, Hashable {
    var wrappedValue: String

    static func == (left: Bytewise, right: Bytewise) -> Bool {
        UTF8Order.areEqual(left.wrappedValue, right.wrappedValue)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(UTF8Key(wrappedValue)) }
}

/// The other system's bucketing of units. `Sendable`.
struct Draw: Sendable, Hashable {
    var scheme: HashScheme
    @Bytewise var salt: String
    @Bytewise var unit: String
    /// The number of buckets, where the payload says it; `nil` for the scheme's own.
    var resolution: Int?

    init(_ scheme: HashScheme, salt: String, unit: String, resolution: Int? = nil) {
        self.scheme = scheme
        self.salt = salt
        self.unit = unit
        self.resolution = resolution
    }

    var bucketCount: Int { resolution ?? scheme.defaultResolution }
    /// The number of an empty text, by which some systems bucket units without an ID.
    var numberOfEmptyText: Int { ForeignHash(scheme, salt: salt, resolution: resolution)?.number(of: "") ?? 0 }
}

/// The condition that a unit satisfies to be in a rule. `Sendable`.
indirect enum Guard: Sendable {
    case always
    case never
    /// A condition that decides as the other system does for every value and none. Attributes have that system's names.
    case condition(JSONValue)
    /// The unit's bucket is in one of the ranges. A unit without a valid ID has no bucket.
    case draw(Draw, BucketSet)
    /// The unit's slot of a layer (a namespace, a group, …) is in one of the ranges.
    case layer(String, Draw, BucketSet)
    case period(starts: Instant?, ends: Instant?)
    /// Another flag serves one of these arms, or (`orDefault`) its default, or has its default arm among them.
    case serves(flag: String, arms: Set<String>, orDefault: Bool)
    case all([Guard])
    case any([Guard])
    case not(Guard)
}

extension Guard {
    /// The condition that the time stands in an order (`lt`, `gte` and so on) to an instant with a next one.
    static func time(_ order: String, _ instant: Instant, next: Instant) -> Guard {
        switch order {
        case "eq": .period(starts: instant, ends: next)
        case "gt": .period(starts: next, ends: nil)
        case "gte": .period(starts: instant, ends: nil)
        case "lt": .period(starts: nil, ends: instant)
        default: .period(starts: nil, ends: next)
        }
    }

    private var leaves: [Guard] {
        switch self {
        case .all(let parts), .any(let parts): parts.flatMap(\.leaves)
        case .not(let part): part.leaves
        case .always, .never, .condition, .draw, .layer, .period, .serves: [self]
        }
    }

    var conditions: [JSONValue] { leaves.compactMap { if case .condition(let json) = $0 { json } else { nil } } }
    var flags: [String] { leaves.compactMap { if case .serves(let flag, _, _) = $0 { flag } else { nil } } }

    var draws: [Draw] {
        leaves.compactMap { leaf in
            switch leaf {
            case .draw(let draw, _), .layer(_, let draw, _): draw
            default: nil
            }
        }
    }

    /// The condition that it is. Returns `nil` if it has draws, schedules or other flags.
    var json: JSONValue? {
        func joined(_ parts: [Guard]) -> [JSONValue]? {
            let found = parts.compactMap(\.json)
            return found.count == parts.count ? found : nil
        }
        return switch self {
        case .always: .always
        case .never: .never
        case .condition(let json): json
        case .all(let parts): joined(parts).map(JSONValue.all)
        case .any(let parts): joined(parts).map(JSONValue.any)
        case .not(let part): part.json.map(JSONValue.not)
        case .draw, .layer, .period, .serves: nil
        }
    }

    func renamingAttributes(_ rename: (String) -> String) -> Guard {
        switch self {
        case .condition(let json): .condition(json.renamingAttributes(rename))
        case .draw(let draw, let buckets): .draw(draw.renamingUnit(rename), buckets)
        case .layer(let name, let draw, let slots): .layer(name, draw.renamingUnit(rename), slots)
        case .all(let parts): .all(parts.map { $0.renamingAttributes(rename) })
        case .any(let parts): .any(parts.map { $0.renamingAttributes(rename) })
        case .not(let part): .not(part.renamingAttributes(rename))
        case .always, .never, .period, .serves: self
        }
    }
}

extension BucketSet: ExpressibleByArrayLiteral {
    package init(arrayLiteral ranges: Range<Int>...) { self.init(ranges) }
}

extension Draw {
    func renamingUnit(_ rename: (String) -> String) -> Draw {
        Draw(scheme, salt: salt, unit: rename(unit), resolution: resolution)
    }
}
