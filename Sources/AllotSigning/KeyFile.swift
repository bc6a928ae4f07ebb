import AllotConfiguration
import Glibc

/// The text of a file with keys.
package struct KeyFile: Sendable {
    package let text: String
    /// Whether users other than the file's owner may read it.
    package let isOpenToOthers: Bool

    /// The maximal size; no file of keys is that large.
    private static let limit = 1 << 20

    /// Reads a file.
    ///
    /// - Parameter mayWait: whether it may be a pipe, which is read until its writer closes it.
    package init(path: String, mayWait: Bool = true) throws(SignatureError) {
        // Opening a pipe without a writer would wait as well.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (mayWait ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure(path, errno) }
        guard mayWait || status.st_mode & S_IFMT == S_IFREG else {
            throw SignatureError(.unusableKey, "\(path) is not a regular file; put a file with the key there")
        }
        isOpenToOthers = status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o077 != 0
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { break }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(path, errno) }
            bytes += buffer[..<count]
            guard bytes.count <= Self.limit else {
                throw SignatureError(
                    .unusableKey, "\(path) has more than \(Self.limit) bytes; it is not a file of keys")
            }
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    private static func failure(_ path: String, _ number: Int32) -> SignatureError {
        SignatureError(
            .unusableKey,
            "\(path) cannot be read (\(String(cString: strerror(number)))); check the path and its permissions")
    }
}
