/// Round values along an axis.
struct AxisTicks {
    /// The distance of two ticks: 1, 2 or 5 times a power of ten.
    let step: Double

    /// Ticks that divide 0 to `most` into five parts or fewer.
    init(upTo most: Double) {
        var power = 1.0
        while most > 50 * power, power < 1e300 { power *= 10 }
        step = ([1.0, 2, 5].first { most <= 5 * $0 * power } ?? 10) * power
    }

    /// The first tick at or above a value of 0 or more.
    func end(above value: Double) -> Double {
        let whole = Double(Int(value / step)) * step
        return whole < value ? whole + step : whole
    }

    /// The ticks from one multiple of the step to another, with their labels.
    func labels(from start: Double, to end: Double) -> [(Double, String)] {
        (Int(start / step)...Int(end / step)).map { count in
            (Double(count) * step, NumberText.fixed(Double(count) * step, 0))
        }
    }
}
