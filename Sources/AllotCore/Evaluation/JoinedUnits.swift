import AllotConfiguration

/// The IDs of units of several attributes, joined for the subjects of a group in memory that is used again.
struct JoinedUnits: Sendable {
    /// The number of units of several attributes in the plan.
    let count: Int
    /// Subject after subject its IDs by the unit's index, which point into ``bytes``. An ID is missing if a part is
    /// missing or not valid.
    private(set) var values: [AttributeValue]
    private(set) var bytes: [UInt8] = []

    /// - Parameter rows: The most subjects of a group.
    init(_ count: Int, rows: Int) {
        self.count = count
        values = Array(repeating: .missing, count: count * rows)
    }

    @inline(__always) subscript(unit: Int, row: Int) -> AttributeValue { values[row &* count &+ unit] }

    /// Joins the IDs of the first subjects of a group, which have `stride` values each, by the indices of each unit's
    /// attributes.
    mutating func join(
        _ units: [[Int]], rows: Int, _ attributes: Span<AttributeValue>, stride: Int, _ source: Span<UInt8>
    ) {
        bytes.removeAll(keepingCapacity: true)
        for row in 0..<rows {
            for unit in units.indices {
                let start = bytes.count
                var isValid = true
                for position in units[unit].indices where isValid {
                    let part = attributes[row &* stride &+ units[unit][position]]
                    isValid = UnitID.isValid(part)
                    guard isValid else { break }
                    if position > 0 { bytes.append(CompositeUnit.separator) }
                    append(source.extracting(part.range))
                }
                if !isValid { bytes.removeLast(bytes.count - start) }
                values[row &* count &+ unit] =
                    isValid ? AttributeValue(.text, start: start, length: bytes.count - start) : .missing
            }
        }
    }

    private mutating func append(_ part: Span<UInt8>) {
        for index in part.indices {
            let byte = part[index]
            if byte == CompositeUnit.separator || byte == CompositeUnit.escape { bytes.append(CompositeUnit.escape) }
            bytes.append(byte)
        }
    }
}

extension DecisionLoop {
    /// Joins the unit IDs of several attributes, if the plan has such units.
    @inline(__always)
    func joinUnits(_ count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ scratch: inout Scratch) {
        if !compiled.composites.isEmpty {
            scratch.joined.join(compiled.composites, rows: count, values, stride: attributeCount, bytes)
        }
    }

    /// The unit ID of a row, in the bytes of the attributes, or in the joined ones for a unit of several attributes.
    @inline(__always) func unitValue(
        _ unit: UnitSource, row: Int, _ values: Span<AttributeValue>, _ joined: borrowing JoinedUnits
    ) -> AttributeValue {
        if let attribute = unit.attribute { return values[row &* attributeCount &+ attribute] }
        guard let composite = unit.composite else { return .missing }
        return joined[composite, row]
    }
}
