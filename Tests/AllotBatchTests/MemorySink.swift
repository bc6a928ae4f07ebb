import Synchronization

@testable import AllotBatch

/// Keeps what is written.
final class MemorySink: ByteSink {
    private let bytes = Mutex<[UInt8]>([])

    func write(_ bytes: [UInt8]) {
        self.bytes.withLock { $0 += bytes }
    }

    var text: String {
        String(decoding: bytes.withLock { $0 }, as: UTF8.self)
    }
}
