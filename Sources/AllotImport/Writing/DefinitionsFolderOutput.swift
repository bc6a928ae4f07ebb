import AllotDefinitions
import AllotFiles
import Foundation

extension ImportedDefinitions {
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
                description: "\(folder) is not an empty folder; name a new one with -o, and compare or merge the two")
        }
        // Half of the experiments would decide otherwise than all of them. A hidden folder is never read.
        let name = ".allot-import-\(getpid())"
        // Not NSString's path functions: on Linux they crash for names of one character.
        let parent = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
        let staging = exists ? "\(target)/\(name)" : parent + name
        do {
            try files.createDirectory(atPath: staging, withIntermediateDirectories: true)
            for source in sources {
                let file = try FileDescriptor(
                    opening: "\(staging)/\(source.name)", O_CREAT | O_EXCL | O_WRONLY, mode: 0o666)
                try file.writeAll(source.bytes)
                try file.flushByClosing()
            }
            if exists {
                // The folder itself may be a mounted volume, or the current one.
                for source in sources {
                    guard rename("\(staging)/\(source.name)", "\(target)/\(source.name)") == 0 else {
                        throw SystemError()
                    }
                }
                try files.removeItem(atPath: staging)
            } else {
                guard rename(staging, target) == 0 else { throw SystemError() }
            }
        } catch {
            try? files.removeItem(atPath: staging)
            if exists { for source in sources { try? files.removeItem(atPath: "\(target)/\(source.name)") } }
            // Foundation's own text has the path of the hidden folder, and more that is for programmers.
            let system = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            let reason = system.map { "\(SystemError(Int32($0.code)))" } ?? "\(error)"
            throw ImportOutputError(
                description: "cannot write the folder \(folder): \(reason); name another with -o")
        }
    }
}

/// Why definitions are not written. `Sendable`.
public struct ImportOutputError: Error, Sendable, CustomStringConvertible {
    /// What is wrong and how to fix it.
    public let description: String
}
