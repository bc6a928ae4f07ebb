/// A report as one value: its answer in a sentence, and blocks that say more.
///
/// Texts are plain: sentences in which foreign text is escaped already (`PrintableText`, `QuotedText`), and names,
/// which each renderer escapes. ``TextRenderer``, ``MarkdownRenderer`` and ``HTMLRenderer`` write a report; its JSON is
/// that of the result that it reports.
package struct Report: Sendable {
    /// The title of a page; text and Markdown begin with the verdict.
    package var title: String
    /// The whole report in one sentence or two; empty for one that only describes.
    package var verdict: String
    package var isGood: Bool
    /// Whether a text ends with the verdict, as compilers end with their summary.
    package var endsWithVerdict: Bool
    /// Whether each line matters later, also in Markdown: not a remark on a pull request, but a record.
    package var isRecord = false
    /// Blocks that belong to the verdict: in a text no empty line is before them.
    package var lead: [Block]
    package var blocks: [Block]
    /// The command and the instant, for a report that leaves the terminal.
    package var source: String?

    package init(
        _ verdict: String, title: String = "", isGood: Bool = true, endsWithVerdict: Bool = false,
        source: String? = nil, lead: [Block] = [], _ blocks: [Block] = []
    ) {
        (self.verdict, self.title, self.isGood, self.endsWithVerdict) = (verdict, title, isGood, endsWithVerdict)
        (self.source, self.lead, self.blocks) = (source, lead, blocks)
    }

    package mutating func add(_ block: Block?) { if let block { blocks.append(block) } }
}

extension Report {
    package indirect enum Block: Sendable {
        case text(String)
        case list([String])
        /// Remarks on the block before, or on the whole.
        case notes([String])
        case facts([Fact])
        case table(Table)
        /// Lines as they are, such as of a file or a patch.
        case code([String])
        case section(Section)
        /// A picture, which only pages show.
        case plot(Plot)
        /// Lines of a terminal in the place of blocks, such as bars in the place of a plot.
        case either(text: [String], page: [Block])
    }

    /// A label with sentences, and perhaps lists and tables between them.
    package struct Fact: Sendable {
        package var label: String
        package var blocks: [Block]

        /// A label with blocks; empty ones are left out.
        package init(_ label: String, blocks: [Block]) {
            self.label = label
            self.blocks = blocks.filter { !$0.isEmpty }
        }

        /// A label with lines; one that is indented belongs to a table and is not wrapped.
        package init(_ label: String, _ lines: [String]) {
            self.label = label
            blocks = lines.map(Block.text)
        }
    }

    /// A heading with blocks; without a name, blocks that belong together.
    package struct Section: Sendable {
        package enum Style: Sendable {
            /// An entry of a list: a name, and what is indented below it.
            case entry
            /// A sentence, and blocks apart from one another.
            case part
            /// A chapter: an underlined heading, and blocks apart from one another.
            case chapter
        }

        package var style: Style
        package var name: Cell
        /// Words next to the name, such as an owner or a sum.
        package var note: String?
        package var isGood: Bool
        package var blocks: [Block]

        package init(
            _ name: Cell, note: String? = nil, style: Style = .entry, isGood: Bool = true, _ blocks: [Block] = []
        ) { (self.name, self.note, self.style, self.isGood, self.blocks) = (name, note, style, isGood, blocks) }
    }

    package struct Table: Sendable {
        package var columns: [Column]
        package var rows: [[Cell]]
        /// Whether a text shows the names of columns; the others always do.
        package var showsHead: Bool
        /// Whether a text has the table at the margin, as the body of a listing.
        package var isAtMargin: Bool

        package init(_ columns: [Column], _ rows: [[Cell]], showsHead: Bool = true, isAtMargin: Bool = false) {
            (self.columns, self.rows, self.showsHead, self.isAtMargin) = (columns, rows, showsHead, isAtMargin)
        }
    }

    /// A column of a table: text at the left, numbers at the right.
    package struct Column: Sendable {
        package var name: String
        package var isNumber: Bool

        package static func text(_ name: String) -> Column { Column(name: name, isNumber: false) }
        package static func number(_ name: String) -> Column { Column(name: name, isNumber: true) }
    }

    /// A cell of a table: words or a number as they are, or the name of something.
    package struct Cell: Sendable, ExpressibleByStringInterpolation {
        package var text: String
        /// Whether it is a name from definitions or data, which is code in Markdown.
        package var isName: Bool
        package var isBad: Bool

        package init(_ text: String, isName: Bool = false, isBad: Bool = false) {
            (self.text, self.isName, self.isBad) = (text, isName, isBad)
        }

        package init(stringLiteral text: String) { self.init(text) }
        package static func name(_ text: String) -> Cell { Cell(text, isName: true) }
    }

    /// A picture with a caption; `draw` writes SVG.
    package struct Plot: Sendable {
        package var caption: String
        package var draw: @Sendable (inout Markup) -> Void

        package init(_ caption: String, _ draw: @escaping @Sendable (inout Markup) -> Void) {
            (self.caption, self.draw) = (caption, draw)
        }
    }
}

extension Report.Block {
    package static func table(_ columns: [Report.Column], _ rows: [[Report.Cell]], showsHead: Bool = true) -> Self {
        .table(Report.Table(columns, rows, showsHead: showsHead))
    }

    package static func table(_ columns: [Report.Column], texts: [[String]], showsHead: Bool = true) -> Self {
        .table(columns, texts.map { $0.map { Report.Cell($0) } }, showsHead: showsHead)
    }

    /// A table of names, in the first column, with their numbers.
    package static func numbers(_ head: [String], _ rows: [[String]]) -> Self {
        .table(
            head.enumerated().map { Report.Column(name: $1, isNumber: $0 > 0) },
            rows.map { row in row.enumerated().map { Report.Cell($1, isName: $0 == 0) } })
    }

    /// The blocks that are shown other than in a terminal.
    var onPages: [Self] { if case .either(_, let page) = self { page } else { [self] } }

    /// The blocks of an empty list, of notes or of facts are nothing.
    package var isEmpty: Bool {
        switch self {
        case .list(let lines), .notes(let lines), .code(let lines): lines.isEmpty
        case .facts(let facts): facts.allSatisfy(\.blocks.isEmpty)
        case .table(let table): table.rows.isEmpty
        case .text(let text): text.isEmpty
        case .section, .plot, .either: false
        }
    }
}

/// The form in which a command reports. A command supports those that make sense for it.
package enum ReportFormat: String, Sendable, CaseIterable {
    case text, json, markdown, html
    /// Annotations at the lines of a pull request on GitHub, and the summary.
    case github
    /// SARIF 2.1.0, for code scanning and editors.
    case sarif
    /// JUnit's XML, for servers of continuous integration.
    case junit
}
