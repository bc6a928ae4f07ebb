import AllotConfiguration
import AllotCore
import AllotDefinitions

/// Translates the payload that another system's SDK downloads into definitions that decide as that system does.
///
/// ```swift
/// let payload = Array(#"{"features": {"color": {"defaultValue": "blue"}}}"#.utf8)
/// var conversion = PayloadImport(of: .growthbook)
/// conversion.attributes = ["id": "user_id"]
/// let definitions = try conversion.definitions(from: payload)
/// try definitions.write(to: "Experiments")
/// for line in definitions.report.lines { print(line) }
/// ```
public struct PayloadImport: Sendable {
    /// The other system.
    public var system: ImportSystem
    /// The section of the settings that flags become.
    public var section = Self.defaultSection
    /// Allot's names of attributes by the other system's, where they differ.
    ///
    /// Eppo's unit ID, "subject key", and Optimizely's, "user ID", become `user_id` unless they are named here.
    public var attributes: [String: String] = [:]
    /// The key of an encrypted payload, as the other system shows it.
    public var key: String?
    /// The hash of flagd's `fractional`: that of the implementation that decides for the app.
    public var flagdHash = FlagdHash.daemon
    /// Whether flags that cannot be exact are left out, and reported, instead of ending the import.
    public var skipsInexact = false
    /// Whether the app may have a store of GrowthBook's sticky buckets. Without one their fields change nothing.
    public var hasStickyBuckets = true

    /// The section of the settings, unless another is chosen.
    public static let defaultSection = "Flags"

    /// Imports from a system.
    public init(of system: ImportSystem) { self.system = system }

    /// The definitions of a payload.
    ///
    /// - Parameter payload: The payload, UTF-8 text: JSON, or for flagd YAML.
    /// - Throws: ``ImportError`` with all problems.
    /// - Complexity: O(*n*) in the size of the payload for flags with few rules each.
    public func definitions(from payload: [UInt8]) throws(ImportError) -> ImportedDefinitions {
        try definitions(from: PayloadText.value(of: payload, for: system))
    }

    package func definitions(from payload: JSONValue) throws(ImportError) -> ImportedDefinitions {
        var project: ImportedProject
        do throws(ImportProblem) {
            if let reason = KnownDocument.refusal(of: payload, for: system) { throw ImportProblem(.root, reason) }
            let members = MemberLedger()
            var root = PayloadNode(payload, members)
            if system == .growthbook {
                root = PayloadNode(try GrowthBookEncryption.decrypted(root, key: key).value, members)
            }
            project = try system.importer.project(root, self)
            project.noteMembers(of: root.value, in: members, by: system.importer)
        } catch {
            throw .unreadable([error])
        }
        let names = try AttributeNames(attributes, in: project)
        project = project.renamingAttributes(names.name)
        while true {
            let lowering = ProjectLowering(project)
            guard skipsInexact || lowering.inexact.isEmpty else { throw .inexact(lowering.inexact.map(\.problem)) }
            do throws(ImportError) {
                return try written(lowering)
            } catch {
                // A flag that Allot refuses leaves the others alone.
                guard case .refused(let problems) = error,
                    project.refuse(
                        problems, of: lowering,
                        isAccepted: { part throws(ImportError) in _ = try written(ProjectLowering(part)) })
                else { throw error }
            }
        }
    }

    private func written(_ lowering: ProjectLowering) throws(ImportError) -> ImportedDefinitions {
        let (project, attributes) = (lowering.project, lowering.project.usedAttributes)
        let text = DefinitionsText(
            system: system.title, section: section, lowering: lowering, segments: project.usedSegments)
        let notes = project.notes + lowering.notes + UsedAttribute.notes(onUnitsOf: attributes)
        return try ImportedDefinitions(text, attributes: attributes, notes: notes)
    }
}

/// The reason why a payload is not imported. `Sendable`.
public enum ImportError: Error, Sendable, CustomStringConvertible {
    /// The payload is not JSON.
    case notJSON(JSONParsingError)
    /// The payload is not one of the system, or of a version that is not known.
    case unreadable([ImportProblem])
    /// Some flags cannot be exact.
    case inexact([ImportProblem])
    /// An attribute cannot have the requested name.
    case attribute(String)
    /// Allot does not accept the written definitions.
    case refused([DefinitionProblem])

    /// All problems, one on a line.
    public var description: String {
        switch self {
        case .notJSON(let error): "the payload is not JSON: \(error)"
        case .unreadable(let problems), .inexact(let problems):
            problems.map { PrintableText(line: "\($0)").description }.joined(separator: "\n")
        case .attribute(let message): message
        case .refused(let problems): problems.map { "\($0)" }.joined(separator: "\n")
        }
    }
}
