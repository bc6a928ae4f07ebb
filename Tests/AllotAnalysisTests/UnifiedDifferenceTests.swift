import AllotReports
import TestSupport
import Testing

@Suite(.blocks) struct UnifiedDifferenceTests {
    @Test("A patch has the changed lines, with three around them")
    func patch() {
        let old = (1...12).map { "line \($0)\n" }.joined()
        let new = old.replacing("line 5\n", with: "five\nfive and a half\n")
        let patch = UnifiedDifference(Array(old.utf8), Array(new.utf8)).patch(of: "Experiments/a.yaml")
        #expect(
            String(decoding: patch, as: UTF8.self) == """
                diff --git a/Experiments/a.yaml b/Experiments/a.yaml
                --- a/Experiments/a.yaml
                +++ b/Experiments/a.yaml
                @@ -2,7 +2,8 @@
                 line 2
                 line 3
                 line 4
                -line 5
                +five
                +five and a half
                 line 6
                 line 7
                 line 8

                """)
        #expect(UnifiedDifference(Array(old.utf8), Array(old.utf8)).patch(of: "a").isEmpty)
    }

    @Test("Git applies a patch of any two texts, whatever the file's name is", arguments: 0..<20)
    func applies(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let repository = try TestRepository()
        let name = random.pick(["a.yaml", "Experiments/b.yaml", "an ex/\"q\\é.yaml"])
        func text() -> String {
            let end = random.pick(["\n", "\r\n"])
            let lines = (0..<random.number(0...14)).map { _ in random.pick(["a", "b", "c"]) + end }
            let text = lines.joined()
            return random.chance(0.4) && text.hasSuffix(end) ? String(text.dropLast()) : text
        }
        let (old, new) = (text(), text())
        let patch = UnifiedDifference(Array(old.utf8), Array(new.utf8)).patch(of: name)
        try repository.write(old, to: name)
        guard !patch.isEmpty else {
            #expect(old == new)
            return
        }
        try repository.git(["apply", "--whitespace=nowarn"], input: String(decoding: patch, as: UTF8.self))
        #expect(try repository.text(name) == new)
    }
}
