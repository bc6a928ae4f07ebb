import AllotConfiguration
import AllotCore

/// The reason why definitions could not be loaded. `Sendable`.
///
/// ```swift
/// do {
///     print(try DefinitionsLoader().load(folder: "Experiments").plan.revision)
/// } catch {
///     print(error)  // each problem of each file, with line, column and the fix
/// }
/// ```
public enum DefinitionsError: Error, Sendable, CustomStringConvertible {
    /// The folder itself cannot be read.
    case folder(path: String, reason: String)
    /// The folder was changed each time while it was read. Its files are of different states, and none was loaded.
    case changing(path: String)
    /// The definitions have errors. The list includes the warnings.
    case invalid([DefinitionProblem])
    /// The files with tests of the definitions have errors. The list includes the warnings.
    case tests([DefinitionProblem])

    /// One line for each problem.
    public var description: String {
        switch self {
        case .folder(let path, let reason): "cannot read the definitions folder \(path): \(reason); name another folder"
        case .changing(let path):
            "the definitions folder \(path) changes while it is read; try again when all its files are written"
        case .invalid(let problems), .tests(let problems): problems.map(\.description).joined(separator: "\n")
        }
    }
}

/// A plan, and the warnings about its definitions. `Sendable`.
///
/// ```swift
/// let loaded = try DefinitionsLoader().load(folder: "Experiments")
/// for warning in loaded.warnings { print(warning) }
/// print(loaded.plan.experiments.count)
/// ```
public struct LoadedDefinitions: Sendable {
    /// The plan.
    public let plan: Plan
    /// The warnings, in the order of files and positions.
    public let warnings: [DefinitionProblem]
    let base: BaseFile
    /// The experiments as their files define them, in the order of the keys.
    let files: [ExperimentFile]

    /// The definitions of the plan.
    public var definitions: Definitions { plan.definitions }
    /// The settings of the base with their constraints, by section and name.
    public var settings: [DeclaredSetting] { definitions.settings }
    package var owners: [DefinitionOwner] { files.map(DefinitionOwner.init) }

    package var summary: String {
        let contents = [
            counted(plan.experiments.count, "experiment"), counted(plan.layers.count, "layer"),
            counted(plan.holdouts.count, "holdout"),
        ]
        return contents.joined(separator: ", ") + ": \(DefinitionProblem.summary(of: warnings)) "
            + "(revision \(plan.revision))"
    }

    package func warning(aboutSalts messages: [String: String]) -> LoadedDefinitions {
        let problems = files.compactMap { file in
            messages[file.definition.key].map {
                file.problem(.warning, at: file.places.salt, atKey: file.places.salt == nil, $0)
            }
        }
        return LoadedDefinitions(plan: plan, warnings: (warnings + problems).sorted(), base: base, files: files)
    }
}
