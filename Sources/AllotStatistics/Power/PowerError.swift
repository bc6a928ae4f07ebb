/// A fault of a question about power.
public enum PowerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The baseline rate is not above 0 and below 1.
    case invalidBaseline(Double)
    /// The standard deviation is not a finite number above 0.
    case invalidStandardDeviation(Double)
    /// The significance level is not above 0 and below 1.
    case invalidSignificance(Double)
    /// The power is not above 0 and below 1.
    case invalidPower(Double)
    /// The requested power is not above the significance level of one comparison.
    case trivialPower(power: Double, significance: Double)
    /// The effect is 0, NaN or infinite.
    case invalidEffect(Double)
    /// The effect takes a rate out of 0 to 1.
    case effectOutOfRange(effect: Double, baseline: Double)
    /// There is no control and treatment.
    case tooFewVariants(Int)
    /// A weight is not a finite number above 0, or its share is next to nothing.
    case invalidWeight(index: Int, weight: Double)
    /// Sizes are not one for each variant.
    case unequalSizes(sizes: Int, variants: Int)
    /// A variant has fewer units than the test needs.
    case tooFewUnits(variant: Int, count: Int)
    /// More units would be needed than can be counted.
    case tooManyUnits
    /// The sample is so small that no effect is detectable.
    case nothingDetectable(power: Double)
    /// The units of each day are not a number above 0 and below a quadrillion.
    case invalidUnitsPerDay(Double)
    /// The traffic is not a share above 0, to 1.
    case invalidTraffic(Double)
    /// An experiment would never end.
    case lessThanOneUnitPerDay

    /// The fault and its fix.
    public var description: String {
        switch self {
        case .invalidBaseline(let value): "the baseline rate is \(value); it must be above 0 and below 1"
        case .invalidStandardDeviation(let value):
            "the standard deviation is \(value); it must be a finite number above 0"
        case .invalidSignificance(let value): "the significance level is \(value); it must be above 0 and below 1"
        case .invalidPower(let value): "the power is \(value); it must be above 0 and below 1"
        case .trivialPower(let power, let significance):
            "a power of \(power) is reached without any data at a significance level of \(significance); ask for "
                + "more power"
        case .invalidEffect(let value): "the effect is \(value); it must be a finite number other than 0"
        case .effectOutOfRange(let effect, let baseline):
            "an effect of \(effect) does not fit a baseline rate of \(baseline); the treatment's rate is from 0 to 1"
        case .tooFewVariants(let count):
            "there \(count == 1 ? "is 1 variant" : "are \(count) variants"); a comparison needs two or more"
        case .invalidWeight(let index, let weight):
            "the weight of variant \(index + 1) is \(weight); each variant needs a finite weight above 0, and at "
                + "least a billionth of the units"
        case .unequalSizes(let sizes, let variants):
            "there are \(sizes) sample sizes for \(variants) variants; give one for each"
        case .tooFewUnits(let variant, let count):
            "variant \(variant + 1) gets \(count == 1 ? "1 unit" : "\(count) units"); each needs two or more, so "
                + "take more units"
        case .tooManyUnits:
            "that is more than a quadrillion units; look for a larger effect, or plan for fewer days"
        case .nothingDetectable(let power):
            "no effect is large enough to be found with a power of \(power) in so few units; take more units"
        case .invalidUnitsPerDay(let value):
            "there are \(value) units a day; it must be a number above 0 and below a quadrillion (1e15)"
        case .invalidTraffic(let value): "the traffic is \(value); it is a share above 0, and at most 1"
        case .lessThanOneUnitPerDay: "less than one unit a day is enrolled; raise the traffic"
        }
    }
}
