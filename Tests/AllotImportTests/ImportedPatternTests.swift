import AllotConfiguration
import AllotCore
import Testing

@testable import AllotImport

struct ImportedPatternTests {
    @Test(
        "What differs between Rust's patterns and RE2's is written out",
        arguments: [
            ("\\d", "٣", true), ("\\d", "x", false), ("^\\w+$", "é日_", true), ("^\\w+$", "a b", false),
            ("\\s", "\u{2003}", true), ("[\\s\\d]", "\u{A0}", true), ("(?i)straße", "STRAẞE", true),
            ("a{2,3}$", "baa", true), ("^[^-\\]a]+$", "xyz", true), ("\\x41\\u{42}", "AB", true),
            ("a\\.b", "a.b", true), ("", "anything", true),
        ])
    func meaning(pattern: String, text: String, isFound: Bool) throws {
        #expect(try ImportedPattern(pattern, .rust).matches(text) == isFound)
    }

    @Test(
        "Patterns without anything special become tests of parts",
        arguments: [
            ("@example\\.com", ["$contains": "@example.com"]), (".*@a", ["$contains": "@a"]),
            ("^ab", ["$startsWith": "ab"]), ("ab$", ["$endsWith": "ab"]), ("^ab$", ["$eq": "ab"]),
            ("(?i)ab", ["$regex": "(?i)ab"]), ("^$", ["$regex": "^$"]), ("a\\d", ["$regex": "a[\\p{Nd}]"]),
        ] as [(String, JSONObject)])
    func plain(pattern: String, test: JSONObject) throws {
        #expect(try ImportedPattern(pattern, .rust).operators == test)
    }

    @Test(
        "Patterns that RE2 cannot have are refused",
        arguments: [
            "(?=a)", "(?<!a)b", "(a)\\1", "[a-z&&[^b]]", "a\\bc", "(", "[", "a**", "(?x) a", "\\", "*a", "{1}", "a{,2}",
            "\\bfoo", "\\p{Han}", "[[:alpha:]]", "a(?i)b", "(?i:a)", "(a*)*", "a\\<",
        ])
    func refused(pattern: String) {
        #expect(throws: PortablePattern.Refusal.self) { try ImportedPattern(pattern, .rust) }
    }

    @Test(
        "It is known which patterns can match numbers",
        arguments: [
            ("@a", ImportedPattern.Numbers.none), ("^\\d+$", .some), ("1\\.2\\.", .none), (".*", .all), ("^.+$", .all),
            ("[a-z]", .none), ("a|1", .some), ("^$", .some), (".+", .all), ("", .all), ("^.$", .some), ("\\w@", .none),
        ])
    func numbers(pattern: String, numbers: ImportedPattern.Numbers) throws {
        #expect(try ImportedPattern(pattern, .rust).numbers == numbers)
    }

    @Test("Numbers are read and written as Rust does")
    func rustNumbers() {
        for text in ["5", "+5", ".5", "5.", "-1e3", "05"] { #expect(RustNumber.number(of: text) != nil, "\(text)") }
        for text in ["", ".", "1e", "0x5", " 5", "1_0", "inf", "nan"] {
            #expect(RustNumber.number(of: text) == nil, "\(text)")
        }
        for text in ["5", "0.1", "-2.5", "10000000000"] {
            #expect(RustNumber.number(writtenAs: text) != nil, "\(text)")
        }
        for text in ["5.0", "05", "1e3", "-0", "0.10", "9007199254740993"] {
            #expect(RustNumber.number(writtenAs: text) == nil, "\(text)")
        }
    }

    @Test(
        "Versions are compared as Optimizely compares them",
        arguments: [
            ("2.0", "2.0.5", VersionOrder.equal), ("2.0", "2", .less), ("2.0.0", "02.0.0", .equal),
            ("2.0.0", "2.0.0-rc", .less), ("2.0.0", "2.0.0+5", .equal), ("2.0.0", "10.0", .greater),
            ("2.0.0-beta", "2.0.0", .greater), ("2.0.0-beta", "2.0.0-alpha", .less),
            ("2.0.0-beta", "2.0.0-beta", .equal), ("2.0.0-beta", "2.0.0-betaa", .greater), ("1.19", "1.2", .less),
            ("0", "0.9", .equal), ("9.9.9", "10", .greater),
        ])
    func optimizelyVersions(literal: String, text: String, order: VersionOrder) throws {
        let version = try #require(OptimizelyVersion(literal))
        for other in VersionOrder.allCases {
            let matches = try version.patterns([other]).contains { pattern in
                try RegularExpression(pattern, ignoresCase: false).matches(text)
            }
            #expect(matches == (other == order), "\(text) and \(literal): \(other)")
        }
    }
}
