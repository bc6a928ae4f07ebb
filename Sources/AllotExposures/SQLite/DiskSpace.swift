import AllotFiles

/// The space of file systems.
package enum DiskSpace {
    /// The bytes that a user without privileges may still write on the file system of a path. Returns `nil` if they
    /// are not known.
    package static func free(at path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, isTooMany) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isTooMany ? .max : Int(clamping: bytes)
    }
}
