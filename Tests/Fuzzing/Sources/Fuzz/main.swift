import CFuzzer
import Foundation

// Fuzz TARGET [libFuzzer's options and corpus folders]
let names = FuzzTarget.allCases.map(\.rawValue)
guard let name = CommandLine.arguments.dropFirst().first, let target = FuzzTarget(rawValue: name) else {
    print(names.joined(separator: "\n"))
    exit(64)
}

// The callback of libFuzzer is a C function, which captures nothing.
let run: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32 = { bytes, count in
    target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

var arguments = ([CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)).map { strdup($0) }
arguments.append(nil)
var count = Int32(arguments.count - 1)
exit(
    arguments.withUnsafeMutableBufferPointer { buffer in
        var start = buffer.baseAddress
        return LLVMFuzzerRunDriver(&count, &start, run)
    })
