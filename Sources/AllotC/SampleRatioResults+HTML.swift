import AllotAnalysis

extension SampleRatioResults {
    /// The reports for a notebook: the verdict and the counts of each, with the whole text to unfold.
    ///
    /// It is a part of a page.
    var html: String {
        var markup = Markup()
        markup.element("div", ["class": "allot-srm"]) { markup in
            for summary in summaries { markup.element("p") { $0.element("strong", summary) } }
            for report in reports {
                markup.element("p") { $0.element(report.isMismatch ? "strong" : "span", report.summary) }
                markup.table(SampleRatioReport.tableHeader, report.tableRows, textColumns: [0])
                markup.endLine()
            }
            markup.element("details") { markup in
                markup.element("summary", "Details")
                markup.element("pre", lines.joined(separator: "\n"))
            }
        }
        return markup.text
    }
}
