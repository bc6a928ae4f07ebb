import AllotConfiguration
import AllotFiles
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
        let status: stat
        var bytes: [UInt8]? = []
        do throws(SystemError) {
            // Opening a pipe without a writer would wait as well.
            let file = try FileDescriptor(opening: path, O_RDONLY | (mayWait ? 0 : O_NONBLOCK))
            status = try file.status()
            if mayWait || status.kind == S_IFREG { bytes = try file.readToEnd(limit: Self.limit) }
        } catch {
            throw SignatureError(
                .unusableKey, "\(path) cannot be read (\(error)); check the path and its permissions")
        }
        guard mayWait || status.kind == S_IFREG else {
            throw SignatureError(.unusableKey, "\(path) is not a regular file; put a file with the key there")
        }
        guard let bytes else {
            throw SignatureError(.unusableKey, "\(path) has more than \(Self.limit) bytes; it is not a file of keys")
        }
        isOpenToOthers = status.kind == S_IFREG && status.st_mode & 0o077 != 0
        text = String(decoding: bytes, as: UTF8.self)
    }
}
