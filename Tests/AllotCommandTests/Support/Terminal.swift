import Foundation

/// A pseudo-terminal.
struct Terminal {
    /// What a terminal cannot be made for.
    struct Unavailable: Error {}

    private let controller: FileHandle
    /// The end that a program writes to.
    let handle: FileHandle

    /// `TIOCSPTLCK` and `TIOCGPTN`, which Swift does not import. Linux gives them these values on x86-64 and arm64.
    private static let unlock: UInt = 0x4004_5431
    private static let number: UInt = 0x8004_5430

    init() throws {
        let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var index: Int32 = 0
        guard controller >= 0, ioctl(controller, Self.unlock, &isLocked) == 0,
            ioctl(controller, Self.number, &index) == 0
        else { throw Unavailable() }
        self.controller = FileHandle(fileDescriptor: controller, closeOnDealloc: true)
        let end = open("/dev/pts/\(index)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard end >= 0 else { throw Unavailable() }
        handle = FileHandle(fileDescriptor: end, closeOnDealloc: true)
    }

    /// Gives it a width.
    func resize(columns: UInt16) {
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(controller.fileDescriptor, UInt(TIOCSWINSZ), &size)
    }

    /// Types text, which ends with Ctrl-D.
    func type(_ text: String) throws {
        try controller.write(contentsOf: Data((text + "\u{4}").utf8))
    }

    /// Everything that was written, a few kilobytes at most, with the terminal's line ends.
    func text() -> String {
        try? handle.close()
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            // At its end a terminal reports an error.
            let count = read(controller.fileDescriptor, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer.prefix(count)
        }
    }
}
