import Foundation
import TestSupport
import Testing

@testable import AllotFiles

@Suite(.blocks) struct InputFileTests {
    private func failure(_ path: String) -> FileError? {
        #expect(throws: FileError.self) { _ = try InputFile(path: path) }
    }

    @Test("The error says why a file cannot be read")
    func tellsWhyAFileCannotBeRead() throws {
        let folder = try TemporaryFolder()
        let missing = failure(folder.path("none.csv"))
        #expect(missing?.systemErrorNumber == ENOENT)
        #expect(
            missing?.description
                == "cannot read \(folder.path("none.csv")): there is no such file (No such file or directory); "
                + "check its name")
        #expect(failure(folder.path)?.systemErrorNumber == EISDIR)
        #expect(failure(folder.path)?.description.contains("the path leads to a folder (Is a directory)") == true)
        let file = try folder.write("a", to: "file")
        #expect(failure(file + "/x")?.systemErrorNumber == ENOTDIR)
    }

    @Test("A file that may not be read is an error", .enabled(if: geteuid() != 0))
    func tellsThatReadingIsNotPermitted() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a", to: "file")
        chmod(path, 0)
        #expect(failure(path)?.systemErrorNumber == EACCES)
    }

    @Test("A failure while reading is an error")
    func tellsThatReadingFails() throws {
        // Nothing is mapped at address 0, where the memory of a process begins.
        let error = #expect(throws: FileError.self) { _ = try InputFile(path: "/proc/self/mem").readAll(limit: 1) }
        #expect(error?.systemErrorNumber == EIO)
        #expect(error?.description.hasPrefix("cannot read /proc/self/mem: Input/output error; ") == true)
    }

    @Test("The size of a regular file is known, that of a device is not")
    func knowsTheSizeOfFiles() throws {
        let folder = try TemporaryFolder()
        let size = try InputFile(path: try folder.write("abc", to: "file")).size
        #expect(size == 3)
        let unknown = try InputFile(path: "/dev/null").size
        #expect(unknown == nil)
    }

    @Test("Bytes in memory are read once, in pieces or as a whole")
    func readsMemory() throws {
        let input = InputFile(bytes: [1, 2, 3, 4, 5])
        let size = input.size
        #expect(size == 5)
        var buffer: [UInt8] = [9, 9, 9]
        let counts = [try input.read(into: &buffer, at: 1), try input.read(into: &buffer, at: 0)]
        #expect(counts == [2, 3])
        #expect(buffer == [3, 4, 5])
        let rest = try input.read(into: &buffer, at: 0)
        #expect(rest == 0)
        let whole = try InputFile(bytes: [1, 2]).readAll(limit: 2)
        #expect(whole == [1, 2])
        let tooLong = try InputFile(bytes: [1, 2]).readAll(limit: 1)
        #expect(tooLong == nil)
    }

    @Test("A closed descriptor is an error")
    func aClosedDescriptorIsAnError() {
        let error = #expect(throws: FileError.self) { _ = try InputFile(borrowing: -1, name: "standard input") }
        #expect(
            error?.description == "cannot read standard input: it is closed (Bad file descriptor); name a file instead")
    }
}
