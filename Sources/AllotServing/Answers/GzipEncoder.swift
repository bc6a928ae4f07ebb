internal import CDeflate
import Synchronization

/// The compressor of bodies, in the format of gzip (RFC 1952), for any thread.
package enum GzipEncoder {
    /// Shorter bodies, in bytes, are sent as they are: compressing them saves no packet.
    private static let minimumLength = 1024
    /// The compressors that no thread uses, to be used again: there are at most as many compressors as threads.
    private static let idle = Mutex<[Compressor]>([])

    package static func encode(_ input: [UInt8]) -> [UInt8] {
        let compressor = idle.withLock { $0.popLast() } ?? Compressor()
        defer { idle.withLock { $0.append(compressor) } }
        return input.withUnsafeBytes { input in
            let bound = libdeflate_gzip_compress_bound(compressor.pointer, input.count)
            return [UInt8](unsafeUninitializedCapacity: bound) { room, count in
                count = libdeflate_gzip_compress(
                    compressor.pointer, input.baseAddress, input.count, room.baseAddress, room.count)
                precondition(count > 0, "there is less room than a compressed answer may take")
            }
        }
    }

    /// The compressed body of an answer; `nil` if the client does not accept that, or it would save no packet.
    package static func encode(_ body: [UInt8], for request: ServiceRequest) -> [UInt8]? {
        let accepted = request.acceptedCodings
        let isWorthwhile = body.count >= minimumLength || !accepted.identity
        return accepted.gzip && isWorthwhile ? encode(body) : nil
    }

    private final class Compressor: Sendable {
        /// The place of libdeflate's state; a number, because pointers are not `Sendable`.
        private let address: UInt
        var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }

        /// Takes the fastest level.
        init() {
            address = UInt(bitPattern: libdeflate_alloc_compressor(1))
            precondition(address != 0, "there is not enough memory to compress an answer")
        }

        deinit { libdeflate_free_compressor(pointer) }
    }
}
