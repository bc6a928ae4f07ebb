import AllotClient
import AllotFiles
import Foundation

// Writes records until it is killed, or a number of them, and the number of each after it is stored:
//   write FOLDER FIRST COUNT
// Tries to store a record while files may not have more than a number of bytes, and writes the failure:
//   limited FOLDER BYTES
// Writes where an app's store is:
//   place APP
// Adds a byte to a record in user defaults and removes another record, and writes the size before, after, and of both
// records as another store reads them:
//   defaults SUITE
let arguments = CommandLine.arguments.dropFirst()
guard let mode = arguments.first else { exit(64) }
let rest = Array(arguments.dropFirst())

func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

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
case ("defaults", 1):
    let (kept, removed) = (StoreRecord(.active, user: "\0🙂"), StoreRecord(.active, user: nil))
    do {
        let store = UserDefaultsStore(suite: rest[0])
        let before = try store.read(kept) ?? []
        say("\(before.count)")
        try store.write(before + [0xff], kept)
        let after = try store.read(kept) ?? []
        say("\(after.count)")
        try store.write([1], removed)
        try store.remove(removed)
        for record in [kept, removed] {
            let bytes = try UserDefaultsStore(suite: rest[0]).read(record) ?? []
            say("\(bytes.count)")
        }
    } catch {
        say("\(error)")
        exit(1)
    }
default:
    exit(64)
}
