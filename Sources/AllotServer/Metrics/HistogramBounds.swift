/// The upper bounds of a histogram's buckets: finite, growing, at most ``limit``. Above the last is one more bucket.
struct HistogramBounds: Sendable {
    /// The most bounds a histogram has.
    static let limit = 31

    let values: [Double]
    /// The bounds as the `le` label shows them, the infinite one last.
    let labels: [String]

    /// Takes the finite bounds in growing order, each once, as many as there is room for.
    init(_ bounds: [Double]) {
        var values: [Double] = []
        for bound in bounds.filter(\.isFinite).sorted() where bound != values.last && values.count < Self.limit {
            values.append(bound)
        }
        self.values = values
        labels = (values + [.infinity]).map(PrometheusText.number)
    }

    /// The bucket of a value: the first whose bound is not below it.
    func bucket(of value: Double) -> Int {
        var index = 0
        while index < values.count, value > values[index] { index += 1 }
        return index
    }
}
