import AllotBatch
import AllotFiles
import Glibc

/// The files of `allot assign`.
struct BatchFiles {
    let input: String
    let output: String
    let rejects: String?

    /// Refuses to write over the input, and to write two things to one file.
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

    /// Tells a person who typed no input that the program waits for it.
    func announceTyping() {
        if input == "-", isatty(STDIN_FILENO) == 1 {
            StandardError.write("allot: reading CSV from the keyboard; end with Ctrl-D, or name a file")
        }
    }

    /// Whether rows run over the terminal, where a bar would be in their way.
    var showsRows: Bool {
        output == "-" && isatty(STDOUT_FILENO) == 1
    }

    private var outputName: String {
        output == "-" ? "standard output" : output
    }
}
