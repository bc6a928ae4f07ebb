/// A file opened for reading from its start to its end, standard input, or bytes in memory.
///
/// ```swift
/// let input = try InputFile(path: "users.csv")
/// print(input.name, input.size ?? 0)
/// ```
public struct InputFile: ~Copyable, Sendable {
    /// The name of the input in messages: its path, or `standard input`.
    public let name: String
    /// The size in bytes of a regular file or of memory; `nil` if it is not known beforehand.
    public let size: Int?
    package let descriptor: FileDescriptor
    /// The bytes in memory that are still to be read; `nil` for a descriptor.
    private let memory: Lock<ArraySlice<UInt8>?>

    /// Opens a path; `-` is standard input.
    ///
    /// Throws if the file does not exist, is a folder, or may not be read.
    public init(path: String) throws(FileError) {
        if path == "-" {
            try self.init(borrowing: STDIN_FILENO, name: "standard input")
            return
        }
        let descriptor: FileDescriptor
        do throws(SystemError) {
            descriptor = try FileDescriptor(opening: path, O_RDONLY)
        } catch { throw .reading(path, error.number) }
        try self.init(descriptor: descriptor, name: path)
    }

    /// Reads bytes in memory, such as the body of a request, compressed or not.
    public init(bytes: [UInt8], name: String = "the input") {
        self.name = name
        size = bytes.count
        descriptor = FileDescriptor(-1)
        memory = Lock(bytes[...])
    }

    /// Reads an open descriptor, such as a pipe that another task writes. The caller closes it afterwards.
    ///
    /// - Throws: `FileError` if the descriptor is closed, or that of a folder.
    public init(borrowing number: Int32, name: String) throws(FileError) {
        try self.init(descriptor: FileDescriptor(number, isOwned: false), name: name)
    }

    private init(descriptor: consuming FileDescriptor, name: String) throws(FileError) {
        do throws(SystemError) {
            let status = try descriptor.status()
            guard status.kind != S_IFDIR else { throw SystemError(EISDIR) }
            size = status.kind == S_IFREG ? Int(status.st_size) : nil
        } catch { throw .reading(name, error.number) }
        self.name = name
        memory = Lock(nil)
        #if os(Linux)
            // Only a hint; files that don't support it are read normally.
            _ = posix_fadvise(descriptor.number, 0, 0, Int32(POSIX_FADV_SEQUENTIAL))
        #endif
        self.descriptor = descriptor
    }

    /// The size of a file in bytes. The file is not opened: closing it would end the locks that this process has on it.
    package static func size(ofFileAt path: String) throws(FileError) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .reading(path, errno) }
        return Int(status.st_size)
    }

    /// The bytes of a file. Returns `nil` if the file does not exist.
    package static func bytes(ofFileAt path: String) throws(FileError) -> [UInt8]? {
        do throws(FileError) {
            return try InputFile(path: path).readAll(limit: .max)
        } catch {
            guard error.isAbsence else { throw error }
            return nil
        }
    }

    /// Reads the whole file, which must fit into memory. Returns `nil` if it has more than `limit` bytes.
    package func readAll(limit: Int) throws(FileError) -> [UInt8]? {
        if let bytes = memory.withLock({ $0 }) { return bytes.count <= limit ? Array(bytes) : nil }
        do throws(SystemError) {
            return try descriptor.readToEnd(limit: limit)
        } catch { throw .reading(name, error.number) }
    }

    /// Reads into `buffer[filled...]`, and waits if nothing is there yet. Returns the count, 0 at the end of the file.
    package func read(into buffer: inout [UInt8], at filled: Int) throws(FileError) -> Int {
        if let count = readMemory(into: &buffer, at: filled) { return count }
        do throws(SystemError) {
            return try descriptor.readSome(into: &buffer, at: filled)
        } catch { throw .reading(name, error.number) }
    }

    private func readMemory(into buffer: inout [UInt8], at filled: Int) -> Int? {
        memory.withLock { rest in
            guard let bytes = rest else { return nil }
            let next = bytes.prefix(buffer.count - filled)
            buffer.replaceSubrange(filled..<filled + next.count, with: next)
            rest = bytes.dropFirst(next.count)
            return next.count
        }
    }
}
