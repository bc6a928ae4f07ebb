import TestSupport
import Testing

@testable import AllotFiles

struct OutputRulesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func output(_ rules: OutputRules, isUnnamedAllowed: Bool) throws -> AtomicOutput {
        try AtomicOutput(
            path: folder.path("key"), option: "--key", rules: rules, isUnnamedAllowed: isUnnamedAllowed)
    }

    @Test("Only its owner may read a private file, even if it replaces another", arguments: [true, false])
    func privateFilesAreTheOwnersAlone(isUnnamedAllowed: Bool) throws {
        let rules = OutputRules(isPrivate: true)
        for _ in 0..<2 {
            let output = try output(rules, isUnnamedAllowed: isUnnamedAllowed)
            try output.write([1])
            try output.commit()
            #expect(try folder.mode("key") == 0o600)
            // The next one replaces a file that all users may read.
            chmod(folder.path("key"), 0o644)
        }
        #expect(try folder.names() == ["key"])
    }

    @Test("A file is not replaced if that is not allowed", arguments: [true, false])
    func filesStayWhereNothingMayBeReplaced(isUnnamedAllowed: Bool) throws {
        let rules = OutputRules(mayReplace: false)
        let late = try output(rules, isUnnamedAllowed: isUnnamedAllowed)
        try late.write([1])
        // Another program was faster.
        try folder.write([2], to: "key")
        let committing = #expect(throws: FileError.self) { try late.commit() }
        let opening = #expect(throws: FileError.self) { _ = try output(rules, isUnnamedAllowed: isUnnamedAllowed) }
        #expect(committing?.systemErrorNumber == EEXIST)
        #expect(opening?.systemErrorNumber == EEXIST)
        #expect(try folder.bytes("key") == [2])
    }

    #if os(Linux)
        /// To store a folder on disk it has to be opened, which the kernel reports.
        @Test("The folder of a durable file is stored on disk once the file has its name", arguments: [true, false])
        func durableNames(isUnnamedAllowed: Bool) throws {
            for (isDurable, events) in [(false, ["key"]), (true, ["key", "the folder"])] {
                let output = try output(OutputRules(isDurable: isDurable), isUnnamedAllowed: isUnnamedAllowed)
                try output.write([1])
                let queue = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
                defer { close(queue) }
                let kinds = IN_OPEN | IN_CREATE | IN_MOVED_TO
                try #require(inotify_add_watch(queue, folder.path, UInt32(kinds)) >= 0)
                try output.commit()
                #expect(Self.events(queue).filter { !$0.hasPrefix(".") } == events)
            }
        }

        /// The names that files got, and the openings of the folder itself.
        private static func events(_ queue: Int32) -> [String] {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = buffer.withUnsafeMutableBytes { read(queue, $0.baseAddress, $0.count) }
            return buffer.withUnsafeBytes { bytes in
                var events: [String] = []
                var start = 0
                while start < count {
                    let event = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
                    let nameStart = start + MemoryLayout<inotify_event>.size
                    start = nameStart + Int(event.len)
                    let isOpened = event.mask & UInt32(IN_OPEN) != 0
                    let name = String(decoding: bytes[nameStart..<start].prefix { $0 != 0 }, as: UTF8.self)
                    if name.isEmpty == isOpened { events.append(isOpened ? "the folder" : name) }
                }
                return events
            }
        }
    #endif
}
