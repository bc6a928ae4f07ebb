import AllotDefinitions
import AllotFiles

extension ImportedDefinitions {
    /// The files in their order into a folder that a server may load meanwhile: the base refuses it until the last one.
    var stepsIntoFolder: [DefinitionSource] {
        let name = "base.yaml"
        let incomplete = DefinitionSource(
            name: name, bytes: Array("config_sections: allot import has not finished\n".utf8))
        return [incomplete] + sources.filter { $0.name != name } + sources.filter { $0.name == name }
    }

    /// Writes the files into a new or empty folder: all of them, or none.
    ///
    /// - Throws: ``ImportOutputError`` if the folder has other files, or cannot be written.
    public func write(to folder: String) throws {
        // Half of the experiments would decide otherwise than all of them.
        do throws(NewFolder.Failure) {
            let files = stepsIntoFolder.map { (path: $0.name, bytes: $0.bytes) }
            try NewFolder.fill(folder, with: files, of: "allot-import")
        } catch {
            throw ImportOutputError(
                description: error.error.map { "cannot write the folder \(folder): \($0)" }
                    ?? "\(error); compare or merge the new definitions with it")
        }
    }
}

/// The reason why definitions are not written. `Sendable`.
public struct ImportOutputError: Error, Sendable, CustomStringConvertible {
    /// The fault and its fix.
    public let description: String
}
