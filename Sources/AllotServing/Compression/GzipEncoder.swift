import CZlib

/// Writes the format of gzip (RFC 1952) with codes that are made once for bodies that resemble each other. `Sendable`.
///
/// zlib takes longer to set up, and to make codes for each body, than to find the repetitions. And because no library
/// decides about the bytes, servers of one version agree on them, as the entity tag says.
package struct GzipEncoder: Sendable {
    /// Shorter bodies, in bytes, are sent as they are: compressing them saves no packet.
    package static let minimumLength = 1024

    private let codes: DeflateCodes

    /// The most bytes of a sample that count.
    static let sampleLimit = 1 << 16

    /// Makes codes for bodies that resemble a sample.
    package init(sample: some Collection<UInt8>) {
        var frequencies = DeflateCodes.Frequencies()
        let sample = Array(sample.prefix(Self.sampleLimit))
        sample.withUnsafeBytes { bytes in
            Self.scan(bytes) { literals in
                for index in literals { frequencies.count(literal: bytes[index]) }
            } repetition: { length, distance in
                frequencies.count(length: length, distance: distance)
            }
        }
        frequencies.countEnd()
        codes = DeflateCodes(frequencies)
    }

    /// Compresses bytes into memory that the caller provides.
    ///
    /// - Parameter output: makes room for `bound` bytes, calls `fill` with it, and keeps as many bytes as `fill`
    ///   returns.
    package func encode(
        _ input: UnsafeRawBufferPointer,
        _ output: (_ bound: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) -> Void
    ) {
        // No byte takes more than 15 bits; the beginning and the end take less than 1 KiB, and bits are written 64 at a
        // time.
        output(input.count * 2 + 1024) { write(input, into: $0) }
    }

    private func write(_ input: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Int {
        var writer = BitWriter(room)
        // DEFLATE, no name, no time, the fastest method, an unknown system.
        writer.write(0x8b1f, 16)
        writer.write(0x0008, 16)
        writer.write(0, 32)
        writer.write(0xff04, 16)
        for bits in codes.header { writer.write(bits.value, bits.count) }
        codes.literals.withUnsafeBufferPointer { literals in
            codes.repetitions.withUnsafeBufferPointer { repetitions in
                codes.distances.withUnsafeBufferPointer { distances in
                    Self.scan(input) { range in
                        for index in range {
                            let bits = literals[Int(input[index])]
                            writer.write(bits.value, bits.count)
                        }
                    } repetition: { length, distance in
                        let bits = repetitions[length]
                        let (symbol, extra, count) = DeflateCodes.distanceSymbol(distance)
                        let far = distances[symbol]
                        // At most 20 bits, and at most 28.
                        writer.write(
                            bits.value | far.value &<< UInt64(bits.count)
                                | UInt64(extra) &<< UInt64(bits.count &+ far.count), bits.count &+ far.count &+ count)
                    }
                }
            }
        }
        writer.write(codes.end.value, codes.end.count)
        writer.fillByte()
        let checksum = crc32_z(0, input.bindMemory(to: UInt8.self).baseAddress, input.count)
        writer.write(UInt64(checksum), 32)
        writer.write(UInt64(UInt32(truncatingIfNeeded: input.count)), 32)
        return writer.byteCount
    }

    // MARK: Repetitions

    private static let hashBits: UInt32 = 12

    @inline(__always)
    private static func slot(_ word: UInt32) -> Int {
        // Knuth's multiplicative hashing.
        Int((word &* 2_654_435_761) &>> (32 &- hashBits))
    }

    /// Divides bytes into those that stand for themselves and repetitions of earlier ones.
    @inline(__always)
    private static func scan(
        _ input: UnsafeRawBufferPointer, literals: (Range<Int>) -> Void,
        repetition: (_ length: Int, _ distance: Int) -> Void
    ) {
        var start = 0
        // By a hash of four bytes the last place that had it.
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1 << hashBits) { places in
            places.initialize(repeating: 0)
            var index = 1
            // All reads are of 8 bytes.
            let end = input.count - 8
            while index <= end {
                let word = input.loadUnaligned(fromByteOffset: index, as: UInt32.self)
                let own = slot(word)
                let place = Int(places[own])
                places[own] = UInt32(truncatingIfNeeded: index)
                guard index &- place <= DeflateCodes.window,
                    input.loadUnaligned(fromByteOffset: place, as: UInt32.self) == word
                else {
                    index &+= 1
                    continue
                }
                let length = length(input, place, index)
                literals(start..<index)
                repetition(length, index &- place)
                start = index &+ length
                index = start
            }
        }
        literals(start..<input.count)
    }

    /// The length of a repetition of at least four bytes.
    @inline(__always)
    private static func length(_ input: UnsafeRawBufferPointer, _ place: Int, _ index: Int) -> Int {
        let limit = min(DeflateCodes.lengths.upperBound, input.count &- index)
        var length = 4
        while length &+ 8 <= limit {
            let difference =
                input.loadUnaligned(fromByteOffset: place &+ length, as: UInt64.self).littleEndian
                ^ input.loadUnaligned(fromByteOffset: index &+ length, as: UInt64.self).littleEndian
            if difference != 0 { return length &+ difference.trailingZeroBitCount &>> 3 }
            length &+= 8
        }
        while length < limit, input[place &+ length] == input[index &+ length] { length &+= 1 }
        return length
    }
}

/// Writes bits, the first one lowest, into memory that has room for them and 8 bytes more.
private struct BitWriter: ~Copyable {
    private let room: UnsafeMutableRawBufferPointer
    private(set) var byteCount = 0
    private var waiting: UInt64 = 0
    private var waitingCount = 0

    init(_ room: UnsafeMutableRawBufferPointer) {
        self.room = room
    }

    /// Writes at most 56 bits.
    @inline(__always)
    mutating func write(_ bits: UInt64, _ count: Int) {
        waiting |= bits &<< UInt64(truncatingIfNeeded: waitingCount)
        waitingCount &+= count
        precondition(byteCount &+ 8 <= room.count, "more was written than room was made for")
        room.storeBytes(of: waiting.littleEndian, toByteOffset: byteCount, as: UInt64.self)
        byteCount &+= waitingCount &>> 3
        waiting &>>= UInt64(truncatingIfNeeded: waitingCount & ~7)
        waitingCount &= 7
    }

    /// Writes zeros up to the next whole byte.
    mutating func fillByte() {
        if waitingCount > 0 { write(0, 8 - waitingCount) }
    }
}
