import AllotFiles
internal import CZlib

/// Decompresses gzip (RFC 1952), one member after another, in constant memory whatever the size of the text.
struct GzipStream: ~Copyable, Sendable {
    /// The first bytes of every member.
    static let mark: [UInt8] = [0x1F, 0x8B]

    private static let windowBits: Int32 = 15 + 16
    /// The number of compressed bytes that are read at once.
    private static let inputSize = 1 << 16

    /// The place of zlib's state, which must not move; a number, because pointers are not `Sendable`.
    private let address: UInt
    /// The compressed bytes, of which those in `range` are still to be decompressed.
    private var bytes: [UInt8]
    private var range: Range<Int>
    private var isFileAtEnd: Bool
    private var isInMember = true
    /// Whether zlib may hold text that did not fit into the last buffer.
    private var mayHoldText = false
    /// Whether the last member has ended, and the file with it.
    private(set) var isAtEnd = false
    /// The number of compressed bytes that were decompressed.
    private(set) var byteCount = 0
    /// The fault of the compressed data at which the text ends, and its fix.
    private(set) var fault: String?

    init(_ start: [UInt8], isWhole: Bool) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        address = UInt(bitPattern: stream)
        bytes = start
        range = start.indices
        isFileAtEnd = isWhole
        if inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) != Z_OK {
            fault = "there is not enough memory to decompress the file"
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    private var stream: UnsafeMutablePointer<z_stream> {
        guard let stream = UnsafeMutablePointer<z_stream>(bitPattern: address) else {
            preconditionFailure("memory is not at 0")
        }
        return stream
    }

    var needsInput: Bool { range.isEmpty && !isFileAtEnd && !mayHoldText }

    mutating func read(from input: borrowing InputFile) throws(FileError) {
        if bytes.count < Self.inputSize {
            bytes.append(contentsOf: [UInt8](repeating: 0, count: Self.inputSize - bytes.count))
        }
        let count = try input.read(into: &bytes, at: 0)
        range = 0..<count
        isFileAtEnd = count == 0
    }

    /// Decompresses into `buffer[filled...]`. Returns the number of bytes: 0 without input, at the end, and at a fault.
    mutating func decompress(into buffer: inout [UInt8], at filled: Int) -> Int {
        while fault == nil, !isAtEnd, !needsInput {
            if isInMember {
                let count = inflateSome(into: &buffer, at: filled)
                if count > 0 { return count }
            } else if range.isEmpty {
                isAtEnd = true
            } else {
                inflateReset(stream)
                isInMember = true
            }
        }
        return 0
    }

    /// Lets zlib decompress what fits. Returns the number of bytes.
    private mutating func inflateSome(into buffer: inout [UInt8], at filled: Int) -> Int {
        let (stream, range) = (stream, range)
        let room = min(buffer.count - filled, Int(UInt32.max))
        let status = buffer.withUnsafeMutableBufferPointer { target in
            bytes.withUnsafeMutableBufferPointer { source in
                stream.pointee.next_in = source.baseAddress.map { $0 + range.lowerBound }
                stream.pointee.avail_in = UInt32(range.count)
                stream.pointee.next_out = target.baseAddress.map { $0 + filled }
                stream.pointee.avail_out = UInt32(room)
                return inflate(stream, Z_NO_FLUSH)
            }
        }
        let (rest, free) = (Int(stream.pointee.avail_in), Int(stream.pointee.avail_out))
        byteCount += range.count - rest
        self.range = range.upperBound - rest..<range.upperBound
        mayHoldText = free == 0 && status == Z_OK
        switch status {
        case Z_OK: break
        case Z_STREAM_END: isInMember = false
        case Z_BUF_ERROR:
            if isFileAtEnd {
                fault =
                    "the gzip data are incomplete and end here, at byte \(byteCount) of the file; copy the file again"
            }
        default:
            let reason = if let text = stream.pointee.msg { String(cString: text) } else { "code \(status)" }
            fault =
                "the gzip data are damaged here, at byte \(byteCount) of the file (\(reason)); copy the file again"
        }
        return room - free
    }
}
