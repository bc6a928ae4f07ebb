import RealModule

/// The rectangle of a plot with its axes: turns values into places of an SVG picture.
package struct PlotFrame {
    package let horizontal: ClosedRange<Double>
    package let vertical: ClosedRange<Double>
    /// The plot's rectangle in the picture; the vertical axis grows upwards.
    package let left: Double
    package let top: Double
    package let width: Double
    package let height: Double

    package init(
        horizontal: ClosedRange<Double>, vertical: ClosedRange<Double>, left: Double, top: Double, width: Double,
        height: Double
    ) {
        (self.horizontal, self.vertical) = (horizontal, vertical)
        (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    /// The frame of a chart (``Markup/chart(height:_:_:)``) of a height, with room for the axes.
    package init(
        horizontal: ClosedRange<Double>, vertical: ClosedRange<Double>, pictureHeight: Double, top: Double = 8,
        right: Double = 8, bottom: Double = 42
    ) {
        let left = 60.0
        self.init(
            horizontal: horizontal, vertical: vertical, left: left, top: top, width: Markup.chartWidth - left - right,
            height: pictureHeight - top - bottom)
    }

    package func x(_ value: Double) -> Double {
        left + (value - horizontal.lowerBound) / (horizontal.upperBound - horizontal.lowerBound) * width
    }

    package func y(_ value: Double) -> Double {
        let place = (value - vertical.lowerBound) / (vertical.upperBound - vertical.lowerBound)
        return top + height - place * height
    }

    /// A coordinate as text, to a tenth.
    package static func text(_ value: Double) -> String {
        let text = NumberFormat.grouped(value, 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    package func drawAxes(
        _ markup: inout Markup, ticksAcross: [(Double, String)], nameAcross: String, ticksUp: [(Double, String)],
        nameUp: String
    ) {
        let bottom = top + height
        for (value, label) in ticksAcross {
            markup.line("tick", from: (x(value), bottom), to: (x(value), bottom + 4))
            markup.label(label, x: x(value), y: bottom + 17, anchor: "middle")
        }
        for (value, label) in ticksUp {
            markup.line("grid", from: (left, y(value)), to: (left + width, y(value)))
            markup.label(label, x: left - 6, y: y(value) + 4, anchor: "end")
        }
        if !nameAcross.isEmpty { markup.label(nameAcross, x: left + width / 2, y: bottom + 36, anchor: "middle") }
        if !nameUp.isEmpty {
            let middle = Self.text(top + height / 2)
            let turn = "rotate(-90 14 \(middle))"
            markup.element("text", ["x": "14", "y": middle, "text-anchor": "middle", "transform": turn], nameUp)
        }
        markup.rectangle("frame", x: left, y: top, width: width, height: height)
    }
}

package struct AxisTicks {
    /// The distance of two ticks: 1, 2 or 5 times a power of ten.
    package let step: Double

    /// Ticks that divide 0 to `most` into five parts or fewer.
    package init(upTo most: Double) {
        var power = 1.0
        while most > 50 * power, power < 1e300 { power *= 10 }
        step = ([1.0, 2, 5].first { most <= 5 * $0 * power } ?? 10) * power
    }

    /// The first tick at or above a value of 0 or more.
    package func end(above value: Double) -> Double {
        let whole = Double(Int(value / step)) * step
        return whole < value ? whole + step : whole
    }

    package func labels(from start: Double, to end: Double) -> [(Double, String)] {
        (Int(start / step)...Int(end / step)).map { count in
            (Double(count) * step, NumberFormat.grouped(Double(count) * step, 0))
        }
    }
}
