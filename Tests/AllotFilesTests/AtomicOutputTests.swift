import Foundation
import TestSupport
import Testing

@testable import AllotFiles

struct AtomicOutputTests {
    private let folder: TemporaryFolder

    init() throws {
        BrokenPipe.becomesError()
        folder = try TemporaryFolder()
    }

    private func open(
        _ name: String, isUnnamedAllowed: Bool = true, rules: OutputRules = OutputRules()
    ) throws -> AtomicOutput {
        try AtomicOutput(path: folder.path(name), option: "-o", rules: rules, isUnnamedAllowed: isUnnamedAllowed)
    }

    private func failure(_ path: String, option: String = "-o") -> FileError? {
        #expect(throws: FileError.self) { try AtomicOutput(path: path, option: option) }
    }

    @Test(
        "An output appears under its name when it is committed, whatever its rules", arguments: [true, false],
        [
            OutputRules(), OutputRules(mayReplace: false), OutputRules(isDurable: true),
            OutputRules(mayReplace: false, isDurable: true),
        ])
    func appearsWhenItIsComplete(isUnnamedAllowed: Bool, rules: OutputRules) throws {
        let output = try open("out.csv", isUnnamedAllowed: isUnnamedAllowed, rules: rules)
        try output.write(Array("a,b\n".utf8))
        try output.write([])
        try output.write(Array("1,2\n".utf8))
        let names = try folder.names()
        #expect(names.count == (isUnnamedAllowed ? 0 : 1))
        #expect(names.allSatisfy(DurableFolder.isTemporary))
        try output.commit()
        try output.commit()
        #expect(try folder.names() == ["out.csv"])
        #expect(try folder.text("out.csv") == "a,b\n1,2\n")
    }

    @Test("An output that is not committed changes nothing and leaves nothing", arguments: [true, false])
    func leavesNothingWhenItIsDropped(isUnnamedAllowed: Bool) throws {
        _ = try folder.write("old", to: "out.csv")
        do {
            let output = try open("out.csv", isUnnamedAllowed: isUnnamedAllowed)
            try output.write(Array("new".utf8))
        }
        #expect(try folder.names() == ["out.csv"])
        #expect(try folder.text("out.csv") == "old")
    }

    @Test("An output that replaces a file keeps the file's mode", arguments: [true, false])
    func replacesAFileAndKeepsItsMode(isUnnamedAllowed: Bool) throws {
        let path = try folder.write("old", to: "out.csv")
        chmod(path, 0o640)
        let output = try open("out.csv", isUnnamedAllowed: isUnnamedAllowed)
        try output.write(Array("new".utf8))
        #expect(try folder.text("out.csv") == "old")
        try output.commit()
        #expect(try folder.names() == ["out.csv"])
        #expect(try folder.text("out.csv") == "new")
        #expect(try folder.mode("out.csv") == 0o640)
    }

    @Test("A new file has the mode that the umask allows", arguments: [true, false])
    func aNewFileHasTheModeThatTheUmaskAllows(isUnnamedAllowed: Bool) throws {
        close(AllotFiles.open(folder.path("plain"), O_CREAT | O_WRONLY, 0o666))
        try open("out.csv", isUnnamedAllowed: isUnnamedAllowed).commit()
        #expect(try folder.mode("out.csv") == folder.mode("plain"))
    }

    @Test("An output replaces a file that was created after it was opened", arguments: [true, false])
    func replacesAFileThatAppearedMeanwhile(isUnnamedAllowed: Bool) throws {
        let output = try open("out.csv", isUnnamedAllowed: isUnnamedAllowed)
        try output.write(Array("new".utf8))
        _ = try folder.write("other", to: "out.csv")
        try output.commit()
        #expect(try folder.names() == ["out.csv"])
        #expect(try folder.text("out.csv") == "new")
    }

    @Test("Two outputs to one name do not mix their bytes")
    func twoOutputsToOneNameDoNotMeet() throws {
        let first = try open("out.csv", isUnnamedAllowed: false)
        let second = try open("out.csv", isUnnamedAllowed: false)
        try first.write(Array("first".utf8))
        try second.write(Array("second".utf8))
        try first.commit()
        #expect(try folder.text("out.csv") == "first")
        try second.commit()
        #expect(try folder.text("out.csv") == "second")
        #expect(try folder.names() == ["out.csv"])
    }

    @Test("A name may be as long as the file system allows")
    func aLongNameIsPossible() throws {
        let name = String(repeating: "ü", count: 125) + ".csv"
        try open(name, isUnnamedAllowed: false).commit()
        _ = try folder.write("old", to: name)
        try open(name).commit()
        #expect(try folder.text(name) == "")
    }

    @Test("A symbolic link stays and its target is replaced")
    func followsSymbolicLinks() throws {
        try FileManager.default.createDirectory(atPath: folder.path("data"), withIntermediateDirectories: false)
        _ = try folder.write("old", to: "data/target.csv")
        symlink("data/target.csv", folder.path("link.csv"))
        symlink("link.csv", folder.path("second.csv"))
        let output = try open("second.csv")
        try output.write(Array("new".utf8))
        try output.commit()
        #expect(try folder.text("data/target.csv") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("second.csv")) == "link.csv")

        symlink(folder.path("data/absent.csv"), folder.path("dangling.csv"))
        try open("dangling.csv").commit()
        #expect(try folder.text("data/absent.csv") == "")

        symlink("loop", folder.path("loop"))
        #expect(failure(folder.path("loop"))?.systemErrorNumber == ELOOP)
    }

    /// A device has no disk.
    @Test("A device is written directly, a durable output too", arguments: [false, true])
    func writesDevicesDirectly(isDurable: Bool) throws {
        let null = try AtomicOutput(path: "/dev/null", option: "-o", rules: OutputRules(isDurable: isDurable))
        try null.write([1, 2, 3])
        try null.commit()
        var status = stat()
        #expect(stat("/dev/null", &status) == 0)
        #expect(status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test("A full disk is an error that names the fix")
    func aFullDiskIsOneClearError() throws {
        let full = try AtomicOutput(path: "/dev/full")
        let error = #expect(throws: FileError.self) { try full.write([1, 2, 3]) }
        #expect(error?.systemErrorNumber == ENOSPC)
        #expect(
            error?.description
                == "cannot write /dev/full: the disk is full (No space left on device); "
                + "free some space or write elsewhere with -o")
    }

    @Test("A pipe without a reader is an error of its own")
    func aClosedPipeIsOneClearError() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let output = try AtomicOutput(path: "/dev/fd/\(pipe.fileHandleForWriting.fileDescriptor)")
        let error = #expect(throws: FileError.self) { try output.write([1]) }
        #expect(error?.systemErrorNumber == EPIPE)
    }

    @Test("A FIFO is written directly")
    func writesAFIFO() throws {
        let path = folder.path("fifo")
        #expect(mkfifo(path, 0o600) == 0)
        // Open for both, a FIFO does not wait.
        let reader = AllotFiles.open(path, O_RDWR)
        defer { close(reader) }
        let output = try AtomicOutput(path: path)
        try output.write(Array("hello".utf8))
        try output.commit()
        var bytes = [UInt8](repeating: 0, count: 10)
        #expect(read(reader, &bytes, 10) == 5)
        #expect(try folder.names() == ["fifo"])
    }

    @Test("An inherited descriptor is written at its current position")
    func writesAnInheritedDescriptorWhereItStands() throws {
        let descriptor = AllotFiles.open(folder.path("log"), O_CREAT | O_WRONLY | O_APPEND, 0o600)
        defer { close(descriptor) }
        write(descriptor, "head\n", 5)
        let output = try AtomicOutput(path: "/dev/fd/\(descriptor)")
        try output.write(Array("row\n".utf8))
        try output.commit()
        #expect(try folder.text("log") == "head\nrow\n")
    }

    @Test("Writing waits for a slow reader")
    func waitsForASlowReader() throws {
        let pipe = Pipe()
        let writing = pipe.fileHandleForWriting.fileDescriptor
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        let sent = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        let received = Received()
        let done = DispatchSemaphore(value: 0)
        let reading = pipe.fileHandleForReading
        Thread {
            received.bytes = (try? reading.readToEnd()) ?? Data()
            done.signal()
        }.start()
        let output = try AtomicOutput(path: "/dev/fd/\(writing)")
        try output.write(sent)
        try output.commit()
        try pipe.fileHandleForWriting.close()
        done.wait()
        #expect(Array(received.bytes) == sent)
    }

    /// What a thread has read; the semaphore orders the accesses.
    private final class Received: @unchecked Sendable {
        var bytes = Data()
    }

    @Test("The error says why an output cannot be opened")
    func tellsWhyAnOutputCannotBeOpened() throws {
        #expect(failure(folder.path)?.systemErrorNumber == EISDIR)
        #expect(failure(folder.path("sub/"))?.systemErrorNumber == EISDIR)
        let missing = failure(folder.path("none/out.csv"), option: "--rejects")
        #expect(missing?.systemErrorNumber == ENOENT)
        #expect(
            missing?.description
                == "cannot write \(folder.path("none/out.csv")): there is no folder \(folder.path("none")) "
                + "(No such file or directory); create it or write elsewhere with --rejects")
        _ = try folder.write("", to: "file")
        #expect(failure(folder.path("file/out.csv"))?.systemErrorNumber == ENOTDIR)
        #expect(failure("/dev/fd/987654")?.systemErrorNumber == EBADF)
    }

    @Test("A file that may not be written is not replaced", .enabled(if: geteuid() != 0))
    func respectsPermissions() throws {
        let path = try folder.write("old", to: "out.csv")
        chmod(path, 0o444)
        #expect(failure(path)?.systemErrorNumber == EACCES)
        chmod(folder.path, 0o555)
        defer { chmod(folder.path, 0o755) }
        #expect(failure(folder.path("new.csv"))?.systemErrorNumber == EACCES)
    }

    @Test("A relative path is possible")
    func writesARelativePath() throws {
        // The name alone means the working folder; nothing is committed there.
        _ = try AtomicOutput(path: "allot-test-output.csv")
    }
}
