import AllotDefinitions
import AllotFiles
import Foundation

extension ImportedDefinitions {
    /// Writes the files into a new or empty folder: all of them, or none.
    ///
    /// - Throws: ``ImportOutputError`` if the folder has other files, or cannot be written.
    public func write(to folder: String) throws {
        let target = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let files = FileManager.default
        if files.fileExists(atPath: target), (try? files.contentsOfDirectory(atPath: target).isEmpty) != true {
            throw ImportOutputError(
                description: "\(folder) is not an empty folder; name a new one with -o, and compare or merge the two")
        }
        // Half of the experiments would decide otherwise than all of them.
        let staging = "\(target).allot-\(getpid())"
        do {
            try files.createDirectory(atPath: staging, withIntermediateDirectories: true)
            for source in sources {
                try AtomicOutput.write(source.bytes, to: "\(staging)/\(source.name)", option: "-o")
            }
            guard rename(staging, target) == 0 else { throw SystemError(errno) }
        } catch {
            try? files.removeItem(atPath: staging)
            throw ImportOutputError(description: "cannot write the folder \(folder): \(error)")
        }
    }
}

/// Why definitions are not written. `Sendable`.
public struct ImportOutputError: Error, Sendable, CustomStringConvertible {
    /// What is wrong and how to fix it.
    public let description: String
}
