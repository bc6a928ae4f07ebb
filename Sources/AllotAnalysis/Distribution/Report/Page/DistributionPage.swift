import AllotStatistics

/// A report as one page of HTML without scripts or anything from elsewhere; it is well-formed XML as well.
enum DistributionPage {
    static func html(of report: DistributionReport) -> String {
        var markup = Markup()
        markup.write(verbatim: "<!DOCTYPE html>\n")
        markup.element("html", ["lang": "en", "xmlns": "http://www.w3.org/1999/xhtml"]) { markup in
            markup.element("head") { markup in
                markup.element("meta", ["charset": "utf-8"])
                markup.element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
                markup.element("title", "Distribution of \(report.functionName)")
                markup.element("style") { $0.write(verbatim: PageStyle.sheet) }
            }
            markup.endLine()
            markup.element("body") { markup in
                writeHead(of: report, &markup)
                for sample in report.samples { SamplePage(sample, of: report).write(in: &markup) }
                writeMethods(of: report, &markup)
            }
        }
        markup.endLine()
        return markup.text
    }

    private static func writeHead(of report: DistributionReport, _ markup: inout Markup) {
        markup.element("h1", "Distribution of \(report.functionName)")
        markup.element(
            "p", ["class": report.isFine && report.testCount > 0 ? "verdict" : "verdict bad"], report.verdict)
        if report.findings.count > 1 {
            markup.element("ul") { markup in
                for finding in report.findings.prefix(20) { markup.element("li", finding.description) }
                let more = report.findings.count - 20
                if more > 0 { markup.element("li", "and \(NumberText.counted(more, "more finding"))") }
            }
        }
        let facts = [
            ("Randomised", report.inventory), ("Seed", "\(report.seed)"),
            ("Tests", "\(NumberText.grouped(report.testCount)), corrected for one another (Holm)"),
            ("Alarm", "corrected p-value below \(report.alarmLevel)"),
        ]
        markup.element("dl") { markup in
            for (name, value) in facts + report.notes.map({ ("Note", $0) }) {
                markup.element("dt", name)
                markup.element("dd", value)
            }
        }
        guard report.samples.count > 1 else { return }
        let rows = zip(report.samples, report.summaries).map { sample, summary in
            [
                sample.name, NumberText.grouped(sample.unitCount), NumberText.grouped(summary.testCount),
                summary.smallest.map { "\($0.pValue)" } ?? "–",
                summary.smallest.map { "\($0.adjustedPValue)" } ?? "–", NumberText.grouped(summary.failureCount),
            ]
        }
        markup.table(
            ["unit IDs", "number", "tests", "smallest p", "corrected", "failures"], rows, textColumns: [0])
    }

    private static func writeMethods(of report: DistributionReport, _ markup: inout Markup) {
        markup.element("h2", "How it was tested")
        markup.element("ul") { markup in
            for method in PageText.methods(of: report) { markup.element("li", method) }
        }
    }
}

extension DistributionReport {
    /// The report as one self-contained page: HTML with inline styles and SVG plots, without scripts.
    public var page: String {
        DistributionPage.html(of: self)
    }
}

extension Markup {
    /// A table with a head; numbers are aligned at the right.
    mutating func table(_ head: [String], _ rows: [[String]], textColumns: Set<Int>) {
        element("div", ["class": "scroll"]) { markup in
            markup.element("table") { markup in
                markup.element("thead") { markup in markup.row("th", head, textColumns: textColumns) }
                markup.element("tbody") { markup in
                    for cells in rows { markup.row("td", cells, textColumns: textColumns) }
                }
            }
        }
    }

    /// A row of a table.
    mutating func row(_ element: String, _ cells: [String], textColumns: Set<Int>) {
        self.element("tr") { markup in
            for (column, cell) in cells.enumerated() {
                markup.element(element, textColumns.contains(column) ? ["class": "text"] : [:], cell)
            }
        }
        endLine()
    }
}
