import AllotConfiguration
import Mustache

/// The HTML of a page's body, with tags of Mustache.
///
/// `{{name}}` inserts text: markup in it is escaped, and hidden characters, and those that turn the direction
/// of writing, are shown as `PrintableText` writes them. Line feeds stay. `{{{data(name)}}}` inserts text that a form
/// sends back: a browser reads the text itself, and no markup. `{{{name}}}` inserts HTML, and is only for
/// what `Markup` or another template wrote.
package struct PageTemplate: Sendable {
    private let template: MustacheTemplate

    /// Reads a template that is written in the source.
    package init(_ source: String) {
        _ = Self.isReady
        do {
            template = try MustacheTemplate(string: "{{% CONTENT_TYPE:\(Self.contentType)}}\n" + source)
        } catch {
            preconditionFailure("a template is not valid: \(error)")
        }
    }

    package func html(_ values: PageValues) -> String {
        template.render(values)
    }

    private static let contentType = "ALLOT"

    private static let isReady: Void = MustacheContentTypes.register(VisibleText(), named: contentType)
}

/// The values of a template's names: texts, numbers, booleans, lists, and values of their own. Sections of names whose
/// value is `nil` are left out.
package struct PageValues: ExpressibleByDictionaryLiteral, MustacheParent {
    private let values: [String: Any]

    package init(dictionaryLiteral elements: (String, Any?)...) {
        var values: [String: Any] = [:]
        for (name, value) in elements { values[name] = value }
        self.values = values
    }

    package func child(named name: String) -> Any? {
        switch values[name] {
        case let text as String: TemplateText(text: text)
        case let value: value
        }
    }
}

/// A text that a template shows, or inserts as data.
private struct TemplateText: MustacheCustomRenderable, MustacheParent, MustacheTransformable {
    let text: String

    var renderText: String { text }
    var isNull: Bool { false }

    /// Returns `nil`: in a section of a text the names are those around it.
    func child(named name: String) -> Any? { nil }

    func transform(_ name: String) -> Any? {
        name == "data" ? HTMLText.data(text) : nil
    }
}

/// Escapes text so that it is harmless in elements and in quoted attributes, and so that all of it is seen.
private struct VisibleText: MustacheContentType {
    func escapeText(_ text: String) -> String {
        HTMLText.escaped(text)
    }
}
