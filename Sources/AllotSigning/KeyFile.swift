import AllotConfiguration
import Glibc

/// A file with keys.
package struct KeyFile: Sendable {
    package let text: String
    /// Whether somebody else than the file's owner may read it.
    package let isOpenToOthers: Bool

    /// More bytes than any file of keys has.
    private static let limit = 1 << 20

    package init(path: String) throws(SignatureError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure(path, errno) }
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
                throw SignatureError(.unusableKey, "\(path) has more than \(Self.limit) bytes; it is no file of keys")
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
