import CFuzzer
import Foundation

// Fuzz TARGET [libFuzzer's options and corpus folders]
guard FuzzTarget.chosen != nil else {
    print(FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n"))
    exit(64)
}

var arguments = ([CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)).map { strdup($0) }
arguments.append(nil)
var count = Int32(arguments.count - 1)
exit(
    arguments.withUnsafeMutableBufferPointer { buffer in
        var start = buffer.baseAddress
        // A C function captures nothing, so it looks the target up.
        return LLVMFuzzerRunDriver(&count, &start) { bytes, count in
            FuzzTarget.chosen?.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        }
    })
