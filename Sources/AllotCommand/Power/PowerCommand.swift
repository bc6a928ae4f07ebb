import AllotAnalysis
import AllotStatistics
import ArgumentParser

struct PowerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "power",
        abstract: "Say how many units an experiment needs, or what it can find.",
        usage: "allot power --baseline <rate> [--effect <change>] [<options>]",
        discussion: """
            Give two of effect, units and power, and the third follows. Power is 80% unless it is given or \
            calculated. A rate, such as a conversion, is given by its --baseline and compared by the z-test of two \
            proportions; a mean, such as revenue for each user, by its --standard-deviation and compared by \
            Student's t-test. Rates and shares are written as 10% or 0.1; --shares has the \
            control first, and also takes weights, with names or without: 80,10,10.

            EXAMPLES
              allot power --baseline 10% --effect 1%
                  how many units find 10% becoming 11%?
              allot power --baseline 10% --relative-effect 5% --units-per-day 8000
                  and how many days for 10% becoming 10.5%?
                  (and while the traffic rises: --ramp 1%,10%,100% --every 2d)
              allot power --baseline 10% --units 100000
                  what can be found with that many?
              allot power --baseline 10% --effect 1% --units 20000
                  and how probably?
              allot power --standard-deviation 12.5 --mean 40 --effect 0.5
              allot power --baseline 10% --effect 1% --shares control=80%,blue=10%,green=10%
            """)

    @OptionGroup(title: "What is measured")
    var measureOptions: MeasureOptions

    @OptionGroup(title: "The test")
    var test: PowerTestOptions

    @OptionGroup(title: "The units")
    var units: UnitCountOptions

    @OptionGroup
    var report: ReportOptions<AllForms>

    func validate() throws {
        // What is missing is reported by the run, see there.
        do { _ = try result() } catch is UsageFailure {} catch is CommandFailure {}
    }

    func run() throws {
        let result = try result()
        try report.write(result.report, json: result.json)
    }

    private func result() throws -> PowerReport {
        var question = PowerQuestion()
        measureOptions.add(to: &question)
        test.add(to: &question)
        units.add(to: &question)
        do throws(PowerQuestion.Fault) {
            return try question.report()
        } catch {
            switch error {
            case .missing(let text): throw UsageFailure(text)
            case .contradiction(let text): throw ValidationError(text)
            case .unanswerable(let text): throw CommandFailure(text)
            }
        }
    }
}
