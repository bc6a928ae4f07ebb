#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The file of exposures that have been recorded and sent: a fingerprint in each line, oldest first.
///
/// Processes that share it append to it; one that finds it too long, and that no other uses it, replaces it.
struct SeenFile: Sendable {
    let path: String
    let limit: Int
    let write: JournalWrite

    /// The latest fingerprints, oldest first; makes the file short if it has grown. What is no fingerprint is passed over.
    func load() -> [ExposureKey] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        shorten(descriptor)
        return latest(descriptor)
    }

    /// The most bytes that so many fingerprints take: each may have an empty line.
    private var tailSize: Int {
        min(limit, 1 << 40) * (ExposureKey.digitCount + 2)
    }

    /// The latest fingerprints of an open file, oldest first. Complexity: O(``limit``), however long the file is.
    private func latest(_ descriptor: Int32) -> [ExposureKey] {
        // What is left of a line whose beginning is not read has too few digits.
        let start = max(0, size(descriptor) - tailSize)
        guard let bytes = FileBytes.read(descriptor, from: start) else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { ExposureKey(digits: $0) }.suffix(limit)
    }

    /// Replaces an open file if it has grown too long, and no other uses it.
    private func shorten(_ descriptor: Int32) {
        guard size(descriptor) > 2 * tailSize, flock(descriptor, LOCK_EX | LOCK_NB) == 0, isInPlace(descriptor) else {
            return
        }
        replace(latest(descriptor))
    }

    private func size(_ descriptor: Int32) -> Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Adds fingerprints; returns what went wrong.
    func append(_ keys: [ExposureKey]) -> StoreError? {
        // The file may be replaced between being opened and being locked; then what is written to it would be lost.
        for _ in 0..<10 {
            let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { break }
            defer { close(descriptor) }
            // Does not wait: whoever holds the file may have been suspended. Then a few may be lost, to be sent twice.
            let isLocked = flock(descriptor, LOCK_SH | LOCK_NB) == 0
            if isLocked, !isInPlace(descriptor) { continue }
            // An end of line before them, since the former writer may have been killed in the middle of a line.
            let bytes = keys.reduce(into: [UInt8(ascii: "\n")]) { $0 += $1.digits + [UInt8(ascii: "\n")] }
            guard write(descriptor, bytes) == bytes.count else { break }
            shorten(descriptor)
            return nil
        }
        return StoreError(
            .unwritable, "\(path): what was exposed is not remembered (\(FileBytes.lastError)); free space on the disk")
    }

    private func isInPlace(_ descriptor: Int32) -> Bool {
        var own = stat()
        var named = stat()
        return fstat(descriptor, &own) == 0 && stat(path, &named) == 0 && own.st_ino == named.st_ino
            && own.st_dev == named.st_dev
    }

    /// Puts a new file in the place of the old: whole, or not at all.
    private func replace(_ keys: [ExposureKey]) {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        let bytes = keys.flatMap { $0.digits + [UInt8(ascii: "\n")] }
        let isWritten = write(descriptor, bytes) == bytes.count && fsync(descriptor) == 0
        close(descriptor)
        if !isWritten || rename(temporary, path) != 0 { _ = unlink(temporary) }
    }
}

/// Exposures that were recorded once; of too many the oldest are forgotten.
struct SeenExposures: Sendable {
    let limit: Int
    private var keys: Set<ExposureKey> = []
    private var order: [ExposureKey] = []
    private var oldest = 0

    init(limit: Int) {
        self.limit = limit
    }

    func contains(_ key: ExposureKey) -> Bool {
        keys.contains(key)
    }

    /// Remembers an exposure. Complexity: O(1), amortised.
    mutating func insert(_ key: ExposureKey) {
        guard keys.insert(key).inserted else { return }
        order.append(key)
        while order.count - oldest > limit {
            keys.remove(order[oldest])
            oldest += 1
        }
        if oldest > limit {
            order.removeFirst(oldest)
            oldest = 0
        }
    }
}
