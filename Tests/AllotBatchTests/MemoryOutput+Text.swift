import AllotBatch

extension MemoryOutput {
    var text: String {
        String(decoding: bytes, as: UTF8.self)
    }
}
