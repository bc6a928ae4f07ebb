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

    /// Adds what a segment to which this refers uses, but not its references.
    mutating func add(_ segment: LaunchDarklyUses) {
        comparesInstants = comparesInstants || segment.comparesInstants
        drawsByAttribute = drawsByAttribute || segment.drawsByAttribute
    }
}
