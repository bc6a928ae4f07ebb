import AllotFiles

/// A file of a journal that this process holds, and what is known of its contents.
struct JournalFile {
    let file: LockedFile
    /// The size in bytes.
    var size: Int
    /// How many of its events wait to be sent.
    var waiting: Int
    /// Whether it ends within a line.
    var isTorn: Bool
    /// Whether something was written since it was last synchronised.
    var isChanged = false

    /// A file that has grown to this size is not appended to any more; it is removed when its last event was sent.
    static let sizeLimit = 4_194_304

    /// Appends a line. Returns what went wrong.
    mutating func append(_ line: [UInt8], _ write: JournalWrite) -> StoreError? {
        let bytes = isTorn ? [UInt8(ascii: "\n")] + line : line
        let count = write(file.descriptor.number, bytes)
        isChanged = true
        if count == bytes.count {
            size += count
            isTorn = false
            return nil
        }
        // A part of a line must not become the beginning of the next one.
        if count > 0, !file.truncate(to: size) {
            size += count
            isTorn = true
        }
        let reason = count < 0 ? "\(SystemError(Int32(-count)))" : "only a part of the line was written"
        return StoreError(.unwritable, "\(file.path): an exposure is not on disk (\(reason)); free space on the disk")
    }

    /// Removes all lines. Returns whether that succeeded.
    mutating func clear() -> Bool {
        guard file.truncate(to: 0) else { return false }
        size = 0
        isTorn = false
        return true
    }
}
