/// The text of a file that only its owner should be able to read: keys or tokens. `Sendable`.
package struct SecretFile: Sendable {
    package let path: String
    package let text: String
    /// Whether users other than the file's owner may read, change or run it.
    package let isOpenToOthers: Bool

    /// The maximal size; no file of keys or tokens is that large.
    private static let limit = 1 << 20

    /// Reads a file, which may be a pipe if it `mayWait` until its writer closes it.
    package init(path: String, mayWait: Bool = true) throws(FileError) {
        let status: stat
        var bytes: [UInt8]? = []
        do throws(SystemError) {
            // Opening a pipe without a writer would wait as well.
            let file = try FileDescriptor(opening: path, O_RDONLY | (mayWait ? 0 : O_NONBLOCK))
            status = try file.status()
            if mayWait || status.kind == S_IFREG { bytes = try file.readToEnd(limit: Self.limit) }
        } catch { throw FileError(refusal: "\(path) cannot be read (\(error)); check the path and its permissions") }
        guard mayWait || status.kind == S_IFREG else {
            throw FileError(refusal: "\(path) is not a regular file; put one there")
        }
        guard let bytes else {
            throw FileError(refusal: "\(path) has more than \(Self.limit) bytes; name the file that holds the secret")
        }
        self.path = path
        isOpenToOthers = status.kind == S_IFREG && status.st_mode & 0o077 != 0
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The fault of the file's permissions, and how to fix it. Returns `nil` if they are right.
    package func warning(_ secret: String) -> String? {
        isOpenToOthers ? "other users can read \(secret); prevent it with: chmod 600 \(path)" : nil
    }
}
