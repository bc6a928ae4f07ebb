import AllotDefinitions
import Foundation
import Testing

struct YAMLNestingTests {
    static let message = "lists and maps are nested more than 100 levels deep; make the value flatter"

    static func text(_ depth: Int, _ open: String, _ close: String) -> String {
        String(repeating: open, count: depth) + String(repeating: close, count: depth)
    }

    static func indented(_ depth: Int, _ key: String) -> String {
        (0..<depth).map { String(repeating: " ", count: $0) + key + "\n" }.joined()
    }

    @Test(
        "Nesting is limited to one hundred levels",
        arguments: [
            ("[", "]", 100, nil), ("[", "]", 101, "1:101"), ("{a: ", "}", 100, nil), ("{a: ", "}", 101, "1:401"),
            ("- ", "", 100, nil), ("- ", "", 101, "1:201"),
        ] as [(String, String, Int, String?)])
    func depth(open: String, close: String, depth: Int, position: String?) {
        #expect(problems(Self.text(depth, open, close)) == (position.map { ["\($0): \(Self.message)"] } ?? []))
    }

    @Test("Indentation counts as nesting")
    func indentedDepth() {
        #expect(problems(Self.indented(100, "a:")).isEmpty)
        #expect(problems(Self.indented(101, "a:")) == ["101:101: \(Self.message)"])
        let siblings = "[\(Self.text(99, "[", "]")), \(Self.text(100, "[", "]"))]"
        #expect(problems(siblings) == ["1:301: \(Self.message)"])
    }

    /// Lists at the indentation of their key and maps of one entry in brackets are levels, which no bracket and no
    /// indentation shows.
    @Test("Levels without bracket or indentation count as nesting")
    func levelsThatDoNotShow() {
        let lists = (0..<51).map { String(repeating: " ", count: 2 * $0) + "- a:\n" }.joined()
        #expect(problems(lists) == ["51:101: \(Self.message)"])
        #expect(problems((0..<50).map { String(repeating: " ", count: 2 * $0) + "- a:\n" }.joined()).isEmpty)
        #expect(problems(Self.text(50, "[a: ", "]")).isEmpty)
        #expect(problems(Self.text(51, "[a: ", "]")) == ["1:201: \(Self.message)"])
        #expect(parse(Self.text(51, "[a: ", "]")).root == nil)
    }

    static let hostile: [String: String] = [
        "[": text(100_000, "[", ""), "[]": text(100_000, "[", "]"), "- ": text(100_000, "- ", ""),
        "{a: ": text(100_000, "{a: ", ""), "? ": text(100_000, "? ", ""), "[a: ": text(100_000, "[a: ", ""),
        "{}": text(100_000, "{", "}"), "!t [": text(100_000, "!t [", ""), "&a [": text(100_000, "&a [", ""),
        "][": text(50, "[", "]") + text(50_000, "]", "["), "indented keys": indented(3000, "a:"),
        "indented dashes": indented(3000, "-"), "100 [": text(100, "[", "]"), "100 [a: ": text(100, "[a: ", "]"),
        "100 {a: ": text(100, "{a: ", "}"), "100 indented": indented(100, "a:"), "100 - ": text(100, "- ", ""),
        "100 keys with lists at their indentation": (0..<100).map { level in
            let indent = String(repeating: " ", count: level)
            return "\(indent)a:\n\(indent)- b: 1\n"
        }.joined(), "100 - a": (0..<100).map { String(repeating: " ", count: 2 * $0) + "- a:\n" }.joined(),
        "duplicates": "{a: 1, a: " + text(98, "[", "]") + "}",
    ]

    /// On a thread with 512 KiB of stack, as a server's threads may have.
    @Test("Deep nesting needs little stack", arguments: hostile.keys.sorted())
    func smallStack(name: String) async {
        let text = Self.hostile[name] ?? ""
        let isDone = await withCheckedContinuation { continuation in
            let thread = Thread {
                let (root, problems) = parse(text)
                continuation.resume(returning: root != nil || !problems.isEmpty)
            }
            thread.stackSize = 512 * 1024
            thread.start()
        }
        #expect(isDone)
    }
}
