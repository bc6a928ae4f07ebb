import AllotFiles
import Glibc

/// The files of `allot assign`.
struct BatchFiles {
    let input: String
    let output: String
    let rejects: String?

    /// Throws if an output is the input, or if two outputs are the same file.
    func check() throws {
        let source = FileIdentity(input: input)
        let target = FileIdentity(output: output)
        let rejected = rejects.flatMap { FileIdentity(output: $0) }
        if source != nil, source == target {
            throw CommandFailure("\(outputName) is the input itself; write to another file with -o")
        }
        if let rejects, source != nil, source == rejected {
            throw CommandFailure("\(rejects) is the input itself; name another file with --rejects")
        }
        if let rejects, target != nil, target == rejected {
            throw CommandFailure("\(rejects) is the output as well; name another file with --rejects")
        }
    }

    /// Tells a person at a terminal that the program waits for input.
    func announceTyping() {
        if input == "-", isatty(STDIN_FILENO) == 1 {
            StandardError.write("allot: reading CSV from the keyboard; end with Ctrl-D, or name a file")
        }
    }

    /// Whether the rows go to a terminal, where a progress bar would get in their way.
    var showsRows: Bool {
        output == "-" && isatty(STDOUT_FILENO) == 1
    }

    private var outputName: String {
        output == "-" ? "standard output" : output
    }
}
