import AllotConfiguration
import AllotFiles
import ArgumentParser

extension ParsableCommand {
    /// Ends the program as an error requires: exit 64 with the usage if the command line is wrong, 1 if the program
    /// failed, and 0 for help and versions. `usage` changes the lines of the parser, `failure` writes those of the
    /// program.
    package static func end(
        after error: any Error, usage: (String) -> String = { $0 }, failure: (any Error) -> String
    ) -> Never {
        let code = exitCode(for: error)
        guard !code.isSuccess, !(error is ExitCode) else {
            // The parser prints help by itself.
            BrokenPipe.endsTheProgram()
            exit(withError: error)
        }
        // The parser repeats arguments as they are.
        StandardError.write(
            code == .failure ? failure(error) : "\(PrintableText(lines: usage(fullMessage(for: error))))")
        exit(withError: code)
    }
}
