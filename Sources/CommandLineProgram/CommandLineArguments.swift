import AllotConfiguration
import ArgumentParser

/// The arguments of a program before they are parsed.
package enum CommandLineArguments {
    /// Throws a usage error for an argument that is not UTF-8: Swift would repair it, and another unit would be
    /// assigned, or another file read.
    package static func check() throws {
        for (index, argument) in CommandLine.arguments.enumerated() {
            guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil else { continue }
            throw ValidationError(
                "Argument \(index), \(QuotedText(argument)), is not UTF-8; arguments are UTF-8 text, so convert it, "
                    + "for example with iconv.")
        }
    }

    /// The arguments with an empty value of an option, `--unit-column=`, as an argument of its own: ArgumentParser
    /// takes it for a missing one.
    package static func withEmptyValues(_ given: some Sequence<String>) -> [String] {
        var isOption = true
        return given.flatMap { argument in
            isOption = isOption && argument != "--"
            let isEmpty = argument.firstIndex(of: "=") == argument.indices.last
            let hasEmptyValue = isOption && isEmpty && argument.hasPrefix("--")
            return hasEmptyValue ? [String(argument.dropLast()), ""] : [argument]
        }
    }
}
