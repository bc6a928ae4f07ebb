import AllotFiles
import Synchronization

/// A progress bar on standard error, if that is a terminal.
final class ProgressBar: Sendable {
    private let total: Int?
    private let isShown: Bool
    private let unit: String
    private let done = Atomic<Int>(0)
    private let lastStep = Atomic<Int>(-1)
    private static let width = 40
    /// The number of bytes after which the amount is written anew if the total is not known.
    private static let unknownStep = 1 << 24

    /// A bar of bytes, or of others with the name of a million of them, if the terminal has room for it.
    init(total: Int?, isAllowed: Bool = true, unit: String = "MB") {
        (self.total, self.unit) = (total, unit)
        isShown = isAllowed && StandardError.isTerminal
    }

    func add(_ more: Int) { show(done.add(more, ordering: .relaxed).newValue) }

    func show(_ done: Int) {
        guard isShown else { return }
        let step = total.map { $0 > 0 ? min(done * 100 / $0, 100) : 100 } ?? done / Self.unknownStep
        guard lastStep.exchange(step, ordering: .relaxed) != step else { return }
        let amount = "\(done / 1_000_000) \(unit)"
        guard total != nil else { return StandardError.write(bytes: Array("\r\(amount)".utf8)) }
        let filled = step * Self.width / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        StandardError.write(bytes: Array("\r[\(bar)] \(step)% \(amount)".utf8))
    }

    func clear() {
        if lastStep.exchange(-1, ordering: .relaxed) >= 0 { StandardError.write(bytes: Array("\r\u{1B}[K".utf8)) }
    }

    /// Tells a person at a terminal that a command which reads this input waits for it.
    static func announceTyping(_ input: String?) {
        if input == "-", isatty(STDIN_FILENO) == 1 {
            StandardError.write("allot: reading CSV from the keyboard; end with Ctrl-D, or name a file")
        }
    }
}
