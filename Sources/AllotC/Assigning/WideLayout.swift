import Allot
import AllotConfiguration

/// The columns of the wide layout, and where the output has them.
///
/// Texts may be written as codes, those of eight columns in each number, for a reader that takes a number in a fraction
/// of the time of a text, as Spark does. A code is a byte: the index of the text, or the number of texts for none.
struct WideLayout: Sendable {
    struct Column: Sendable {
        let name: String
        let content: Content
        let experiment: Int
        /// Which column of the output it is, or is in.
        let position: Int
        /// Where its codes are; `nil` for a column of the output itself.
        let code: Code?
    }

    struct Code: Sendable {
        /// Which byte of the numbers, 0 for the lowest.
        let slot: Int
        /// The code of no text.
        let none: UInt8
    }

    enum Content: Sendable {
        case bucket
        /// The index of the variant.
        case variant([String])
        /// The index of the reason.
        case reason

        /// The texts that indices stand for; `nil` for numbers.
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
        // The number of texts of a column that is written as codes.
        let textCounts = described.map { description -> Int? in
            guard writesCodes, let count = description.content.texts?.count else { return nil }
            return count <= Self.mostTexts ? count : nil
        }
        let plainCount = textCounts.count { $0 == nil }
        var (plain, coded) = (0, 0)
        columns = zip(described, textCounts).map { description, textCount in
            let code = textCount.map { Code(slot: coded % Self.codesInNumber, none: UInt8($0)) }
            let position = code == nil ? plain : plainCount + coded / Self.codesInNumber
            if code == nil { plain += 1 } else { coded += 1 }
            return Column(
                name: description.name, content: description.content, experiment: description.experiment,
                position: position, code: code)
        }
        self.plainCount = plainCount
        codeColumnCount = (coded + Self.codesInNumber - 1) / Self.codesInNumber
    }

    /// The columns of the output.
    ///
    /// - Parameter writesTexts: whether texts are written one by one, instead of as indices into a dictionary.
    func schema(writesTexts: Bool) -> [ExportedSchema] {
        columns.filter { $0.code == nil }.map { column in
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
                if let code = column.code, let texts = column.content.texts {
                    object["slot"] = .int(code.slot)
                    object["texts"] = .strings(texts)
                }
                return .object(object)
            })
    }
}
