/// The look of one series of a plot, such as a variant: a colour, the texture of its areas, and the dashes of its line.
///
/// Each of the eight colours is used once in a plot; series after them have the colour of the text. Twelve series
/// differ without colours: on paper, in forced colours, and for readers who cannot tell the colours apart.
package struct PlotSeries: Sendable {
    private let index: Int
    private static let colorCount = 8

    /// A texture of areas, as a path in a square of 8 by 8, and the dashes of a line.
    private static let textures: [(path: String, dashes: String)] = [
        ("", ""), ("M-2 2L2-2M0 8L8 0M6 10L10 6", "8 4"), ("M3 3H5V5H3Z", "2 4"), ("M0 4H8", "12 3 3 3"),
        ("M-2 6L2 10M0 0L8 8M6-2L10 2", "4 3"), ("M4 0V8", "16 4"), ("M0 4H8M4 0V8", "8 3 2 3 2 3"),
        ("M0 4L4 0M0 8L8 0M4 8L8 4", "4 6"), ("M0 2H8M0 6H8", "16 3 2 3"), ("M0 0L8 8M0 8L8 0", "2 2"),
        ("M2 0V8M6 0V8", "8 8"), ("M0 4L4 8M0 0L8 8M4 0L8 4", "12 3 3 3 3 3"),
    ]

    /// The number of series that differ: eight in colour, and one of each texture that has the colour of the text.
    private static let differentCount = colorCount + textures.count

    package init(_ index: Int) {
        let isDifferent = index < Self.differentCount
        self.index = isDifferent ? index : Self.colorCount + (index - Self.colorCount) % Self.textures.count
    }

    package var style: String { "v\(min(index, Self.colorCount))" }
    /// The filling of its areas, for pages that have ``areas``.
    package var area: String { "url(#s\(index))" }
    /// The dashes of its line; empty for a whole one.
    package var dashes: String { Self.textures[index % Self.textures.count].dashes }

    /// A square of the look of its areas, as HTML of a legend.
    package var swatch: Markup {
        var markup = Markup()
        markup.element("svg", ["class": "key", "aria-hidden": "true"]) {
            $0.element("rect", ["width": "100%", "height": "100%", "fill": area])
        }
        return markup
    }

    /// The fillings of all areas as SVG that shows nothing, once for each page on which ``area`` is used.
    package static let areas: Markup = {
        var markup = Markup()
        markup.element("svg", ["class": "areas", "aria-hidden": "true", "width": "0", "height": "0"]) { markup in
            for index in 0..<differentCount {
                let size: Markup.Attributes = ["width": "8", "height": "8"]
                markup.element("pattern", ["id": "s\(index)"] + size + ["patternUnits": "userSpaceOnUse"]) { markup in
                    markup.element("rect", ["class": PlotSeries(index).style] + size + ["fill": "currentColor"])
                    markup.element("path", ["class": "texture", "d": textures[index % textures.count].path])
                }
            }
        }
        return markup
    }()
}
