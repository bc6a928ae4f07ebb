/// A folder that a program fills once, if it is new or empty: with all files, or with none.
package enum NewFolder {
    /// The reason why a folder is not written.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        /// The names of what is in the folder, sorted; empty if the system refused.
        package let occupants: [String]
        /// The system's reason; `nil` if the folder is not empty.
        package let error: SystemError?
        /// The failure, its reason, and how to fix it.
        package let description: String
    }

    /// Writes all files in their order. A folder that does not exist appears with all of them; in one that exists, the
    /// first file may come again, to say until then that the others are not complete.
    package static func fill(_ path: String, with files: [GeneratedFolder.File], of program: String) throws(Failure) {
        var target = path
        while target.utf8.count > 1, target.hasSuffix("/") { target.removeLast() }
        let isNew = !isThere(target)
        let occupants: [String]
        do throws(SystemError) {
            occupants = try isNew ? [] : OpenFolder(path: target).names().sorted()
        } catch { throw failure(error, of: path, target) }
        guard occupants.isEmpty else {
            throw Failure(occupants: occupants, error: nil, description: "\(path) is not an empty folder")
        }
        let (parent, name) = OutputFile.split(target)
        // A hidden folder of definitions is never read.
        let staging = (isNew ? "\(parent)/.\(name)" : "\(target)/") + ".\(program)-\(getpid())"
        let files = isNew ? Dictionary(files.map { ($0.path, $0) }) { $1 }.map(\.value) : files
        let staged = files.indices.map { isNew ? "\(staging)/\(files[$0].path)" : "\(staging)/\($0)" }
        let folders = Set(files.compactMap { GeneratedFolder.folder($0.path) })
            .map { "\(isNew ? staging : target)/\($0)" }
        do throws(SystemError) {
            for folder in [staging] + folders { try DurableFolder(path: folder).create(mode: 0o777) }
            for (path, file) in zip(staged, files) { try GeneratedFolder.write(file.bytes, to: path) }
            if isNew {
                try GeneratedFolder.move(staging, to: target)
            } else {
                for (path, file) in zip(staged, files) { try GeneratedFolder.move(path, to: "\(target)/\(file.path)") }
                _ = rmdir(staging)
            }
        } catch {
            for path in staged { _ = unlink(path) }
            if !isNew {
                // The file that says what is missing goes last here too.
                for file in files.dropFirst() + files.prefix(1) { _ = unlink("\(target)/\(file.path)") }
            }
            for folder in folders + [staging] { _ = rmdir(folder) }
            throw failure(error, of: path, target)
        }
    }

    private static func failure(_ error: SystemError, of path: String, _ target: String) -> Failure {
        let folder = isThere(target) ? target : OutputFile.split(target).folder
        return Failure(
            occupants: [], error: error,
            description: FileError.writing("the folder \(path)", error.number, folder: folder, option: nil).description)
    }

    /// Whether the path leads to anything, a symbolic link to nothing too.
    private static func isThere(_ path: String) -> Bool { stat(ofLink: path) != nil }
}
