import Testing

struct OverrideConflictTests {
    /// An experiment with one variant that sets what is given.
    private static func setting(_ overrides: String) -> String {
        "status: running\nvariants: [{ key: a, overrides: { \(overrides) } }]"
    }

    @Test(
        "Overrides of one setting or member conflict",
        arguments: [
            ("Shop: { Color: blue }", "Shop: { Size: 12 }", 0), ("Shop: { Color: blue }", "Home: { Color: blue }", 0),
            ("Shop: { Color: blue }", "Shop: { Color: blue }", 1),
            ("Shop: { Color: blue, Size: 12 }", "Shop: { Size: 13, Color: pink }", 2),
            ("Shop: { Layout: { columns: 2 } }", "Shop: { Layout: { padding: { top: 9 } } }", 0),
            ("Shop: { Layout: { columns: 2 } }", "Shop: { Layout: { columns: 3, sticky: true } }", 1),
            ("Shop: { Layout: { padding: { top: 9 } } }", "Shop: { Layout: { padding: { bottom: 9 } } }", 0),
            ("Shop: { Layout: { padding: { top: 9 } } }", "Shop: { Layout: { padding: { left: 1, top: 7 } } }", 1),
            ("Shop: { Layout: { padding: { top: 9 } } }", "Shop: { Layout: { padding: null } }", 1),
            ("Shop: { Layout: { padding: { top: 9 } } }", "Shop: { Layout: { padding: {} } }", 1),
            ("Shop: { Layout: { padding: { top: 9 } } }", "Shop: { Layout: {} }", 1),
            ("Shop: { Layout: { a.b: 9 } }", "Shop: { Layout: { a: { b: 9 } } }", 0),
            ("Shop: { Layout: { \"\\u00E9\": 9 } }", "Shop: { Layout: { \"e\\u0301\": 8 } }", 0),
            ("Shop: {}", "Shop: { Color: blue }", 0),
        ])
    func sameSettingOrMember(first: String, second: String, count: Int) {
        for (one, other) in [(first, second), (second, first)] {
            let files = Files.base + ["a.yaml": Self.setting(one), "b.yaml": Self.setting(other)]
            #expect(ConflictPair.conflicts(in: files).count == count)
        }
    }

    @Test("An error in one variant does not hide a conflict")
    func aVariantsOwnFaultHidesNoConflict() {
        let files = Files.base + ["a.yaml": experiment("owner: 5"), "b.yaml": experiment("forced: { u: none }")]
        #expect(ConflictPair.conflicts(in: files).count == 1)
    }
}
