/// Validation of UTF-8 bytes.
package enum UTF8Validation {
    /// The offset of the first byte that is not valid UTF-8, `nil` when all are.
    package static func firstInvalidOffset(in bytes: some Sequence<UInt8>) -> Int? {
        var decoder = UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }
}
