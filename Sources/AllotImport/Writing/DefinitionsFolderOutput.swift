import AllotDefinitions
import AllotFiles
import Foundation

extension ImportedDefinitions {
    /// The files in the order in which they get into a folder that exists. A server may load it after each of them: the
    /// folder is refused as long as the base says that it is not complete, and the base that replaces that one is last.
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
        var target = folder
        while target.count > 1, target.hasSuffix("/") { target.removeLast() }
        let files = FileManager.default
        let exists = files.fileExists(atPath: target)
        if exists, (try? files.contentsOfDirectory(atPath: target).isEmpty) != true {
            throw ImportOutputError(
                description: "\(folder) is not an empty folder; compare or merge the new definitions with it")
        }
        // Half of the experiments would decide otherwise than all of them. A hidden folder is never read.
        let name = ".allot-import-\(getpid())"
        // Not NSString's path functions: on Linux they crash for names of one character.
        let parent = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
        let staging = exists ? "\(target)/\(name)" : parent + name
        do throws(SystemError) {
            try DurableFolder(path: staging).create(mode: 0o777)
            let steps = exists ? stepsIntoFolder : sources
            let staged = steps.enumerated().map { "\(staging)/\(exists ? "\($0)" : $1.name)" }
            for (path, source) in zip(staged, steps) {
                let file = try FileDescriptor(opening: path, O_CREAT | O_EXCL | O_WRONLY, mode: 0o666)
                try file.writeAll(source.bytes)
                try file.flushByClosing()
            }
            if exists {
                // The folder itself may be a mounted volume, or the current one.
                for (path, source) in zip(staged, steps) {
                    guard rename(path, "\(target)/\(source.name)") == 0 else { throw SystemError() }
                }
                _ = rmdir(staging)
            } else {
                guard rename(staging, target) == 0 else { throw SystemError() }
            }
        } catch {
            try? files.removeItem(atPath: staging)
            // The base goes last here too.
            if exists {
                for source in stepsIntoFolder.dropFirst() { try? files.removeItem(atPath: "\(target)/\(source.name)") }
            }
            throw ImportOutputError(description: "cannot write the folder \(folder): \(error)")
        }
    }
}

/// The reason why definitions are not written. `Sendable`.
public struct ImportOutputError: Error, Sendable, CustomStringConvertible {
    /// The fault and its fix.
    public let description: String
}
