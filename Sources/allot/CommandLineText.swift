import AllotConfiguration
import ArgumentParser

/// The command line before it is parsed.
enum CommandLineText {
    /// Refuses arguments that are not UTF-8: Swift would mend them silently, and another unit would be assigned.
    static func check() throws {
        for index in 0..<Int(CommandLine.argc) {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            var bytes: [UInt8] = []
            var position = 0
            while argument[position] != 0 {
                bytes.append(UInt8(bitPattern: argument[position]))
                position += 1
            }
            if UTF8Validation.firstInvalidOffset(in: bytes) != nil {
                throw ValidationError("Argument \(index) is not valid UTF-8; a unit ID and attributes are UTF-8 text.")
            }
        }
    }

    /// The arguments, with `explain`'s two meanings of `--json` told apart: with an object it gives typed attributes,
    /// alone it asks for JSON.
    static var arguments: [String] {
        var arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.first == "explain" else { return arguments }
        for index in arguments.indices where arguments[index] == "--json" {
            let next = index + 1 < arguments.count ? arguments[index + 1] : ""
            if !next.hasPrefix("{") && !next.hasPrefix("[") { arguments[index] = "--json-output" }
        }
        return arguments
    }
}
