package import AllotConfiguration
package import AllotFiles

extension SecretFile {
    /// Reads a file of keys.
    ///
    /// - Parameter mayWait: whether it may be a pipe, which is read until its writer closes it.
    package init(keys path: String, mayWait: Bool = true) throws(SignatureError) {
        do throws(Failure) {
            try self.init(path: path, mayWait: mayWait)
        } catch {
            throw SignatureError(.unusableKey, error.description)
        }
    }
}
