import AllotStatistics
import TestSupport
import Testing

extension PowerAnalysis {
    /// The analysis of a rate.
    static func rate(
        _ baseline: Double = 0.1, _ weights: [Double] = [1, 1], significance: Double = 0.05, sides: TestSides = .two,
        correction: Correction = .bonferroni
    ) throws -> PowerAnalysis {
        try PowerAnalysis(
            metric: ProportionMetric(baseline: baseline), allocation: Allocation(weights: weights),
            significance: significance, sides: sides, correction: correction)
    }

    /// The analysis of a mean.
    static func mean(
        _ deviation: Double, _ weights: [Double] = [1, 1], significance: Double = 0.05, sides: TestSides = .two
    ) throws -> PowerAnalysis {
        try PowerAnalysis(
            metric: MeanMetric(standardDeviation: deviation), allocation: Allocation(weights: weights),
            significance: significance, sides: sides)
    }
}

struct PowerAnalysisTests {
    @Test("Corrections divide the significance level, or do not")
    func corrections() throws {
        let six = [1.0, 1, 1, 1, 1, 1]
        #expect(try PowerAnalysis.rate().comparisonSignificance == 0.05)
        #expect(try PowerAnalysis.rate(0.1, six).comparisonSignificance == 0.01)
        #expect(try PowerAnalysis.rate(0.1, six, correction: .none).comparisonSignificance == 0.05)
        let corrected = try PowerAnalysis.rate(0.1, [1, 1, 1]).sizes(effect: 0.02)
        let uncorrected = try PowerAnalysis.rate(0.1, [1, 1, 1], correction: .none).sizes(effect: 0.02)
        #expect(uncorrected[0] == (try PowerAnalysis.rate().sizes(effect: 0.02))[0])
        #expect(corrected[0] > uncorrected[0])
    }

    /// Size, effect and power are three views of one function.
    @Test("Sizes, effect and power are inverses of one another", arguments: 1...20)
    func inverses(seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        let baseline = Double.random(in: 0.005...0.6, using: &generator)
        let effect = baseline * Double.random(in: 0.01...0.5, using: &generator)
        let power = Double.random(in: 0.3...0.99, using: &generator)
        let weights = (0..<Int.random(in: 2...5, using: &generator)).map { _ in
            Double.random(in: 1...5, using: &generator)
        }
        let analysis: PowerAnalysis = try seed % 2 == 0 ? .rate(baseline, weights) : .mean(baseline * 3, weights)
        let sizes = try analysis.sizes(effect: effect, power: power)
        let reached = try analysis.power(effect: effect, sizes: sizes)
        #expect(reached >= power)
        expectClose(try analysis.detectableEffect(sizes: sizes, power: reached), effect, within: 1e-8)
        #expect(try analysis.detectableEffect(sizes: sizes, power: power) <= effect)
    }

    @Test("Designs that cannot be are refused")
    func refusals() throws {
        let analysis = try PowerAnalysis.rate()
        for level in [0.0, 1] {
            #expect(throws: PowerError.invalidSignificance(level)) { try PowerAnalysis.rate(significance: level) }
        }
        #expect(throws: PowerError.invalidPower(1)) { try analysis.sizes(effect: 0.01, power: 1) }
        #expect(throws: PowerError.invalidPower(0)) { try analysis.detectableEffect(sizes: [9, 9], power: 0) }
        #expect(throws: PowerError.trivialPower(power: 0.05, significance: 0.05)) {
            try analysis.sizes(effect: 0.01, power: 0.05)
        }
        #expect(throws: PowerError.invalidEffect(0)) { try analysis.sizes(effect: 0) }
        #expect(throws: PowerError.invalidEffect(.infinity)) {
            try analysis.power(effect: .infinity, sizes: [10, 10])
        }
        #expect(throws: PowerError.unequalSizes(sizes: 3, variants: 2)) {
            try analysis.power(effect: 0.01, sizes: [10, 10, 10])
        }
        #expect(throws: PowerError.tooFewUnits(variant: 1, count: 1)) {
            try analysis.power(effect: 0.01, sizes: [10, 1])
        }
        #expect(throws: PowerError.tooManyUnits) { try analysis.sizes(effect: 1e-9) }
        #expect(throws: PowerError.nothingDetectable(power: 0.8)) { try analysis.detectableEffect(sizes: [2, 2]) }
        #expect(throws: PowerError.nothingDetectable(power: 0.8)) {
            try analysis.detectableEffect(.decrease, sizes: [50, 50])
        }
    }

    /// No input gives NaN, infinity or a crash.
    @Test("Extreme means have answers", arguments: [1e-300, 1e-12, 1, 1e12, 1e300])
    func extremeMeans(deviation: Double) throws {
        let analysis = try PowerAnalysis.mean(deviation)
        for effect in [1e-300, 1, 1e300] {
            #expect((0...1).contains(try analysis.power(effect: effect, sizes: [1000, 1000])))
            if let sizes = try? analysis.sizes(effect: effect) { #expect(sizes.allSatisfy { $0 >= 2 }) }
        }
        if deviation < 1e300 {
            let effect = try analysis.detectableEffect(sizes: [1000, 1000])
            #expect(effect > 0)
            #expect(effect.isFinite)
        }
    }

    @Test(
        "Errors say what to do",
        arguments: [
            (PowerError.invalidBaseline(0), "the baseline rate is 0.0; it must be above 0 and below 1"),
            (.tooFewVariants(1), "there is 1 variant; a comparison needs two or more"),
            (
                .effectOutOfRange(effect: 0.5, baseline: 0.75),
                "an effect of 0.5 does not fit a baseline rate of 0.75; the treatment's rate is from 0 to 1"
            ),
        ])
    func errorsSayWhatToDo(error: PowerError, text: String) {
        #expect(error.description == text)
    }
}
