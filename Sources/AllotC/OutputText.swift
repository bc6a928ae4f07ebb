import CAllot

/// Where a function puts a text for the caller.
public typealias OutputText = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

extension String {
    /// A copy that C code releases with `allot_text_release`. A zero byte, which ends a text in C, becomes U+FFFD.
    func copyForC() -> UnsafeMutablePointer<CChar> {
        let bytes = utf8.contains(0) ? Array(String(map { $0 == "\0" ? "\u{FFFD}" : $0 }).utf8) : Array(utf8)
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        for (index, byte) in bytes.enumerated() { (copy + index).initialize(to: CChar(bitPattern: byte)) }
        (copy + bytes.count).initialize(to: 0)
        return copy
    }
}

/// Runs the body of a function: what it throws becomes a status, and a text in `message`.
func status(_ message: OutputText?, _ body: () throws -> Void) -> allot_status {
    do {
        try body()
        return allot_status(ALLOT_OK)
    } catch {
        let failure = InterfaceError(error)
        message?.pointee = failure.message.copyForC()
        return allot_status(failure.status)
    }
}

/// Runs the body of a function whose only output is a text.
func status(_ output: OutputText?, _ message: OutputText?, _ body: () throws -> String) -> allot_status {
    status(message) {
        guard let output else { throw InterfaceError.missing("the output") }
        output.pointee = try body().copyForC()
    }
}

/// A text of the caller.
func text(_ pointer: UnsafePointer<CChar>?, _ name: String) throws -> String {
    guard let pointer else { throw InterfaceError.missing(name) }
    guard let text = String(validatingCString: pointer) else {
        throw InterfaceError.argument("\(name) is not UTF-8; convert it")
    }
    return text
}
