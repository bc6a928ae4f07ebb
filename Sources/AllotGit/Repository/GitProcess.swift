import AllotConfiguration
import AllotFiles

/// One run of `git`, whose output is read as it comes.
///
/// Started with a list of arguments, so that no shell reads them. The user's environment stays as it is (`GIT_DIR`,
/// `safe.directory`, …) unless the folder alone decides on the repository. Nothing that a repository configures is run:
/// no pager, no hook and no fetch of missing objects.
struct GitProcess: ~Copyable {
    private let identifier: pid_t
    private var input: FileDescriptor?
    private let output: FileDescriptor
    private let errors: FileDescriptor
    private var hasErrorsOpen = true
    private var isRunning = true
    /// The output that was read and not used yet.
    private var unread: [UInt8] = []
    private var position = 0
    /// The start of what it wrote to standard error.
    private(set) var errorText: [UInt8] = []
    private let command: String
    private static let errorLimit = 4096
    private static let longestLine = 1 << 20

    /// Starts Git in a repository, with settings such as `gc.auto=0` in place of those of the repository. Requests may
    /// be sent to one that takes input.
    init(
        in repository: GitRepository, _ arguments: [String], configuration: [String] = [], takesInput: Bool = false
    ) throws(GitError) {
        command = arguments.first ?? ""
        let general = ["git", "--no-pager", "--no-optional-locks", "--no-replace-objects"]
        let settings = (["core.fsmonitor=false", "core.hooksPath=/dev/null"] + configuration).flatMap { ["-c", $0] }
        let words = general + settings + (repository.directory.map { ["-C", $0] } ?? []) + arguments
        do throws(SystemError) {
            let requests = try Stream.open()
            let results = try Stream.open()
            let problems = try Stream.open()
            identifier = try Self.spawn(
                words, Self.environment(isOfFolderOnly: repository.isOfFolderOnly),
                streams: [requests.child.number, results.child.number, problems.child.number])
            input = requests.takeOwn()
            output = results.takeOwn()
            errors = problems.takeOwn()
            if !takesInput { input = nil }
        } catch {
            guard error.number == ENOENT else { throw GitError("cannot start git: \(error)") }
            throw GitError(
                "the program git, which reads and writes repositories, is not installed; install it (apt-get install "
                    + "git)")
        }
    }

    deinit {
        guard isRunning else { return }
        _ = kill(identifier, SIGKILL)
        _ = Self.wait(for: identifier)
    }

    mutating func send(_ line: String) throws(GitError) {
        guard let number = input?.number else { return }
        let bytes = Array((line + "\n").utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return SystemCall.retrying {
                    AllotFiles.send(number, rest.baseAddress, rest.count, SystemDifference.sendWithoutSignal)
                }
            }
            guard count >= 0 else { throw failure() }
            sent += count
        }
    }

    mutating func line() throws(GitError) -> [UInt8] {
        while true {
            if let end = unread[position...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                return Array(unread[position..<end])
            }
            guard unread.count - position < Self.longestLine, try fill() else { throw failure() }
        }
    }

    /// The next bytes; `nil`, and they are skipped, if they are more than a limit.
    mutating func bytes(_ count: Int, limit: Int) throws(GitError) -> [UInt8]? {
        var left = count
        var result: [UInt8] = []
        if count <= limit { result.reserveCapacity(count) }
        while left > 0 {
            if position == unread.count { guard try fill() else { throw failure() } }
            let part = unread[position...].prefix(left)
            if count <= limit { result += part }
            position += part.count
            left -= part.count
        }
        return count <= limit ? result : nil
    }

    /// Reads everything up to the end, which must be a success.
    mutating func rest(limit: Int) throws(GitError) -> [UInt8] {
        var result: [UInt8] = []
        repeat {
            result += unread[position...]
            position = unread.count
            guard result.count <= limit
            else { throw GitError("git \(command) writes more than \(limit) bytes; name a smaller range") }
        } while try fill()
        let status = end()
        // "Nothing found", as git merge-base says it.
        let isEmpty = status == 1 && result.isEmpty && errorText.isEmpty
        guard status == 0 || isEmpty else { throw GitError(reported: errorText, by: command) }
        return result
    }

    /// Reads more of the output. Returns `false` at its end.
    private mutating func fill() throws(GitError) -> Bool {
        if position == unread.count { (unread, position) = ([], 0) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var waiting = [pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)]
            if hasErrorsOpen { waiting.append(pollfd(fd: errors.number, events: Int16(POLLIN), revents: 0)) }
            SystemCall.wait(&waiting)
            if waiting.count > 1, waiting[1].revents != 0 { readErrors(&buffer) }
            guard waiting[0].revents != 0 else { continue }
            let count = Self.read(output.number, &buffer)
            unread += buffer.prefix(count)
            return count > 0
        }
    }

    private mutating func readErrors(_ buffer: inout [UInt8]) {
        let count = Self.read(errors.number, &buffer)
        hasErrorsOpen = count > 0
        errorText += buffer.prefix(max(0, min(count, Self.errorLimit - errorText.count)))
    }

    private static func read(_ number: Int32, _ buffer: inout [UInt8]) -> Int {
        let count = buffer.withUnsafeMutableBytes { bytes in
            SystemCall.retrying { AllotFiles.read(number, bytes.baseAddress, bytes.count) }
        }
        return max(0, count)
    }

    /// The failure of a process that ended too soon, with what it wrote to standard error.
    private mutating func failure() -> GitError {
        input = nil
        // Its errors are written; it must not keep this process waiting.
        _ = kill(identifier, SIGKILL)
        var buffer = [UInt8](repeating: 0, count: Self.errorLimit)
        while hasErrorsOpen, errorText.count < Self.errorLimit { readErrors(&buffer) }
        return GitError(reported: errorText, by: command)
    }

    /// Waits for the end and returns the exit status, or -1 for a signal.
    private mutating func end() -> Int32 {
        input = nil
        isRunning = false
        return Self.wait(for: identifier)
    }

    private static func wait(for identifier: pid_t) -> Int32 {
        var status: Int32 = 0
        guard SystemCall.retrying({ Int(waitpid(identifier, &status, 0)) }) >= 0 else { return -1 }
        return status & 0x7f == 0 ? status >> 8 & 0xff : -1
    }
}

// MARK: - Starting

extension GitProcess {
    /// The two ends of a stream between the processes.
    ///
    /// A socket, since writing to one without a reader is an error and never a signal, and no other child process
    /// inherits it.
    private struct Stream: ~Copyable {
        let own: FileDescriptor
        let child: FileDescriptor

        static func open() throws(SystemError) -> Stream {
            guard let ends = SystemDifference.connectedSockets() else { throw SystemError() }
            // The child's streams 0 to 2 are made one after another, which must not close one that is still needed.
            let number = fcntl(ends.1, F_DUPFD_CLOEXEC, 3)
            let error = SystemError()
            _ = close(ends.1)
            let stream = Stream(own: FileDescriptor(ends.0), child: FileDescriptor(number))
            guard number >= 0 else { throw error }
            return stream
        }

        consuming func takeOwn() -> FileDescriptor { own }
    }

    private static func spawn(
        _ words: [String], _ environment: [[CChar]], streams: [Int32]
    ) throws(SystemError) -> pid_t {
        var (actions, attributes) = SystemDifference.forSpawning()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, number) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, number, Int32(target))
        }
        // A program that ignores or blocks signals would hand that on.
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, pipe) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &pipe)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var identifier: pid_t = 0
        let code = withPointers(to: words.map { $0.utf8CString.dropLast() }) { words in
            withPointers(to: environment) { variables in
                posix_spawnp(&identifier, "git", &actions, &attributes, words, variables)
            }
        }
        guard code == 0 else { throw SystemError(code) }
        return identifier
    }

    /// The variables of this process, byte for byte, with those changed that decide what Git runs and how it writes. If
    /// the folder alone decides, of Git's own variables only those of its configuration and programs stay.
    private static func environment(isOfFolderOnly: Bool) -> [[CChar]] {
        var own = [
            // A file that cannot exist: for one that does, Git writes advice.
            "LC_ALL": "C", "GIT_GRAFT_FILE": "/dev/null/none", "GIT_LITERAL_PATHSPECS": nil, "GIT_GLOB_PATHSPECS": nil,
            "GIT_NOGLOB_PATHSPECS": nil, "GIT_ICASE_PATHSPECS": nil,
        ]
        // A fetch of missing objects would run what the repository's configuration names. Older versions of Git know
        // only the second variable.
        if getenv("GIT_NO_LAZY_FETCH").map({ String(cString: $0) }) != "0" {
            own["GIT_NO_LAZY_FETCH"] = "1"
            own["GIT_ALLOW_PROTOCOL"] = "none"
        }
        var variables: [[CChar]] = []
        var next = SystemDifference.variables()
        while let entry = next?.pointee {
            let text = Array(UnsafeBufferPointer(start: entry, count: strlen(entry)))
            let bytes = text.prefix { $0 != CChar(UInt8(ascii: "=")) }.map(UInt8.init(bitPattern:))
            let name = String(decoding: bytes, as: UTF8.self)
            let isKept =
                !isOfFolderOnly || !name.hasPrefix("GIT_") || name.hasPrefix("GIT_CONFIG") || name == "GIT_EXEC_PATH"
            if isKept, own.index(forKey: name) == nil { variables.append(text) }
            next = next?.successor()
        }
        return variables + own.compactMap { name, value in value.map { Array("\(name)=\($0)".utf8CString.dropLast()) } }
    }

    /// Gives `body` the list of strings that C functions take.
    private static func withPointers<Result>(
        to texts: [some Collection<CChar>], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup(Array($0) + [0]) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}
