// The functions have the names of allot.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotReports
public import CAllot

/// Decides the experiments for one unit.
@c @implementation
public func allot_decide(
    _ plan: OpaquePointer?, _ attributes: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?, _ json: OutputText?,
    _ message: OutputText?
) -> allot_status {
    status(json, message) {
        let plan = try Plan.of(plan)
        var options = try Options(options)
        let (instant, selection) = (try options.instant() ?? .now, try options.selection(of: plan))
        try options.finish()
        let assignments = plan.assignments(for: try Subject(attributes), at: instant)
        return JSONValue.array((selection ?? Array(assignments.indices)).map { assignments[$0].json }).canonicalText
    }
}

/// The configuration of one unit.
@c @implementation
public func allot_config(
    _ plan: OpaquePointer?, _ attributes: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?, _ json: OutputText?,
    _ message: OutputText?
) -> allot_status {
    status(json, message) {
        let plan = try Plan.of(plan)
        var options = try Options(options)
        let instant = try options.instant() ?? .now
        try options.finish()
        return String(decoding: plan.configurationBytes(for: try Subject(attributes), at: instant), as: UTF8.self)
    }
}

/// Explains the decisions for one unit.
@c @implementation
public func allot_explain(
    _ plan: OpaquePointer?, _ attributes: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?,
    _ result: OutputText?, _ message: OutputText?
) -> allot_status {
    status(result, message) {
        let plan = try Plan.of(plan)
        var options = try Options(options)
        let (instant, selection) = (try options.instant() ?? .now, try options.selection(of: plan))
        let format = try options.choice("format") ?? ReportFormat.json
        try options.finish()
        let explanation = plan.explanation(
            for: try Subject(attributes), at: instant, experiments: selection?.map { plan.experiments[$0].key })
        return format.text(json: explanation.json, text: explanation.text, html: explanation.html)
    }
}

/// Notes on attributes of one unit that are probably not meant.
@c @implementation
public func allot_notes(
    _ plan: OpaquePointer?, _ attributes: UnsafePointer<CChar>?, _ json: OutputText?, _ message: OutputText?
) -> allot_status {
    status(json, message) {
        let unread = try Plan.of(plan).unreadAttributes(of: try Subject(attributes))
        return JSONValue.array(unread.notes.map(JSONValue.string)).canonicalText
    }
}

enum ReportFormat: String, CaseIterable {
    case json, text, html
    /// An object of the other three.
    case all

    func text(
        json: @autoclosure () -> JSONValue, text: @autoclosure () -> String, html: @autoclosure () -> String
    ) -> String {
        switch self {
        case .json: json().prettyText
        case .text: text()
        case .html: html()
        case .all: JSONValue.object(["json": json(), "text": .string(text()), "html": .string(html())]).canonicalText
        }
    }
}

extension Subject {
    fileprivate init(_ attributes: UnsafePointer<CChar>?) throws {
        self.init(
            attributes: try JSONObject(
                try text(attributes, "attributes"), named: "attributes",
                example: #"{"user_id": "user-42", "country": "DE"}"#))
    }
}

extension Assignment {
    fileprivate var json: JSONValue {
        [
            "experiment": .string(experiment), "variant": .text(variant), "reason": .string(reason.text),
            "bucket": .int(bucket), "revision": .string(revision),
        ]
    }
}

extension Explanation {
    /// The explanation for a notebook, as a part of a page: a sentence for each experiment, with its checks to unfold.
    fileprivate var html: String {
        var markup = Markup()
        markup.element("div", ["class": "allot-explanation"]) { markup in
            for experiment in experiments {
                markup.element("details") { markup in
                    markup.element("summary", experiment.sentence)
                    markup.element("pre", experiment.text.drop { $0 != "\n" }.dropFirst().description)
                }
                markup.endLine()
            }
        }
        return markup.text
    }
}
