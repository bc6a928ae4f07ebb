/// A folder that is open: its files are found in it, wherever its path, which may contain a symbolic link, leads to by
/// then.
package final class OpenFolder: Sendable {
    private let descriptor: FileDescriptor

    /// Opens a folder, and follows symbolic links to it.
    package init(path: String) throws(SystemError) {
        descriptor = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
    }

    private init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    package func folder(_ name: String) throws(SystemError) -> OpenFolder {
        OpenFolder(try open(name, O_RDONLY | O_DIRECTORY))
    }

    package func status() throws(SystemError) -> stat { try descriptor.status() }

    /// The names of everything in it, in no particular order.
    package func names() throws(SystemError) -> [String] {
        let number = openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError(path: descriptor.path) }
        guard let entries = fdopendir(number) else {
            let error = SystemError(path: descriptor.path)
            _ = close(number)
            throw error
        }
        defer { closedir(entries) }
        var names: [String] = []
        while true {
            // Only this tells an error from the end.
            errno = 0
            guard let entry = readdir(entries) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw SystemError(path: descriptor.path) }
        return names
    }

    /// The system's report about a file in it; symbolic links are followed.
    package func status(of name: String) throws(SystemError) -> stat {
        var status = stat()
        guard fstatat(descriptor.number, name, &status, 0) == 0 else { throw SystemError(path: name) }
        return status
    }

    /// Opens a file in it for reading. Never waits, as opening a pipe could.
    package func open(_ name: String) throws(SystemError) -> FileDescriptor { try open(name, O_RDONLY | O_NONBLOCK) }

    private func open(_ name: String, _ flags: Int32) throws(SystemError) -> FileDescriptor {
        let folder = descriptor.number
        let number = SystemCall.retrying { Int(openat(folder, name, flags | O_CLOEXEC)) }
        guard number >= 0 else { throw SystemError(Int32(-number), path: name) }
        return FileDescriptor(Int32(number), path: name)
    }

    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.kind == S_IFDIR
    }
}
