/// A fenced block of Swift in a doc comment or in an article.
struct Example: Sendable, CustomStringConvertible {
    let path: String
    /// The number of the line with the fence.
    let line: Int
    /// The lines between the fences, without the slashes of a comment.
    let code: [Substring]

    var description: String { "\(path):\(line)" }

    /// The module that the example belongs to.
    var module: Substring {
        path.split(separator: "/")[1]
    }

    /// The blocks that are marked `swift`; a fragment that cannot compile by itself is marked `swift-fragment`.
    static func all(in document: Document) -> [Example] {
        let isSource = document.path.hasSuffix(".swift")
        var found: [Example] = []
        var opened: (line: Int, indentation: Int)?
        var code: [Substring] = []
        for (index, line) in document.lines.enumerated() {
            var text = line
            if isSource {
                text = line.drop { $0 == " " }
                guard text.hasPrefix("///") else {
                    opened = nil
                    continue
                }
                text = text.dropFirst(text.hasPrefix("/// ") ? 4 : 3)
            }
            if let start = opened {
                if text.drop(while: { $0 == " " }).hasPrefix("```") {
                    found.append(Example(path: document.path, line: start.line, code: code))
                    opened = nil
                } else {
                    code.append(text.dropFirst(min(start.indentation, text.prefix { $0 == " " }.count)))
                }
            } else if text.drop(while: { $0 == " " }) == "```swift" {
                opened = (index + 1, text.prefix { $0 == " " }.count)
                code = []
            }
        }
        return found
    }

    /// A file with the example: its imports, and the rest as the body of a function, where statements may stand.
    func file(number: Int) -> String {
        let imports = code.filter { $0.hasPrefix("import ") }
        let body = code.map { $0.hasPrefix("import ") ? "" : $0 }
        let needsFile = body.contains { $0.hasPrefix("extension ") }
        return """
            import \(module)
            \(imports.joined(separator: "\n"))
            \(needsFile ? "" : "func example\(number)() async throws {")
            #sourceLocation(file: "\(path)", line: \(line + 1))
            \(body.joined(separator: "\n"))
            #sourceLocation()
            \(needsFile ? "" : "}")
            """
    }
}
