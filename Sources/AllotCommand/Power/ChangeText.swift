/// A change of what is measured, for people.
struct ChangeText {
    private let measure: Measure
    private static let digits = 4

    init(_ measure: Measure) {
        self.measure = measure
    }

    /// "+1 percentage point, from 10% to 11% (+10%)".
    func sentence(_ effect: Double) -> String {
        switch measure {
        case .rate(let baseline):
            return "\(ShareText.points(effect)), from \(ShareText.text(baseline, 6)) to \(rate(baseline + effect)) "
                + "(\(ShareText.signed(effect / baseline, Self.digits)))"
        case .mean(let deviation, let control):
            let change = "\(effect > 0 ? "+" : "")\(FixedPoint.significant(effect, Self.digits))"
            let deviations = "\(FixedPoint.significant(abs(effect) / deviation, Self.digits)) standard deviations"
            guard let control else { return "\(change) (\(deviations))" }
            let relative = control == 0 ? "" : "\(ShareText.signed(effect / control, Self.digits)), "
            return "\(change), from \(FixedPoint.significant(control, 6)) to "
                + "\(FixedPoint.significant(control + effect, 6)) (\(relative)\(deviations))"
        }
    }

    /// The rate of the treatment, with as many digits as tell it from the control's.
    private func rate(_ value: Double) -> String {
        let text = ShareText.text(max(0, value), Self.digits)
        guard let control = measure.control, text == ShareText.text(control, Self.digits) else { return text }
        return ShareText.text(max(0, value), 10)
    }
}
