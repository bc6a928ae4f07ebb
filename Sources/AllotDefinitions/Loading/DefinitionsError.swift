import Allot
import AllotConfiguration

/// Why there is no plan.
public enum DefinitionsError: Error, Sendable, CustomStringConvertible {
    /// The folder itself cannot be read.
    case folder(path: String, reason: String)
    /// The definitions hold errors; the warnings are here as well.
    case invalid([DefinitionProblem])

    /// One line for each problem.
    public var description: String {
        switch self {
        case .folder(let path, let reason):
            "cannot read the definitions folder \(path): \(reason); name another with --definitions"
        case .invalid(let problems): problems.map(\.description).joined(separator: "\n")
        }
    }
}

/// A plan and what is doubtful about its definitions.
public struct LoadedDefinitions: Sendable {
    public let plan: Plan
    /// What the plan was made of.
    package let definitions: Definitions
    /// In the order of files and positions.
    public let warnings: [DefinitionProblem]
    /// The base as it declares its settings.
    let base: BaseFile

    /// The settings of the base with their constraints, by section and name.
    package var settings: [DeclaredSetting] { base.declared }
}
