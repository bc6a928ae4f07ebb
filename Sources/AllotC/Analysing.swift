// The functions have the names of allot.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AllotAnalysis
import AllotBatch
import AllotConfiguration
import AllotCore
import AllotFiles
import AllotReports
public import CAllot

/// Tests sample ratios.
@c @implementation
public func allot_srm(
    _ plan: OpaquePointer?, _ csv: UnsafePointer<CChar>?, _ length: Int, _ options: UnsafePointer<CChar>?,
    _ report: OutputText?, _ message: OutputText?
) -> allot_status {
    status(report, message) {
        var options = try Options(options)
        let analysis = try options.sampleRatioAnalysis(of: plan.map { try Plan.of($0) })
        let (counts, format) = (try options.counts(), try options.choice("format") ?? ReportFormat.json)
        try options.finish()
        let (data, name): ([UInt8], String)
        switch (counts, csv) {
        case (let counts?, nil): (data, name) = (table(of: counts), "the table of counts")
        case (nil, let csv?): (data, name) = (try bytes(csv, length), "the data")
        case (nil, nil): throw InterfaceError.argument("give csv, or the option counts")
        case (_?, _?): throw InterfaceError.argument("csv and the option counts are both given; keep one of them")
        }
        let results = try analysis.results(from: InputFile(bytes: data, name: name))
        return format.text(
            json: results.json, text: results.lines.joined(separator: "\n"), html: results.report.html("allot-srm"))
    }
}

/// Tests the bucketing.
@c @implementation
public func allot_distribution(
    _ plan: OpaquePointer?, _ csv: UnsafePointer<CChar>?, _ length: Int, _ options: UnsafePointer<CChar>?,
    _ report: OutputText?, _ message: OutputText?
) -> allot_status {
    status(report, message) {
        var options = try Options(options)
        let study = try options.study(of: try Plan.of(plan))
        let alarm = try options.number("alarm", WrittenNumber.rate)
        let sources = try options.sources(csv.map { try bytes($0, length) }, seed: study.seed)
        let format = try options.choice("format") ?? ReportFormat.json
        try options.finish()
        let result = try Waiting.result(onThisThread: study.taskCount == 1) {
            try await study.report(on: sources, alarmLevel: alarm ?? DistributionReport.standardAlarmLevel)
        }
        return format.text(json: result.json, text: result.textLines.joined(separator: "\n"), html: result.page)
    }
}

/// Plans an experiment.
@c @implementation
public func allot_power(_ options: UnsafePointer<CChar>?, _ report: OutputText?, _ message: OutputText?) -> allot_status
{
    status(report, message) {
        var options = try Options(options)
        let question = try options.powerQuestion()
        let format = try options.choice("format") ?? ReportFormat.json
        try options.finish()
        let answer = try question.report()
        return format.text(
            json: answer.json, text: answer.lines.joined(separator: "\n"), html: answer.report.html("allot-power"))
    }
}

private func bytes(_ csv: UnsafePointer<CChar>, _ length: Int) throws -> [UInt8] {
    guard length >= 0 else { throw InterfaceError.argument("the length of csv is \(length)") }
    return Array(UnsafeRawBufferPointer(start: csv, count: length))
}

private func table(of counts: [(variant: String, count: Int)]) -> [UInt8] {
    var bytes = Array("variant,count\n".utf8)
    for (variant, count) in counts {
        bytes.appendCSVField(variant)
        bytes.append(contentsOf: ",\(count)\n".utf8)
    }
    return bytes
}

extension Report {
    /// The report for a notebook, as a part of a page.
    fileprivate func html(_ style: String) -> String {
        var markup = Markup()
        markup.element("div", ["class": style]) { HTMLRenderer().write(self, level: 4, in: &$0) }
        return markup.text
    }
}
