import AllotConfiguration
import AllotFiles
import CAllot

/// Bytes of the caller, for readers of files.
final class MemoryFile: Sendable {
    private let descriptor: FileDescriptor
    private let name: String

    /// - Parameter name: what messages call the file.
    private init(_ bytes: [UInt8], name: String) throws {
        descriptor = FileDescriptor(open_memory_file())
        self.name = name
        try descriptor.writeAll(bytes)
        try descriptor.seek(to: 0)
    }

    convenience init(_ text: UnsafePointer<CChar>, _ length: Int, name: String) throws {
        guard length >= 0 else { throw InterfaceError.argument("the length of csv is \(length)") }
        try self.init(Array(UnsafeRawBufferPointer(start: text, count: length)), name: name)
    }

    /// The number of units of each variant, as rows.
    convenience init(_ counts: [(variant: String, count: Int)], name: String) throws {
        var bytes = Array("variant,count\n".utf8)
        for (variant, count) in counts {
            bytes.appendCSVField(variant)
            bytes.append(contentsOf: ",\(count)\n".utf8)
        }
        try self.init(bytes, name: name)
    }

    /// The file from its start, which must be read before this object ends.
    func input() throws -> InputFile {
        try InputFile(borrowing: descriptor.number, name: name)
    }
}
