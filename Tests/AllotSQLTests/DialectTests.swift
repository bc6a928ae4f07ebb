import AllotSQL
import Testing

struct DialectTests {
    @Test func dialectsHaveNames() {
        #expect(Dialect(rawValue: "duckdb") == .duckdb)
    }
}
