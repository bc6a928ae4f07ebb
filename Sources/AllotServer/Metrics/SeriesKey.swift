/// Where a series stands in the table.
struct SeriesKey: Hashable, Sendable {
    /// The name that Prometheus sees.
    let family: String
    let labels: MetricLabels
}

/// The numbers of one name and one set of labels.
protocol MetricSeries: AnyObject, Sendable {
    var key: SeriesKey { get }

    func append(to text: inout PrometheusText)
}
