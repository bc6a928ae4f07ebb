import AllotConfiguration
import Testing

struct WordingTests {
    @Test(
        "Lists of names end with the number of those that are left out",
        arguments: [
            (0, "", ""), (1, "a", #""a""#), (2, "a, b", #""a", "b""#), (4, "a, b and 2 more", #""a", "b" and 2 more"#),
        ])
    func lists(count: Int, listed: String, quoted: String) {
        let names = Array(["a", "b", "c", "d"].prefix(count))
        #expect(names.listed(atMost: 2) == listed)
        #expect(names.quoted(atMost: 2) == quoted)
    }
}
