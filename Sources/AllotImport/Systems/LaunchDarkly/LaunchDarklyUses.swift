import AllotConfiguration

/// What the rules of a flag or segment use.
struct LaunchDarklyUses {
    /// Whether a clause compares instants.
    private(set) var comparesInstants = false
    /// Whether a rollout is by another attribute than the key.
    private(set) var drawsByAttribute = false
    /// The keys of the segments in clauses, in their order.
    private(set) var references: [String] = []

    init(ofFlag flag: PayloadNode) {
        add(flag["rules"]?.value)
        add(flag["fallthrough"]?.value)
    }

    private init(ofSegment segment: PayloadNode) {
        add(segment["rules"]?.value)
    }

    private mutating func add(_ value: JSONValue?) {
        switch value {
        case .array(let elements)?:
            for element in elements { add(element) }
        case .object(let object)?:
            if case .string(let name)? = object["op"] {
                if ["before", "after"].contains(name) { comparesInstants = true }
                if name == "segmentMatch", case .array(let keys)? = object["values"] {
                    references += keys.compactMap { if case .string(let key) = $0 { key } else { nil } }
                }
                return
            }
            if case .string(let name)? = object["bucketBy"], !["", "key", "/key"].contains(name) {
                drawsByAttribute = true
            }
            for member in object.members where member.key != "variations" { add(member.value) }
        default: break
        }
    }

    /// Adds what a segment uses to which this refers. Returns whether that changes anything.
    mutating func form(union other: LaunchDarklyUses) -> Bool {
        let (instants, attribute) = (comparesInstants, drawsByAttribute)
        comparesInstants = instants || other.comparesInstants
        drawsByAttribute = attribute || other.drawsByAttribute
        return comparesInstants != instants || drawsByAttribute != attribute
    }

    /// What each segment uses, itself or in segments that it refers to, however long the way is.
    static func ofSegments(_ segments: [(key: String, value: PayloadNode)]) -> [UTF8Key: LaunchDarklyUses] {
        var uses: [UTF8Key: LaunchDarklyUses] = [:]
        var referrers: [UTF8Key: [UTF8Key]] = [:]
        for (name, segment) in segments where segment["deleted"]?.value != true {
            let key = UTF8Key(name)
            let own = LaunchDarklyUses(ofSegment: segment)
            for reference in own.references { referrers[UTF8Key(reference), default: []].append(key) }
            uses[key] = own
        }
        // Each segment changes twice at most.
        var pending = Array(uses.keys)
        while let key = pending.popLast() {
            guard let inner = uses[key] else { continue }
            for referrer in referrers[key] ?? [] where uses[referrer]?.form(union: inner) == true {
                pending.append(referrer)
            }
        }
        return uses
    }
}
