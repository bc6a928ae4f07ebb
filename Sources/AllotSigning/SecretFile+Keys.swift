package import AllotConfiguration
package import AllotFiles

extension SecretFile {
    /// Reads a file of keys, which may be a pipe if it `mayWait` until its writer closes it.
    package init(keys path: String, mayWait: Bool = true) throws(SignatureError) {
        do throws(FileError) {
            try self.init(path: path, mayWait: mayWait)
        } catch {
            throw SignatureError(.unusableKey, error.description)
        }
    }
}
