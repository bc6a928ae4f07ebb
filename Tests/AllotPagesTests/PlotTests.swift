import AllotReports
import TestSupport
import Testing

/// The looks of series, and the names at the ends of their lines.
struct PlotTests {
    @Test("Twenty series differ in colour or texture, twelve in texture alone, and no colour is used twice")
    func series() {
        let all = (0..<20).map { PlotSeries($0) }
        #expect(Set(all.map(\.area)).count == 20)
        #expect(Set(all.prefix(12).map(\.dashes)).count == 12)
        #expect(Set(all.prefix(8).map(\.style)).count == 8)
        #expect(all.dropFirst(8).allSatisfy { $0.style == "v8" })
        for series in (0..<100).map({ PlotSeries($0) }) {
            let id = series.area.dropFirst("url(#".count).dropLast()
            #expect(PlotSeries.areas.text.contains(#"<pattern id="\#(id)""#))
            #expect(series.swatch.text.contains(#"fill="\#(series.area)""#))
        }
        let textures = PlotSeries.areas.text.split(separator: #" d=""#).dropFirst().compactMap {
            $0.split(separator: "/").first
        }
        #expect(Set(textures.prefix(12)).count == 12)
    }

    @Test(
        "Names are a line apart, in the order of their lines, and as near to them as that lets them", arguments: 0..<50)
    func names(seed: Int) {
        var random = SeededGenerator(seed: seed)
        let wanted = (0..<12).map { _ in Double.random(in: 8...148, using: &random) }
        let places = PlotLine.spread(wanted, apart: 12, in: 8...148)
        #expect(places.allSatisfy { (8...148).contains($0) })
        let order = wanted.indices.sorted { wanted[$0] < wanted[$1] }
        for (above, below) in zip(order, order.dropFirst()) {
            #expect(places[below] - places[above] > 12 - 1e-9)
        }
        #expect(PlotLine.spread([20, 60, 100], apart: 12, in: 8...148) == [20, 60, 100])
        #expect(PlotLine.spread([50, 50], apart: 12, in: 8...148) == [50, 62])
        #expect(PlotLine.spread([148, 147], apart: 12, in: 8...148) == [148, 136])
    }

    @Test("A line has its dashes, a mark at its end, and its name, without the middle if it is long")
    func lines() {
        let frame = PlotFrame(horizontal: 0...2, vertical: 0...1, pictureHeight: 190, right: PlotLine.nameWidth)
        var markup = Markup()
        let lines = [
            PlotLine("control", PlotSeries(0), [(x: 0, y: 0), (x: 2, y: 5)]),
            PlotLine("checkout-with-one-page-01", PlotSeries(9), isThin: true, [(x: 1, y: 0.5)]),
            PlotLine("nothing", PlotSeries(2), []),
        ]
        PlotLine.draw(lines, in: frame, &markup)
        let texts = [
            #"<path class="line v0" d="M60 148L250 8" stroke-dasharray=""/>"#,
            #"<path class="line end v0" d="M250 8h0"/>"#,
            #"<path class="line end v8" d="M155 78h0"/>"#, ">control</text>", ">check…age-01</text>",
        ]
        for text in texts { #expect(markup.text.contains(text), "\(text)") }
        #expect(!markup.text.contains("nothing"))
        #expect(!markup.text.contains("thin"), "one point is a mark")
    }
}
