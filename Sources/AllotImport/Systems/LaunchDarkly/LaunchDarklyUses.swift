import AllotConfiguration

struct LaunchDarklyUses {
    private(set) var comparesInstants = false
    /// Whether a rollout is by another attribute than the key.
    private(set) var drawsByAttribute = false
    private(set) var references: [String] = []

    init(_ flagOrSegment: PayloadNode) {
        let parts = [flagOrSegment["rules"], flagOrSegment["fallthrough"]]
        for object in parts.flatMap({ $0?.value.objects(outside: "variations") ?? [] }) {
            if let name = object["op"]?.text {
                if ["before", "after"].contains(name) { comparesInstants = true }
                if name == "segmentMatch" { references += object["values"]?.asArray?.compactMap(\.text) ?? [] }
            } else if let name = object["bucketBy"]?.text, !["", "key", "/key"].contains(name) {
                drawsByAttribute = true
            }
        }
    }

    /// Adds the uses of a segment to which this refers. Returns whether that changes this.
    mutating func form(union other: LaunchDarklyUses) -> Bool {
        let (instants, attribute) = (comparesInstants, drawsByAttribute)
        comparesInstants = instants || other.comparesInstants
        drawsByAttribute = attribute || other.drawsByAttribute
        return comparesInstants != instants || drawsByAttribute != attribute
    }

    /// The uses of each segment, itself or in segments to which it refers, however long the way is.
    static func ofSegments(_ segments: [(key: String, value: PayloadNode)]) -> [UTF8Key: LaunchDarklyUses] {
        var uses: [UTF8Key: LaunchDarklyUses] = [:]
        var referrers: [UTF8Key: [UTF8Key]] = [:]
        for (name, segment) in segments where segment["deleted"]?.value != true {
            let key = UTF8Key(name)
            let own = LaunchDarklyUses(segment)
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
