/// Notices changes in a folder soon after they happen, as a hint: changes by other machines, in files elsewhere that
/// links lead to, and on systems other than Linux go unnoticed. Compare the files themselves from time to time.
package struct FolderWatch: ~Copyable, Sendable {
    private let path: String
    #if os(Linux)
        private let events: FileDescriptor
        /// The folder that is watched; `nil` for none.
        private var watched: (watch: Int32, device: UInt64, number: UInt64)?
    #endif

    /// Watches the folder that a path leads to, whichever that is at the time.
    package init(path: String) {
        self.path = path
        #if os(Linux)
            events = FileDescriptor(inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)), path: path)
            follow()
        #endif
    }

    package var isActive: Bool {
        #if os(Linux)
            watched != nil
        #else
            false
        #endif
    }

    /// Whether something that counts by its name has changed since the last call; a link that is moved always does.
    package mutating func hasChanged(_ counts: (_ name: String) -> Bool) -> Bool {
        #if os(Linux)
            let hasEvents = takeEvents(counts)
            return follow() || hasEvents
        #else
            return false
        #endif
    }

    #if os(Linux)
        /// Watches the folder that the path leads to now. Returns whether that has changed.
        @discardableResult
        private mutating func follow() -> Bool {
            guard events.number >= 0 else { return false }
            var status = stat()
            let exists = stat(path, &status) == 0
            let (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
            if exists, let watched, watched.device == device, watched.number == number { return false }
            let wasWatched = watched != nil
            if !exists, !wasWatched { return false }
            if let watched { inotify_rm_watch(events.number, watched.watch) }
            let kinds = IN_CREATE | IN_DELETE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR
            let watch = exists ? inotify_add_watch(events.number, path, UInt32(kinds)) : -1
            watched = watch < 0 ? nil : (watch, device, number)
            // A folder that cannot be watched is not a new one each time.
            return wasWatched || watched != nil
        }

        private mutating func takeEvents(_ counts: (_ name: String) -> Bool) -> Bool {
            let queue = events.number
            guard queue >= 0 else { return false }
            let watch = watched?.watch
            var (found, isGone) = (false, false)
            withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
                while true {
                    let count = read(queue, buffer.baseAddress, buffer.count)
                    guard count > 0 else { return }
                    var start = 0
                    while start < count {
                        let event = buffer.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
                        let nameStart = start + MemoryLayout<inotify_event>.size
                        start = nameStart + Int(event.len)
                        let name = String(decoding: buffer[nameStart..<start].prefix { $0 != 0 }, as: UTF8.self)
                        // The folder was deleted, and perhaps made again: the kernel no longer watches it.
                        if event.mask & UInt32(IN_IGNORED) != 0, event.wd == watch { isGone = true }
                        // More than the queue has room for is a change too.
                        found =
                            found || event.mask & UInt32(IN_Q_OVERFLOW) != 0 || (!name.isEmpty && counts(name))
                            || (event.mask & UInt32(IN_MOVED_TO) != 0 && isLink(name))
                    }
                }
            }
            if isGone { watched = nil }
            return found || isGone
        }

        private func isLink(_ name: String) -> Bool { stat(ofLink: "\(path)/\(name)")?.kind == S_IFLNK }
    #endif
}
