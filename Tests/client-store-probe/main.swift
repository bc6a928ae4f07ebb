import AllotClient
import AllotFiles
import Foundation

// Writes records until it is killed, or a number of them, and the number of each after it is stored:
//   write FOLDER FIRST COUNT
// Tries to store a record while files may not have more than a number of bytes, and writes the failure:
//   limited FOLDER BYTES
// Writes where an app's store is:
//   place APP
let arguments = CommandLine.arguments.dropFirst()
guard let mode = arguments.first else { exit(64) }
let rest = Array(arguments.dropFirst())

func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}

/// The record with a number: the number, then bytes that depend on it, of a length that does too.
func record(_ number: Int) -> [UInt8] {
    var bytes = withUnsafeBytes(of: UInt64(number).littleEndian) { Array($0) }
    let count = 1 + (number &* 7919) % 300_000
    bytes.reserveCapacity(8 + count)
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number &+ index)) }
    return bytes
}

switch (mode, rest.count) {
case ("write", 3):
    guard let first = Int(rest[1]), let count = Int(rest[2]) else { exit(64) }
    for number in first..<(first + count) {
        // A store of its own each time: each looks for leftovers.
        do {
            try FileStore(folder: URL(filePath: rest[0])).write(record(number), StoreRecord(.active, user: "probe"))
        } catch {
            say("\(error)")
            exit(1)
        }
        say("\(number)")
    }
case ("limited", 2):
    guard let bytes = rlim_t(rest[1]) else { exit(64) }
    let store = FileStore(folder: URL(filePath: rest[0]))
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
    guard setrlimit(SystemDifference.fileSize, &limit) == 0 else { exit(2) }
    do {
        try store.write([UInt8](repeating: 1, count: Int(bytes) + 1), StoreRecord(.active, user: nil))
    } catch {
        say("\(error)")
        exit(1)
    }
case ("place", 1):
    say(FileStore(app: rest[0]).folder.path(percentEncoded: false))
default:
    exit(64)
}
