/// All series of one name.
struct MetricFamily<Series: MetricSeries>: Sendable {
    private var series: [MetricLabels: Series] = [:]
    private var overflow: MetricLabels?

    var isEmpty: Bool { series.isEmpty }

    /// The series in the order of their labels.
    var sorted: [Series] {
        series.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The series of the labels, made if there is none.
    ///
    /// Beyond the limit all labels get one and the same series; only the one without labels, which no input can
    /// multiply, is always made.
    mutating func series(_ labels: MetricLabels, limit: Int, _ make: (MetricLabels) -> Series) -> Series {
        if let known = series[labels] { return known }
        var labels = labels
        if series.count >= limit, !labels.labels.isEmpty {
            labels = overflow ?? labels.overflow
            overflow = labels
            if let known = series[labels] { return known }
        }
        let made = make(labels)
        series[labels] = made
        return made
    }

    /// Puts a series in the place of any that has its labels.
    mutating func replace(with new: Series) {
        series[new.key.labels] = new
    }

    /// Takes a series out, if it is still in; what it counts from now on is not shown. The series of all labels beyond
    /// the limit stays: it belongs to others, too.
    mutating func remove(_ old: Series) {
        guard series[old.key.labels] === old, old.key.labels != overflow else { return }
        series[old.key.labels] = nil
    }
}
