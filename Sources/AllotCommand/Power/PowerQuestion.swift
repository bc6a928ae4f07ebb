import AllotAnalysis
import AllotStatistics
import ArgumentParser

/// Two of effect, units and power.
struct PowerQuestion {
    let analysis: PowerAnalysis
    let effect: Double?
    let sizes: [Int]?
    let power: Double?

    private static let customaryPower = 0.8

    /// The third.
    func answer() throws -> PowerAnswer {
        let wanted = power ?? Self.customaryPower
        switch (effect, sizes) {
        case (let effect?, nil):
            let sizes = try analysis.sizes(effect: effect, power: wanted)
            let reached = try analysis.power(effect: effect, sizes: sizes)
            return PowerAnswer(
                asked: .units, sizes: sizes, effect: effect, decrease: nil, power: reached, target: wanted)
        case (nil, let sizes?):
            let effect = try analysis.detectableEffect(.increase, sizes: sizes, power: wanted)
            // Of a rate near 0 no decrease may be large enough.
            let decrease =
                analysis.sides == .two
                ? try? analysis.detectableEffect(.decrease, sizes: sizes, power: wanted) : nil
            return PowerAnswer(
                asked: .effect, sizes: sizes, effect: effect, decrease: decrease, power: wanted, target: wanted)
        case (let effect?, let sizes?):
            guard power == nil else {
                throw ValidationError(
                    "Effect, units and --power are all given; leave one out, and it is calculated from the others.")
            }
            let reached = try analysis.power(effect: effect, sizes: sizes)
            return PowerAnswer(
                asked: .power, sizes: sizes, effect: effect, decrease: nil, power: reached, target: nil)
        case (nil, nil):
            throw UsageFailure(
                "Nothing to calculate: give --effect for the units that are needed, --units for the effect that can be "
                    + "found, or both for the power.")
        }
    }
}

/// Effect, units and power that belong together.
struct PowerAnswer {
    enum Quantity: String {
        case units
        case effect
        case power
    }

    /// What was not given.
    let asked: Quantity
    /// The units of each variant, the control's first.
    let sizes: [Int]
    let effect: Double
    /// Where the effect was asked for, the one downwards, below 0; it is not as far from 0 as the one upwards.
    let decrease: Double?
    /// The power that these units have for this effect.
    let power: Double
    /// The power that was asked for.
    let target: Double?

    var units: Int {
        sizes.reduce(0, +)
    }
}
