import AllotReports
import Testing

/// A report in each form.
@Suite struct ReportTests {
    private static let entry = Report.Section(
        .name("button"), note: "web", isGood: false,
        [
            .list(["traffic *"]),
            .table(
                [.text("change"), .number("share")], [[.name("a → b"), "5%"], ["none", "15%"]], showsHead: false),
            .notes(["a note"]),
        ])

    private static let fact = Report.Fact(
        "where",
        blocks: [
            .text("a sentence"), .text("another"), .table([.text("value"), .number("p")], [["DE", "0.1"]]),
            .list(["an example"]), .text("the last"),
        ])

    private static let part = Report.Section(
        "p = 0.5", style: .part,
        [
            .table([.text("variant"), .number("units")], [["a", "10"]]),
            .facts([fact, Report.Fact("nothing", blocks: [])]),
        ])

    private static let group = Report.Section(
        "", [.section(Report.Section("place:", [.code(["slots: x"])])), .text("after it")])

    private static let report = Report(
        "2 of 3 changed.", isGood: false, source: "allot diff", lead: [.list(["one", "two"])],
        [.section(entry), .section(part), .section(group), .notes(["the end"]), .list([])])

    @Test("A text sets blocks apart, but not those of a name, of a group and of the verdict")
    func text() {
        #expect(
            TextRenderer().lines(Self.report).joined(separator: "\n") == """
                2 of 3 changed.
                    one
                    two

                button (web)
                    traffic *
                    a → b   5%
                    none   15%
                    a note

                p = 0.5

                    variant  units
                    a           10

                    where       a sentence
                                another
                                  value    p
                                  DE     0.1
                                  an example
                                the last

                place:
                    slots: x
                after it

                the end
                """)
    }

    @Test("Markdown has headings, tables and lists, and escapes texts")
    func markdown() {
        #expect(
            MarkdownRenderer.lines(Self.report).joined(separator: "\n") == """
                ### ⚠️ 2 of 3 changed.

                * one
                * two

                #### ⚠️ `button`: web

                * traffic \\*

                | change | share |
                | --- | ---: |
                | `a → b` | 5% |
                | none | 15% |

                > a note\("  ")

                #### p = 0.5

                | variant | units |
                | --- | ---: |
                | a | 10 |

                * **where** a sentence<br>another

                  | value | p |
                  | --- | ---: |
                  | DE | 0.1 |

                  * an example

                  the last

                #### place:

                ```
                slots: x
                ```

                after it

                > the end\("  ")

                <sub>allot diff</sub>
                """)
    }

    @Test("HTML has headings below the given level, tables and descriptions")
    func html() {
        var markup = Markup()
        HTMLRenderer().write(Self.report, level: 3, in: &markup)
        for part in [
            #"<p class="verdict bad">2 of 3 changed.</p>"#, "<h3>button (web)</h3>", "<h3>p = 0.5</h3>",
            #"<td class="text">a → b</td><td>5%</td>"#, "<dt>where</dt><dd>a sentence</dd><dd>another</dd><dd>",
            "<h3>place:</h3>", "<p>after it</p>", #"<p class="faint">the end</p>"#,
        ] {
            #expect(markup.text.contains(part), "\(markup.text)")
        }
        #expect(!markup.text.contains("nothing"))
        #expect(HTMLRenderer().page(Self.report).contains("<title>2 of 3 changed.</title>"))
    }
}
