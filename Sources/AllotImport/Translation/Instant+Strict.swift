import AllotConfiguration
import AllotCore

extension Instant {
    /// Reads an instant as other systems do: RFC 3339 with a "T", with seconds and with the minutes of the offset.
    /// Returns `nil` for the other spellings that Allot reads.
    init?(strict text: String) {
        let bytes = Array(text.utf8)
        self.init(text)
        guard bytes[10] != UInt8(ascii: " "), bytes[16] == UInt8(ascii: ":"),
            bytes[bytes.count - 1] | 0x20 == UInt8(ascii: "z") || bytes[bytes.count - 3] == UInt8(ascii: ":")
        else { return nil }
    }
}
