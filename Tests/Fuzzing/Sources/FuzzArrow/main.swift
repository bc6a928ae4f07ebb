import CAllot
import CFuzzer
import Foundation

// FuzzArrow [libFuzzer's options and corpus folders]
//
// Tables for the C interface, made of any bytes: see HostileTable. It is built with the address sanitizer, which finds
// what is read beyond a buffer.

/// Random numbers of which each is two bytes of the input, mixed. After the input they go on, and depend on its end.
struct ByteGenerator: RandomNumberGenerator {
    private let bytes: [UInt8]
    private var position = 0
    private var state: UInt64 = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> UInt64 {
        if position + 1 < bytes.count {
            state = UInt64(bytes[position]) << 8 | UInt64(bytes[position + 1])
            position += 2
        }
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

/// The definitions, loaded once. It is a number because the fuzzer calls a C function, which captures nothing.
let plan: UInt = {
    var (plan, message): (OpaquePointer?, UnsafeMutablePointer<CChar>?) = (nil, nil)
    let files = HostileTable<ByteGenerator>.definitions.map { name, text in
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = copy.initialize(from: text.utf8)
        return allot_file(path: strdup(name), bytes: copy.baseAddress, length: copy.count)
    }
    let status = files.withUnsafeBufferPointer { allot_load_files($0.baseAddress, $0.count, nil, &plan, &message) }
    guard status == ALLOT_OK else { fatalError(message.map { String(cString: $0) } ?? "") }
    return UInt(bitPattern: plan)
}()

var arguments = CommandLine.arguments.map { strdup($0) }
arguments.append(nil)
var count = Int32(arguments.count - 1)
exit(
    arguments.withUnsafeMutableBufferPointer { buffer in
        var start = buffer.baseAddress
        return LLVMFuzzerRunDriver(&count, &start) { bytes, count in
            guard let plan = OpaquePointer(bitPattern: plan) else { return 0 }
            var trial = HostileTrial(ByteGenerator(Array(UnsafeBufferPointer(start: bytes, count: count))))
            if let problem = trial.run(plan).problem { fatalError("\(problem)\n\(trial.description)") }
            return 0
        }
    })
