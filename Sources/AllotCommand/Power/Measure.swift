import AllotAnalysis
import AllotStatistics

/// What is measured of each unit.
enum Measure {
    case rate(baseline: Double)
    case mean(standardDeviation: Double, control: Double?)

    func metric() throws(PowerError) -> any PowerMetric {
        switch self {
        case .rate(let baseline): try ProportionMetric(baseline: baseline)
        case .mean(let deviation, _): try MeanMetric(standardDeviation: deviation)
        }
    }

    /// What the control is expected to have, if that is known.
    var control: Double? {
        switch self {
        case .rate(let baseline): baseline
        case .mean(_, let control): control
        }
    }
}
