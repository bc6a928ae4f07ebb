import RealModule

/// The rectangle of a plot with its axes: turns values into places of an SVG picture.
struct PlotFrame {
    /// The values at the ends of the axes.
    let horizontal: ClosedRange<Double>
    let vertical: ClosedRange<Double>
    /// The plot's rectangle in the picture; the vertical axis grows upwards.
    let left: Double
    let top: Double
    let width: Double
    let height: Double

    func x(_ value: Double) -> Double {
        left + (value - horizontal.lowerBound) / (horizontal.upperBound - horizontal.lowerBound) * width
    }

    func y(_ value: Double) -> Double {
        let place = (value - vertical.lowerBound) / (vertical.upperBound - vertical.lowerBound)
        return top + height - place * height
    }

    /// A coordinate as text, to a tenth.
    static func text(_ value: Double) -> String {
        let text = NumberText.fixed(value, 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Draws the ticks with their labels, the border, and the names of the axes.
    func drawAxes(
        _ markup: inout Markup, ticksAcross: [(Double, String)], nameAcross: String, ticksUp: [(Double, String)],
        nameUp: String
    ) {
        let bottom = top + height
        for (value, label) in ticksAcross {
            line(&markup, "tick", from: (x(value), bottom), to: (x(value), bottom + 4))
            write(&markup, label, at: (x(value), bottom + 17), anchor: "middle")
        }
        for (value, label) in ticksUp {
            line(&markup, "grid", from: (left, y(value)), to: (left + width, y(value)))
            write(&markup, label, at: (left - 6, y(value) + 4), anchor: "end")
        }
        write(&markup, nameAcross, at: (left + width / 2, bottom + 36), anchor: "middle")
        let middle = top + height / 2
        markup.element(
            "text",
            [
                "x": "14", "y": Self.text(middle), "text-anchor": "middle",
                "transform": "rotate(-90 14 \(Self.text(middle)))",
            ], nameUp)
        markup.element(
            "rect",
            [
                "class": "frame", "x": Self.text(left), "y": Self.text(top), "width": Self.text(width),
                "height": Self.text(height),
            ])
    }

    func line(_ markup: inout Markup, _ style: String, from start: (Double, Double), to end: (Double, Double)) {
        markup.element(
            "line",
            [
                "class": style, "x1": Self.text(start.0), "y1": Self.text(start.1), "x2": Self.text(end.0),
                "y2": Self.text(end.1),
            ])
    }

    func write(_ markup: inout Markup, _ label: String, at place: (Double, Double), anchor: String) {
        markup.element(
            "text", ["x": Self.text(place.0), "y": Self.text(place.1), "text-anchor": anchor], label)
    }
}

extension Markup {
    /// A picture of a size that is scaled to the page, with a description for those who do not see it.
    mutating func picture(width: Double, height: Double, _ description: String, _ body: (inout Markup) -> Void) {
        element(
            "svg",
            [
                "viewBox": "0 0 \(PlotFrame.text(width)) \(PlotFrame.text(height))", "role": "img",
                "xmlns": "http://www.w3.org/2000/svg", "style": "max-width: \(PlotFrame.text(width))px",
            ]
        ) { markup in
            markup.element("title", description)
            body(&markup)
        }
    }
}
