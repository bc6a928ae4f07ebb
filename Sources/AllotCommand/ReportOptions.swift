import AllotConfiguration
import AllotFiles
import AllotReports
import ArgumentParser

struct FormOptions<Forms: ReportForms>: ParsableArguments {
    @Option(help: .format) var format = ReportFormatChoice<Forms>(.text)
    @Flag(help: "Short for --format json.") var json = false

    func validate() throws {
        guard !json || !format.isGiven || format.format == .json
        else { throw ValidationError("--json is --format json; leave out one of the two.") }
    }

    var chosen: ReportFormat { json ? .json : format.format }

    func write(_ lines: @autoclosure () -> [String], json: @autoclosure () -> JSONValue, to path: String = "-") throws {
        try OutputOption.write(chosen == .json ? [json().prettyText] : lines(), to: path)
    }

    /// Writes a report in its form; the lines are those of a form that not every report has.
    func write(
        _ report: Report, json: @autoclosure () -> JSONValue, lines: @autoclosure () -> [String] = [],
        to path: String = "-"
    ) throws {
        switch chosen {
        case .text:
            var renderer = TextRenderer()
            if path == "-", isatty(STDOUT_FILENO) == 1 {
                renderer = TextRenderer(width: Self.terminalWidth, isColoured: Self.hasColours)
            }
            try OutputOption.write(renderer.lines(report), to: path)
        case .json: try OutputOption.write([json().prettyText], to: path)
        case .markdown: try OutputOption.write(MarkdownRenderer.lines(report), to: path)
        case .html: try OutputOption.write(text: HTMLRenderer().page(report), to: path)
        case .github, .sarif, .junit: try OutputOption.write(lines(), to: path)
        }
    }

    /// Whether the terminal has colours, and no variable declines them: https://no-color.org
    private static var hasColours: Bool {
        func value(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        return value("NO_COLOR").isEmpty && value("TERM") != "dumb"
    }

    /// The columns of the terminal that shows standard output; 80 where it does not report them.
    private static var terminalWidth: Int {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}

struct ReportOptions<Forms: ReportForms>: ParsableArguments {
    @OptionGroup var form: FormOptions<Forms>
    @Option(name: .shortAndLong, help: .output, completion: .file()) var output = "-"

    var chosen: ReportFormat { form.chosen }

    func write(_ lines: @autoclosure () -> [String], json: @autoclosure () -> JSONValue) throws {
        try form.write(lines(), json: json(), to: output)
    }

    func write(
        _ report: Report, json: @autoclosure () -> JSONValue, lines: @autoclosure () -> [String] = []
    ) throws { try form.write(report, json: json(), lines: lines(), to: output) }
}

protocol ReportForms: Sendable { static var formats: [ReportFormat] { get } }

enum PlainForms: ReportForms { static let formats: [ReportFormat] = [.text, .json] }
enum AllForms: ReportForms { static let formats: [ReportFormat] = [.text, .json, .markdown, .html] }
enum FileForms: ReportForms { static let formats = AllForms.formats + [.github, .sarif] }
enum TestForms: ReportForms { static let formats = AllForms.formats + [.github, .junit] }

/// The value of `--format`: one of the forms that a command's report has.
struct ReportFormatChoice<Forms: ReportForms>: ExpressibleByArgument, Sendable {
    let format: ReportFormat
    /// Whether it is on the command line, and not the default.
    let isGiven: Bool

    init(_ format: ReportFormat) { (self.format, isGiven) = (format, false) }

    init?(argument: String) {
        guard let format = ReportFormat(rawValue: argument), Forms.formats.contains(format) else { return nil }
        (self.format, isGiven) = (format, true)
    }

    static var allValueStrings: [String] { Forms.formats.map(\.rawValue) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
    var defaultValueDescription: String { format.rawValue }
}

struct OutputOption: ParsableArguments {
    @Option(name: .shortAndLong, help: .output, completion: .file()) var output = "-"

    func write(_ lines: [String]) throws { try Self.write(lines, to: output) }

    static func write(_ lines: [String], to path: String) throws {
        try write(text: lines.map { $0 + "\n" }.joined(), to: path)
    }

    static func write(text: String, to path: String) throws {
        try AtomicOutput.write(Array(text.utf8), to: path, option: path == "-" ? "> FILE" : "-o")
    }
}

extension ExitCode {
    /// The exit status of a command that judges and has found something.
    static let finding = ExitCode(2)
    /// The exit status where nothing was found, but something could not be tested.
    static let untested = ExitCode(3)
}
