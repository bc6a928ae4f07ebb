/// Shares for people.
enum ShareText {
    /// "10%", "0.0125%".
    static func text(_ share: Double, _ digits: Int) -> String {
        "\(FixedPoint.significant(share * 100, digits))%"
    }

    /// The probability of finding something, which is never certain.
    static func probability(_ value: Double) -> String {
        value > 0.9999 ? "more than 99.99%" : text(value, 4)
    }

    /// "+10%", "-1.5%".
    static func signed(_ share: Double, _ digits: Int) -> String {
        "\(share > 0 ? "+" : "")\(text(share, digits))"
    }

    /// "+1 percentage point", "-0.5 percentage points".
    static func points(_ change: Double) -> String {
        let points = FixedPoint.significant(change * 100, 4)
        return "\(change > 0 ? "+" : "")\(points) percentage \(points == "1" || points == "-1" ? "point" : "points")"
    }
}
