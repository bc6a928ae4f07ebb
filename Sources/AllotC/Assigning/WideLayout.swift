import AllotConfiguration
import AllotCore

/// The columns of the wide layout, and where the output has them.
///
/// Texts may be written as codes, those of eight columns in each number, for a reader that takes a number in a fraction
/// of the time of a text, as Spark does. A code is a byte: the index of the text, or 255 for none.
struct WideLayout: Sendable {
    struct Column: Sendable {
        let name: String
        let content: Content
        let experiment: Int
        /// The index of its column in the output.
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

    /// In the order of experiments.
    let columns: [Column]
    /// The number of columns of the output before those of codes.
    let plainCount: Int
    /// The number of columns of codes.
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
