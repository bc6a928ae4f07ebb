import AllotReports
import Testing

/// Reports whose text and page differ.
struct ReportFormTests {
    private static let problems = Report.Block.either(
        text: ["a.yaml:1: error: 5 is not a text"],
        page: [.table([.text("place"), .text("problem")], [[.name("a.yaml:1"), "5 is not a text"]])])

    @Test("A report that ends with its verdict has its lead before it, and other forms have the verdict first")
    func verdictAtTheEnd() {
        let report = Report("1 error", isGood: false, endsWithVerdict: true, lead: [Self.problems])
        #expect(TextRenderer().lines(report) == ["a.yaml:1: error: 5 is not a text", "1 error"])
        #expect(
            MarkdownRenderer.lines(report) == [
                "### ⚠️ 1 error", "", "| place | problem |", "| --- | --- |", "| `a.yaml:1` | 5 is not a text |",
            ])
        var markup = Markup()
        HTMLRenderer().write(report, in: &markup)
        #expect(markup.text.hasPrefix("<p class=\"verdict bad\">1 error</p>"))
        #expect(markup.text.contains("<td class=\"text\">a.yaml:1</td><td class=\"text\">5 is not a text</td>"))
        #expect(!markup.text.contains("error:"))
    }

    @Test("A listing is at the margin of a text, with its number below it")
    func listing() {
        let table = Report.Block.table(
            Report.Table([.text("key"), .text(""), .number("n")], [[.name("a"), "", "10"]], isAtMargin: true))
        let report = Report("1 row", endsWithVerdict: true, [table])
        #expect(TextRenderer().lines(report) == ["key   n", "a    10", "", "1 row"])
        #expect(MarkdownRenderer.lines(report).prefix(3) == ["### ✅ 1 row", "", "| key |  | n |"])
    }

    @Test("A report without a verdict begins with its first block in each form")
    func description() {
        let conditions = Report.Block.either(text: ["all of", "  a is 1"], page: [.code(["all of", "  a is 1"])])
        let section = Report.Section(.name("button"), [.facts([Report.Fact("audience", blocks: [conditions])])])
        let report = Report("", title: "button", [.section(section)])
        #expect(
            TextRenderer().lines(report) == ["button", "    audience    all of", "                  a is 1"])
        #expect(
            MarkdownRenderer.lines(report) == [
                "#### `button`", "", "* **audience**", "", "  ```", "  all of", "    a is 1", "  ```",
            ])
        let page = HTMLRenderer().page(report)
        #expect(page.contains("<title>button</title>") && !page.contains("verdict\""))
        #expect(page.contains("<h2>button</h2>") && page.contains("<pre>all of\n  a is 1</pre>"))
    }

    @Test("Characters that would not be seen are escaped in names, cells and files in each form")
    func hiddenCharacters() {
        let section = Report.Section(
            .name("a\u{202E}1"), [.table([.text("b")], [[.name("b\u{202E}2")]]), .code(["c\u{202E}3"])])
        let report = Report("Good.", [.section(section)])
        for text in [
            TextRenderer().lines(report).joined(), MarkdownRenderer.lines(report).joined(), HTMLRenderer().page(report),
        ] {
            for shown in [#"a\u202E1"#, #"b\u202E2"#, #"c\u202E3"#] { #expect(text.contains(shown), "\(text)") }
            #expect(!text.contains("\u{202E}"))
        }
    }

    @Test("Plots leave no empty lines in a text, and are next to each other on a page unless there is one")
    func plots() {
        let plot = Report.Block.plot(Report.Plot("A plot") { $0.element("svg", [:]) })
        let bars = Report.Block.either(text: ["██"], page: [plot])
        #expect(TextRenderer().lines(Report("Good.", [plot, .text("End.")])) == ["Good.", "", "End."])
        #expect(TextRenderer().lines(Report("Good.", [bars])) == ["Good.", "", "██"])
        #expect(MarkdownRenderer.lines(Report("Good.", [bars])) == ["### ✅ Good.", "", "A plot"])
        for (blocks, isRow) in [([plot], false), ([bars, plot], true)] {
            #expect(HTMLRenderer().page(Report("Good.", blocks)).contains("<div class=\"plots\">") == isRow)
        }
    }

    @Test("Markdown shows 20 rows of a table and lines of a list, unless it shall have all")
    func limits() {
        let numbers = (1...30).map { "\($0)" }
        var report = Report("Good.", [.list(numbers), .table([.number("n")], texts: numbers.map { [$0] })])
        let cut = MarkdownRenderer.lines(report)
        #expect(cut.contains("* 20") && !cut.contains("* 21") && cut.contains("* and 10 more"))
        #expect(cut.contains("| 20 |") && !cut.contains("| 21 |") && cut.last == "and 10 more rows")
        report.isRecord = true
        let whole = MarkdownRenderer.lines(report)
        #expect(whole.contains("* 30") && whole.last == "| 30 |")
    }
}
