import AllotConfiguration
@_spi(Groups) import AllotCore
import AllotFiles

/// The columns of the wide layout while threads fill them, each its own rows.
struct WideTable: Sendable {
    private struct Column: Sendable {
        let content: WideLayout.Content
        let experiment: Int
        let target: Target
        /// The values and their bitmap; `nil` for a column of codes.
        let buffers: (values: OutputBuffer, validity: OutputBuffer?)?
    }

    private enum Target: Sendable {
        /// Indices of texts, and buckets, with a bitmap of the rows that have one if some may have none.
        case values(OutputBuffer.Memory, validity: OutputBuffer.Memory?)
        /// A byte of each number.
        case codes(OutputBuffer.Memory, slot: Int)
    }

    private let columns: [Column]
    private let codes: [OutputBuffer]
    private let rowCount: Int
    private let writesTexts: Bool

    init(_ assignment: TableAssignment, _ layout: WideLayout, rowCount: Int) throws {
        self.rowCount = rowCount
        writesTexts = assignment.writesTexts
        let codes = try (0..<layout.codeColumnCount).map { _ in try OutputBuffer(byteCount: rowCount * 8) }
        self.codes = codes
        columns = try layout.columns.map { column in
            if let slot = column.slot {
                let numbers = codes[column.position - layout.plainCount].memory
                return Column(
                    content: column.content, experiment: column.experiment,
                    target: .codes(numbers, slot: slot), buffers: nil)
            }
            let (width, isNullable) =
                switch column.content {
                case .bucket: (8, true)
                case .variant: (4, true)
                case .reason: (4, false)
                }
            let values = try OutputBuffer(byteCount: rowCount * width)
            let validity = isNullable ? try OutputBuffer(byteCount: (rowCount + 7) / 8) : nil
            return Column(
                content: column.content, experiment: column.experiment,
                target: .values(values.memory, validity: validity?.memory), buffers: (values, validity))
        }
    }

    /// Writes the decisions of a group. Two threads never write the same byte if their rows are eight apart.
    func write(_ rows: Range<Int>, _ decisions: Span<Decision>, _ places: DecisionPlaces) {
        for index in columns.indices {
            let target = columns[index].target
            let decisions = decisions.extracting(places.of(columns[index].experiment, rows: rows.count))
            switch columns[index].content {
            case .variant: write(rows, decisions, to: target, Int32.self) { $0.variant ?? -1 }
            case .reason: write(rows, decisions, to: target, Int32.self) { $0.reasonNumber }
            case .bucket: write(rows, decisions, to: target, Int64.self) { $0.bucket ?? -1 }
            }
        }
    }

    /// Writes a number of each decision, which is below 0 for none.
    @inline(__always)
    private func write<Value: FixedWidthInteger & BitwiseCopyable>(
        _ rows: Range<Int>, _ decisions: Span<Decision>, to target: Target, _ type: Value.Type,
        _ number: (Decision) -> Int
    ) {
        let start = rows.lowerBound
        decisions.withUnsafeBufferPointer { decisions in
            switch target {
            case .values(let values, let validity):
                let values = values.values(of: Value.self) + start
                for index in decisions.indices {
                    values[index] = Value(truncatingIfNeeded: max(number(decisions[index]), 0))
                }
                guard let validity = validity?.values(of: UInt8.self) else { return }
                // Eight changes of a byte would wait for each other. A group may begin or end within one.
                var bits: UInt8 = 0
                for row in rows {
                    bits |= (number(decisions[row &- start]) < 0 ? 0 : 1) &<< UInt8(truncatingIfNeeded: row & 7)
                    guard row & 7 == 7 || row &+ 1 == rows.upperBound else { continue }
                    validity[row &>> 3] |= bits
                    bits = 0
                }
            case .codes(let numbers, let slot):
                // The whole number is changed, so that the loop is vectorised; -1 becomes 255.
                let numbers = numbers.values(of: UInt64.self) + start
                let shift = UInt64(truncatingIfNeeded: slot &* 8)
                for index in decisions.indices {
                    numbers[index] |= (UInt64(truncatingIfNeeded: number(decisions[index])) & 0xFF) &<< shift
                }
            }
        }
    }

    func export() throws -> ExportedArray {
        let plain = try columns.compactMap { column -> ExportedArray? in
            guard let (values, validity) = column.buffers else { return nil }
            let nullCount = validity.map(nullCount) ?? 0
            guard let texts = column.content.texts else {
                return ExportedArray(
                    length: rowCount, nullCount: nullCount, buffers: [nullCount > 0 ? validity : nil, values])
            }
            return try ExportedArray(
                length: rowCount, nullCount: nullCount, validity: validity, indices: values, into: texts,
                isPlain: writesTexts)
        }
        let numbers = codes.map { ExportedArray(length: rowCount, nullCount: 0, buffers: [nil, $0]) }
        return ExportedArray(table: plain + numbers, length: rowCount)
    }

    private func nullCount(_ validity: OutputBuffer) -> Int {
        let bytes = validity.values(of: UInt8.self)
        var count = rowCount
        for index in 0..<(rowCount + 7) / 8 { count -= bytes[index].nonzeroBitCount }
        return count
    }
}

/// The columns of the wide layout, and where the output has them. Texts may be written as codes for readers to which a
/// text costs much more than a number, as Spark: each a byte of a number, the index of the text, or 255 for none.
struct WideLayout: Sendable {
    struct Column: Sendable {
        let name: String
        let content: Content
        let experiment: Int
        let position: Int
        /// Which byte of the numbers has its codes, 0 for the lowest; `nil` for a column of the output itself.
        let slot: Int?
    }

    enum Content: Sendable {
        case bucket
        /// The index of the variant.
        case variant([String])
        /// The index of the reason.
        case reason

        /// The texts by index; `nil` for numbers.
        var texts: [String]? {
            switch self {
            case .bucket: nil
            case .variant(let keys): keys
            case .reason: Reason.allCases.map(\.text)
            }
        }
    }

    let columns: [Column]
    let plainCount: Int
    let codeColumnCount: Int

    private static let codesInNumber = 8
    /// The most texts of a column that is written as codes: one byte stands for none of them.
    private static let mostTexts = 255

    init(_ plan: Plan, experiments: [Int], addsReason: Bool, addsBucket: Bool, writesCodes: Bool) {
        typealias Description = (name: String, content: Content, experiment: Int)
        let described = experiments.flatMap { index -> [Description] in
            let experiment = plan.experiments[index]
            return [(experiment.key, .variant(experiment.variants.map(\.key)), index)]
                + (addsReason ? [(experiment.key + ".reason", .reason, index)] : [])
                + (addsBucket ? [(experiment.key + ".bucket", .bucket, index)] : [])
        }
        let areCodes = described.map { description in
            guard writesCodes, let texts = description.content.texts else { return false }
            return texts.count <= Self.mostTexts
        }
        let plainCount = areCodes.count { !$0 }
        var (plain, coded) = (0, 0)
        columns = zip(described, areCodes).map { description, isCode in
            defer { if isCode { coded += 1 } else { plain += 1 } }
            return Column(
                name: description.name, content: description.content, experiment: description.experiment,
                position: isCode ? plainCount + coded / Self.codesInNumber : plain,
                slot: isCode ? coded % Self.codesInNumber : nil)
        }
        self.plainCount = plainCount
        codeColumnCount = (coded + Self.codesInNumber - 1) / Self.codesInNumber
    }

    /// The columns of the output, with texts one by one or as indices into a dictionary.
    func schema(writesTexts: Bool) -> [ExportedSchema] {
        columns.filter { $0.slot == nil }.map { column in
            switch column.content {
            case .bucket: ExportedSchema("l", name: column.name, isNullable: true)
            case .variant: ExportedSchema(dictionaryNamed: column.name, isNullable: true, isPlain: writesTexts)
            case .reason: ExportedSchema(dictionaryNamed: column.name, isNullable: false, isPlain: writesTexts)
            }
        } + (0..<codeColumnCount).map { ExportedSchema("l", name: "codes:\($0)", isNullable: false) }
    }

    /// Where each column is: an array of objects with `name`, `position` and, for codes, `slot` and `texts`.
    var json: JSONValue {
        .array(
            columns.map { column in
                var object: JSONObject = ["name": .string(column.name), "position": .int(column.position)]
                if let slot = column.slot, let texts = column.content.texts {
                    object["slot"] = .int(slot)
                    object["texts"] = .strings(texts)
                }
                return .object(object)
            })
    }
}
