import AllotConfiguration

/// HTML and SVG as text, with every element closed and every text escaped as `HTMLText` does. A literal is text, in
/// which other texts and elements may be inserted: `"kept out of \(code: key)"`.
package struct Markup: Sendable {
    /// The attributes of an element; one whose value is `nil` is left out. The values of `name` and `value` are
    /// data, which forms send back.
    package struct Attributes: ExpressibleByDictionaryLiteral {
        fileprivate let pairs: [(name: String, value: String)]

        package init(dictionaryLiteral pairs: (String, String?)...) {
            self.pairs = pairs.compactMap { name, value in value.map { (name, $0) } }
        }

        private init(_ pairs: [(name: String, value: String)]) { self.pairs = pairs }

        package static func + (first: Attributes, second: Attributes) -> Attributes {
            Attributes(first.pairs + second.pairs)
        }
    }

    package private(set) var text = ""

    package init() {}

    /// Writes an element, perhaps with an attribute without a value, of HTML only.
    package mutating func element(
        _ name: String, _ attributes: Attributes = [:], flag: String? = nil, _ body: (inout Markup) -> Void
    ) {
        open(name, attributes, flag)
        text += ">"
        body(&self)
        text += "</\(name)>"
    }

    package mutating func element(_ name: String, _ attributes: Attributes, _ content: String) {
        element(name, attributes) { $0.write(content) }
    }

    package mutating func element(_ name: String, _ content: String) { element(name, [:], content) }

    /// Writes an element without content, as in XML.
    package mutating func element(_ name: String, _ attributes: Attributes) {
        open(name, attributes, nil)
        text += "/>"
    }

    /// Writes an element that has no content in HTML; the page is not XML then.
    package mutating func void(_ name: String, _ attributes: Attributes = [:], flag: String? = nil) {
        open(name, attributes, flag)
        text += ">"
    }

    package mutating func write(_ content: String) { text += HTMLText.escaped(content) }
    /// Writes the text of a form's element, as data.
    package mutating func write(data content: String) { text += HTMLText.data(content) }

    package mutating func append(_ content: Markup?) {
        if let content { text += content.text }
    }

    /// Appends what is HTML or SVG already.
    package mutating func append(html: String) { text += html }
    package mutating func endLine() { text += "\n" }

    private mutating func open(_ element: String, _ attributes: Attributes, _ flag: String?) {
        text += "<\(element)"
        for (name, value) in attributes.pairs {
            let isData = name == "name" || name == "value"
            text += " \(name)=\"\(isData ? HTMLText.data(value) : HTMLText.escaped(value))\""
        }
        if let flag { text += " \(flag)" }
    }
}

extension Markup: ExpressibleByStringInterpolation {
    package init(stringLiteral content: String) { write(content) }
    package init(stringInterpolation content: StringInterpolation) { self = content.markup }

    /// A text with others and with elements in it.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var markup = Markup()

        package init(literalCapacity: Int, interpolationCount: Int) {}
        package mutating func appendLiteral(_ literal: String) { markup.write(literal) }
        package mutating func appendInterpolation(_ content: String) { markup.write(content) }
        package mutating func appendInterpolation(_ number: Int) { markup.write("\(number)") }
        package mutating func appendInterpolation(_ content: Markup?) { markup.append(content) }
        package mutating func appendInterpolation(code: String) { markup.element("code", code) }
        /// Inserts a name whose direction of writing is its own.
        package mutating func appendInterpolation(name: String) { markup.element("bdi", name) }

        package mutating func appendInterpolation(faint content: String) {
            markup.element("span", ["class": "faint"], content)
        }

        package mutating func appendInterpolation(bad content: String) {
            markup.element("strong", ["class": "bad"], content)
        }

        package mutating func appendInterpolation(badge state: String) {
            markup.element("span", ["class": "badge \(state)"], state)
        }

        package mutating func appendInterpolation(time instant: String) {
            markup.element("time", ["datetime": instant], instant)
        }

        /// Inserts a link; its title alone if there is no reference.
        package mutating func appendInterpolation(link title: String, to reference: String?) {
            guard let reference else { return markup.write(title) }
            markup.element("a", ["href": reference], title)
        }

        package mutating func appendInterpolation(linked content: Markup, to reference: String) {
            markup.element("a", ["href": reference]) { $0.append(content) }
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
                markup.element("style") { $0.append(html: PageStyle.sheet) }
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
        let (width, height) = (PlotFrame.text(width), PlotFrame.text(height))
        let attributes: Attributes = [
            "class": style, "viewBox": "0 0 \(width) \(height)", "role": "img", "xmlns": "http://www.w3.org/2000/svg",
            "width": width, "height": height,
        ]
        element("svg", attributes) { markup in
            markup.element("title", description)
            body(&markup)
        }
    }

    package mutating func line(_ style: String, from start: (x: Double, y: Double), to end: (x: Double, y: Double)) {
        let places = [start.x, start.y, end.x, end.y].map(PlotFrame.text)
        element("line", ["class": style, "x1": places[0], "y1": places[1], "x2": places[2], "y2": places[3]])
    }

    package mutating func label(_ label: String, x: Double, y: Double, anchor: String) {
        element("text", ["x": PlotFrame.text(x), "y": PlotFrame.text(y), "text-anchor": anchor], label)
    }

    package mutating func rectangle(
        _ style: String, x: Double, y: Double, width: Double, height: Double, title: String? = nil
    ) {
        let attributes: Attributes = [
            "class": style, "x": PlotFrame.text(x), "y": PlotFrame.text(y), "width": PlotFrame.text(width),
            "height": PlotFrame.text(height),
        ]
        guard let title else { return element("rect", attributes) }
        element("rect", attributes) { $0.element("title", title) }
    }
}
