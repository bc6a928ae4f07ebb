import Glibc

/// A file opened for reading from its start to its end, or standard input.
public struct InputFile: ~Copyable, Sendable {
    /// How messages name the input: its path, or `standard input`.
    public let name: String
    /// The size in bytes of a regular file, `nil` when it is not known beforehand.
    public let size: Int?
    private let descriptor: FileDescriptor

    /// Opens a path; `-` is standard input.
    ///
    /// Throws when there is no such file, when it is a folder, or when it may not be read.
    public init(path: String) throws(FileError) {
        if path == "-" {
            try self.init(descriptor: FileDescriptor(STDIN_FILENO, isOwned: false), name: "standard input")
            return
        }
        let number = SystemCall.retrying { Int(open(path, O_RDONLY | O_CLOEXEC)) }
        guard number >= 0 else { throw .reading(path, Int32(-number)) }
        try self.init(descriptor: FileDescriptor(Int32(number)), name: path)
    }

    /// Reads an open descriptor, which stays the caller's to close.
    public init(borrowing number: Int32, name: String) throws(FileError) {
        try self.init(descriptor: FileDescriptor(number, isOwned: false), name: name)
    }

    private init(descriptor: consuming FileDescriptor, name: String) throws(FileError) {
        guard let status = descriptor.status else { throw .reading(name, errno) }
        guard status.kind != S_IFDIR else { throw .reading(name, EISDIR) }
        size = status.kind == S_IFREG ? Int(status.st_size) : nil
        self.name = name
        // A hint: what cannot follow it reads as well without.
        _ = posix_fadvise(descriptor.number, 0, 0, POSIX_FADV_SEQUENTIAL)
        self.descriptor = descriptor
    }

    /// Reads all there is, for inputs that fit into memory.
    ///
    /// - Parameter limit: after how many bytes to stop; somewhat more may have been read then.
    package func readAll(limit: Int = .max) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try read(into: &buffer, at: 0, stop: nil)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
            if bytes.count > limit { return bytes }
        }
    }

    /// Reads into `buffer[filled...]`; returns the number of bytes, 0 at the end of the file, or when `stop` is raised
    /// while there is nothing to read.
    func read(into buffer: inout [UInt8], at filled: Int, stop: StopSignal?) throws(FileError) -> Int {
        while true {
            if let stop, size == nil, !stop.waitUntilReadable(descriptor.number) { return 0 }
            let count = buffer.withUnsafeMutableBytes { bytes in
                let free = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                return SystemCall.retrying { Glibc.read(descriptor.number, free.baseAddress, free.count) }
            }
            if count >= 0 { return count }
            guard count == -Int(EAGAIN) else { throw .reading(name, Int32(-count)) }
            var waiting = [pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)]
            SystemCall.wait(&waiting)
        }
    }
}
