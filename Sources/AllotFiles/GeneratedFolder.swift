/// A folder that a program replaces as a whole, and nothing but its own: a hidden file in the folder lists what was
/// written. The new folder is made next to the old one, so that a run that is killed never leaves a mixture; the next
/// run cleans up after it.
package struct GeneratedFolder {
    /// The reason why a folder is not written, and how to fix it.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// A file by its path below the folder: a name, or the name of a folder and a name.
    package typealias File = (path: String, bytes: [UInt8])

    private let path: String
    private let listName: String
    /// Where the new folder is made and the old one goes.
    private let workshop: String

    /// Names a folder, which need not exist, and the program that writes it, a part of hidden names.
    package init(_ path: String, of program: String) throws(Failure) {
        // A symbolic link stays what it is.
        var target = resolvedPath(path) ?? path
        while target.utf8.count > 1, target.hasSuffix("/") { target.removeLast() }
        let start = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
        guard !["", ".", ".."].contains(target[start...]), target != resolvedPath(".") else {
            throw Failure(description: "\(path) cannot be replaced as a whole; name a folder in it with -o")
        }
        self.path = target
        listName = ".\(program)"
        workshop = "\(target[..<start]).\(target[start...]).\(program)"
    }

    package func replace(with files: [File]) throws(Failure) {
        try refuseStrangers()
        do throws(SystemError) {
            try make(workshop)
            let lock = try FileDescriptor(opening: "\(workshop)/lock", O_CREAT | O_RDWR, mode: 0o600)
            guard try lock.lock() else { throw SystemError(EBUSY, path: workshop) }
            // The folder stays if the old files are still in it.
            defer {
                _ = unlink("\(workshop)/lock")
                _ = rmdir(workshop)
            }
            try cleanUp()
            do throws(SystemError) {
                try stage(files)
                try exchange()
            } catch {
                try? removeOwn("\(workshop)/new")
                throw error
            }
            try removeOwn("\(workshop)/old")
        } catch {
            throw Failure(
                description: error.number == EBUSY
                    ? "cannot write the folder \(path): \(error); another run writes it, or it is a volume"
                    : FileError.writing(
                        "the folder \(path)", error.number, folder: OutputFile.split(path).folder, option: "-o"
                    ).description)
        }
    }

    private func refuseStrangers() throws(Failure) {
        do throws(SystemError) {
            guard let names = try Self.names(of: path) else { return }
            let own = Set(try list(of: path))
            let folders = Set(own.compactMap(Self.folder))
            for name in names.sorted() where name != listName && !own.contains(name) {
                let inside = folders.contains(name) ? try Self.names(of: "\(path)/\(name)") ?? [] : nil
                guard let stranger = inside.map({ $0.sorted().first { !own.contains("\(name)/\($0)") } }) ?? name else {
                    continue
                }
                throw SystemError(EEXIST, path: inside == nil ? stranger : "\(name)/\(stranger)")
            }
        } catch {
            throw Failure(
                description: error.number == EEXIST
                    ? "\(path) has a file that was not written here, \(error.path), and would be replaced as a whole; "
                        + "move it, or name another folder with -o" : "cannot read the folder \(path): \(error)")
        }
    }

    /// Puts right what a run that was killed left.
    private func cleanUp() throws(SystemError) {
        if OpenFolder.exists("\(workshop)/old") {
            if !OpenFolder.exists(path) { try Self.move("\(workshop)/old", to: path) }
            try removeOwn("\(workshop)/old")
        }
        try removeOwn("\(workshop)/new")
    }

    private func stage(_ files: [File]) throws(SystemError) {
        let new = "\(workshop)/new"
        try make(new)
        // First, so that a run that is killed leaves nothing that is not on the list.
        try Self.write(Array(files.map { $0.path + "\n" }.joined().utf8), to: "\(new)/\(listName)")
        for folder in Set(files.compactMap { Self.folder($0.path) }) { try make("\(new)/\(folder)") }
        for file in files { try Self.write(file.bytes, to: "\(new)/\(file.path)") }
    }

    private func exchange() throws(SystemError) {
        let (new, old) = ("\(workshop)/new", "\(workshop)/old")
        guard OpenFolder.exists(path) else { return try Self.move(new, to: path) }
        try FileDescriptor(opening: new, O_RDONLY | O_DIRECTORY).resemble(OpenFolder(path: path).status())
        try Self.move(path, to: old)
        do throws(SystemError) {
            try Self.move(new, to: path)
        } catch {
            try Self.move(old, to: path)
            throw error
        }
    }

    /// Removes what the list of a folder names, then the folder if nothing else is in it.
    private func removeOwn(_ folder: String) throws(SystemError) {
        guard OpenFolder.exists(folder) else { return }
        let own = try list(of: folder)
        for file in own { _ = unlink("\(folder)/\(file)") }
        for folderName in Set(own.compactMap(Self.folder)) { _ = rmdir("\(folder)/\(folderName)") }
        _ = unlink("\(folder)/\(listName)")
        _ = rmdir(folder)
    }

    /// The files that a list names, of those that it can name. Empty without a list.
    private func list(of folder: String) throws(SystemError) -> [String] {
        let file: FileDescriptor
        do throws(SystemError) {
            file = try FileDescriptor(openingFile: "\(folder)/\(listName)", O_RDONLY)
        } catch {
            guard error.isAbsence else { throw error }
            return []
        }
        let lines = String(decoding: try file.readToEnd(limit: 1 << 26) ?? [], as: UTF8.self).split(separator: "\n")
        return lines.map(String.init).filter { line in
            let parts = line.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count <= 2 && parts.allSatisfy { !["", ".", ".."].contains($0) }
        }
    }

    /// The folder of a file's path below the generated one.
    static func folder(_ path: String) -> String? { path.firstIndex(of: "/").map { String(path[..<$0]) } }

    /// The names of what is in a folder; `nil` if there is no folder.
    private static func names(of folder: String) throws(SystemError) -> [String]? {
        guard OpenFolder.exists(folder) else { return nil }
        return try OpenFolder(path: folder).names()
    }

    private func make(_ folder: String) throws(SystemError) {
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw SystemError(path: folder) }
    }

    static func move(_ path: String, to place: String) throws(SystemError) {
        guard rename(path, place) == 0 else { throw SystemError(path: place) }
    }

    static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let file = try FileDescriptor(opening: path, O_CREAT | O_EXCL | O_WRONLY, mode: 0o666)
        try file.writeAll(bytes)
        try file.flushByClosing()
    }
}
