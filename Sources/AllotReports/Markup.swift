/// HTML and SVG as text, with every element closed and every text escaped, so that it is well-formed XML too.
package struct Markup {
    package private(set) var text = ""

    package init() {}

    /// Text in which no character is markup, for an element or an attribute in quotes.
    package static func escaped(_ text: String) -> String {
        var result = ""
        escape(text, into: &result)
        return result
    }

    package mutating func element(
        _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ body: (inout Markup) -> Void
    ) {
        open(name, attributes)
        text += ">"
        body(&self)
        text += "</\(name)>"
    }

    package mutating func element(_ name: String, _ attributes: KeyValuePairs<String, String>, _ content: String) {
        element(name, attributes) { $0.write(content) }
    }

    package mutating func element(_ name: String, _ content: String) {
        element(name, [:], content)
    }

    package mutating func element(_ name: String, _ attributes: KeyValuePairs<String, String>) {
        open(name, attributes)
        text += "/>"
    }

    package mutating func write(_ content: String) {
        Self.escape(content, into: &text)
    }

    package mutating func endLine() {
        text += "\n"
    }

    private mutating func open(_ name: String, _ attributes: KeyValuePairs<String, String>) {
        text += "<\(name)"
        for (key, value) in attributes {
            text += " \(key)=\""
            Self.escape(value, into: &text)
            text += "\""
        }
    }

    private static func escape(_ content: String, into text: inout String) {
        for scalar in content.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\n", "\t": text.unicodeScalars.append(scalar)
            // XML has no other control characters, and not these two at all.
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Markup {
    /// A complete page that loads nothing and is well-formed XML: inline styles, no scripts.
    package static func page(_ title: String, _ body: (inout Markup) -> Void) -> String {
        var markup = Markup()
        markup.text = "<!DOCTYPE html>\n"
        markup.element("html", ["lang": "en", "xmlns": "http://www.w3.org/1999/xhtml"]) { markup in
            markup.element("head") { markup in
                markup.element("meta", ["charset": "utf-8"])
                markup.element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
                markup.element("title", title)
                markup.element("style") { $0.text += PageStyle.sheet }
            }
            markup.endLine()
            markup.element("body", [:], body)
        }
        markup.endLine()
        return markup.text
    }

    package mutating func figure(_ caption: String, _ plot: (inout Markup) -> Void) {
        element("figure") { markup in
            markup.element("div", ["class": "scroll"], plot)
            markup.element("figcaption", caption)
        }
    }

    /// The width of a chart: that of a phone, where its text has the size that the stylesheet says. Elsewhere it is
    /// shown larger, with smaller text.
    static let chartWidth = 360.0

    /// A plot that is as wide as its column, with a description for readers who do not see it.
    package mutating func chart(height: Double, _ description: String, _ body: (inout Markup) -> Void) {
        picture("chart", width: Self.chartWidth, height: height, description, body)
    }

    /// A picture of a size that is scaled to the page, with a description for readers who do not see it.
    package mutating func picture(
        _ style: String = "picture", width: Double, height: Double, _ description: String,
        _ body: (inout Markup) -> Void
    ) {
        element(
            "svg",
            [
                "class": style, "viewBox": "0 0 \(PlotFrame.text(width)) \(PlotFrame.text(height))", "role": "img",
                "xmlns": "http://www.w3.org/2000/svg", "width": PlotFrame.text(width), "height": PlotFrame.text(height),
            ]
        ) { markup in
            markup.element("title", description)
            body(&markup)
        }
    }

    package mutating func line(_ style: String, from start: (x: Double, y: Double), to end: (x: Double, y: Double)) {
        element(
            "line",
            [
                "class": style, "x1": PlotFrame.text(start.x), "y1": PlotFrame.text(start.y),
                "x2": PlotFrame.text(end.x), "y2": PlotFrame.text(end.y),
            ])
    }

    package mutating func label(_ label: String, x: Double, y: Double, anchor: String) {
        element("text", ["x": PlotFrame.text(x), "y": PlotFrame.text(y), "text-anchor": anchor], label)
    }

    package mutating func rectangle(
        _ style: String, x: Double, y: Double, width: Double, height: Double, title: String? = nil
    ) {
        let attributes: KeyValuePairs = [
            "class": style, "x": PlotFrame.text(x), "y": PlotFrame.text(y), "width": PlotFrame.text(width),
            "height": PlotFrame.text(height),
        ]
        guard let title else { return element("rect", attributes) }
        element("rect", attributes) { $0.element("title", title) }
    }
}
