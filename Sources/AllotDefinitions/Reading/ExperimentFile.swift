import AllotConfiguration
import AllotCore

/// An experiment as a file defines it, with the places that checks across files report. A class, because it is large,
/// and every check goes over all of them.
final class ExperimentFile: Sendable {
    let file: String
    let definition: ExperimentDefinition
    let places: Places
    /// Whether everything that decides which units can be in the experiment could be read. If not, conflicts would be
    /// guesses.
    let isComparable: Bool
    let hasHash: Bool
    let slotScale: BucketScale
    let hasAllVariants: Bool

    struct Places: Sendable {
        /// The start of the file, without its content.
        var root: Field
        /// `nil` if the status could not be read.
        var status: Field?
        var hash: Field?
        var salt: Field?
        var layer: Field?
        var slots: Field?
        var ends: Field?
        /// With its content.
        var period: Field?
        /// With its content.
        var audience: Field?
        /// `nil` if the traffic is not written, or could not be read.
        var traffic: Field?
        var winner: Field?
        var unit: Field?
        var owner: Field?
        var requirements: [UTF8Key: Field] = [:]
        var requiredVariants: [(experiment: String, variant: String, field: Field)] = []
        var forced: [UTF8Key: Field] = [:]
        var overrides: [Field?] = []

        /// The override of a section, a setting, or a member of a setting; the root if there is none.
        func override(_ path: [String], variant: Int) -> Field {
            path.reduce(overrides[variant]) { $0?.member($1) } ?? root
        }
    }

    /// Reads an experiment by the file's name without its ending, even if it is not a valid key. A value that cannot be
    /// read is reported and keeps its default. Returns `nil` if the file is not a map.
    init?(_ root: SourceNode, key: String, layers: LayersFile, segments: SegmentsFile, reader: inout FileReader) {
        guard let reading = ExperimentReading(root, key: key, layers: layers, segments: segments, reader: &reader)
        else { return nil }
        file = reader.file
        definition = reading.definition
        places = reading.places
        isComparable = reading.isComparable
        hasHash = reading.hasHash
        slotScale = reading.slotScale
        hasAllVariants = reading.hasAllVariants
    }

    var audience: Positioned<Condition>? {
        places.audience.map { Positioned(value: definition.audience, file: file, field: $0) }
    }

    /// The attribute that holds the unit ID, with its place; `nil` if there is none.
    var unit: Positioned<String>? {
        definition.unit.map { Positioned(value: $0, file: file, field: places.unit ?? places.root) }
    }

    /// A problem of a value of the file; without a value, of the file's start.
    func problem(
        _ severity: DefinitionProblem.Severity = .error, at field: Field?, atKey: Bool = false, _ message: String
    ) -> DefinitionProblem { DefinitionProblem(severity, file: file, at: field ?? places.root, atKey: atKey, message) }
}

extension [ExperimentFile] {
    var indicesByKey: [UTF8Key: Int] {
        Dictionary(indices.map { (UTF8Key(self[$0].definition.key), $0) }, uniquingKeysWith: { first, _ in first })
    }

    func requirements(_ indices: [UTF8Key: Int]) -> ReferenceGraph {
        ReferenceGraph(map { $0.definition.requirements.compactMap { indices[UTF8Key($0.experiment)] } })
    }
}
