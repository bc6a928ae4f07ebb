import AllotConfiguration

/// The units whose bucket in each dimension is in a set. Dimensions are independent, so the share of a box is the
/// product of the shares of its sets. That holds for every gate of a decision: holdouts, slots, requirements, traffic
/// and the variant's own buckets.
package struct BucketBox: Sendable {
    package private(set) var sets: [BucketDimension: BucketSet] = [:]

    package init() {}

    /// Keeps only the units whose bucket is in a set.
    package mutating func restrict(_ dimension: BucketDimension, to set: BucketSet) {
        if let mirror = dimension.mirror, sets[mirror] != nil {
            return restrict(mirror, to: set.mirrored(in: dimension.resolution))
        }
        for other in sets.keys where dimension.hash.foreign != nil {
            guard let finer = dimension.common(with: other), let known = sets[other],
                let lifted = other.lifted(known, to: finer), let added = dimension.lifted(set, to: finer)
            else { continue }
            sets[other] = nil
            restrict(finer, to: lifted)
            return restrict(finer, to: added)
        }
        sets[dimension] = sets[dimension]?.intersection(set) ?? set
    }

    package func intersection(_ other: BucketBox) -> BucketBox {
        var box = self
        for (dimension, set) in other.sets { box.restrict(dimension, to: set) }
        return box
    }

    /// The units that are not in another box, as boxes that have no unit in common.
    fileprivate func subtracting(_ other: BucketBox) -> [BucketBox] {
        guard !intersection(other).isEmpty else { return [self] }
        var rest = self
        // In an order of their own, so that the boxes are always the same.
        return other.sets.sorted { $0.key < $1.key }.compactMap { dimension, set in
            var outside = rest
            outside.restrict(dimension, to: set.complement(in: dimension.resolution))
            rest.restrict(dimension, to: set)
            return outside.isEmpty ? nil : outside
        }
    }

    package var isEmpty: Bool { sets.values.contains { $0.isEmpty } }
    /// Whether neither the share is known nor whether there is any unit: dimensions of one number have no common one.
    package var isOpen: Bool { sets.keys.contains { left in sets.keys.contains { left.isOfOneNumber(with: $0) } } }

    /// Whether a unit is in the box by every randomisation of its ID; what other attributes decide is left open.
    package func mayHold(_ unitID: String, as unit: UTF8Key) -> Bool {
        sets.allSatisfy { dimension, set in dimension.unit != unit || set.contains(dimension.bucket(of: unitID)) }
    }

    private static let attempts = 20_000

    /// A unit ID in the box: a value itself, if it is one, or one like it; `nil` if none is found.
    package func unitID(
        like start: Subject.Value?, as unit: UTF8Key, where isFree: (String) -> Bool = { _ in true }
    ) -> Subject.Value? {
        (0..<Self.attempts).lazy.map { Self.candidate($0, like: start) }.first { value in
            value.unitID.map { isFree($0) && mayHold($0, as: unit) } ?? false
        }
    }

    /// Gives a subject the parts of a unit of several attributes that it does not have, so that the unit is in the box.
    /// Returns `false` if no such parts are found.
    package func complete(_ subject: inout Subject, as unit: UTF8Key) -> Bool {
        let missing = CompositeUnit.parts(of: unit.text).filter { subject.value(of: $0) == nil }
        for number in 0..<(missing.isEmpty ? 1 : Self.attempts) {
            for name in missing { subject.setTyped(name, .string("unit-\(number)")) }
            if let id = subject.unitID(unit.text), mayHold(id, as: unit) { return true }
        }
        return false
    }

    private static func candidate(_ number: Int, like start: Subject.Value?) -> Subject.Value {
        switch start {
        case .typed(.number(let start))?: .typed(.number(JSONNumber((Int(exactly: start.double) ?? 0) &+ number)))
        case .typed(.string(let text))? where text != "other": .typed(.string(number == 0 ? text : "\(text)-\(number)"))
        case .untyped(let text)? where text != "other": .untyped(number == 0 ? text : "\(text)-\(number)")
        default: .typed(.string("unit-\(number)"))
        }
    }

    var units: Set<UTF8Key> { Set(sets.keys.map(\.unit)) }

    package var share: ExactShare {
        sets.reduce(.all) { $0.of(buckets: $1.value.count, resolution: $1.key.resolution) }
    }
}

/// The units of any of its boxes. No unit is in two of them.
package struct BucketRegion: Sendable {
    /// One for most decisions; more where units with a variant of another experiment are left out. None is empty.
    package private(set) var boxes = [BucketBox()]

    package init() {}

    package mutating func restrict(_ dimension: BucketDimension, to set: BucketSet) {
        for index in boxes.indices { boxes[index].restrict(dimension, to: set) }
        boxes.removeAll(where: \.isEmpty)
    }

    package func intersection(_ other: BucketRegion) -> BucketRegion {
        var region = self
        region.boxes = boxes.flatMap { box in other.boxes.map(box.intersection).filter { !$0.isEmpty } }
        return region
    }

    /// The units that are not in another region. Returns `nil` if that takes more than ``boxLimit`` boxes.
    package func subtracting(_ other: BucketRegion) -> BucketRegion? {
        var region = self
        for box in other.boxes {
            region.boxes = region.boxes.flatMap { $0.subtracting(box) }
            guard region.boxes.count <= Self.boxLimit else { return nil }
        }
        return region
    }

    private static let boxLimit = 32

    package func isDisjoint(from other: BucketRegion) -> Bool { intersection(other).boxes.isEmpty }
    package var share: ExactShare { boxes.reduce(.none) { $0 + $1.share } }
}
