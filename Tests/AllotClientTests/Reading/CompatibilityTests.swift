import AllotConfiguration
import Foundation
import TestSupport
import Testing

@testable import AllotClient

struct CompatibilityTests {
    @Test("MSActiveConfig's getters convert as in its own cases")
    func activeConfigCases() throws {
        let cases = try Conformance.cases("msactiveconfig/section_getter_cases.json")
        #expect(cases.count == 13)
        for members in cases {
            let section = Configuration.holding(try #require(members["value"])).activeConfig
            for member in members.members where member.key != "value" {
                let answer: JSONValue? =
                    switch member.key {
                    case "string": section.string("v").json
                    case "array": section.array("v").json
                    case "dictionary": section.dictionary("v").json
                    case "stringArray": section.stringArray("v").json
                    case "url": section.url("v").json
                    case "integer": section.integer("v").json
                    case "float": section.float("v").json
                    case "double": section.double("v").json
                    case "bool": section.bool("v").json
                    default: nil
                    }
                #expect(try #require(answer).isEquivalent(to: member.value), "\(member.key) of \(members)")
            }
        }
    }

    @Test("MSActiveConfig's getters return zeros for absent settings and null")
    func activeConfigOfNothing() {
        for (section, setting) in [(Configuration.holding(1), "x"), (Configuration.holding(.null), "v")] {
            let section = section.activeConfig
            #expect(section.string(setting) == nil)
            #expect(section.array(setting) == nil)
            #expect(section.dictionary(setting) == nil)
            #expect(section.stringArray(setting) == nil)
            #expect(section.url(setting) == nil)
            #expect(section.integer(setting) == 0)
            #expect(section.float(setting) == 0)
            #expect(section.double(setting) == 0)
            #expect(!section.bool(setting))
        }
        #expect(Configuration.holding("http://a/b c").activeConfig.url("v")?.absoluteString == "http://a/b%20c")
    }

    @Test(
        "A text reads as the whole number at its beginning, and a number without its fraction",
        arguments: [
            (#""45""#, 45), (#"" \t\n45 items""#, 45), (#""-7.9""#, -7), (#""+8""#, 8), (#""abc""#, 0), (#""""#, 0),
            (#""- 1""#, 0), (#""0x10""#, 0), (#""99999999999999999999""#, .max), (#""-99999999999999999999""#, .min),
            (#""9223372036854775807""#, .max), ("10.9", 10), ("-10.9", -10), ("4294967296", 4_294_967_296),
            ("9223372036854775807", .max), ("1e400", .max), ("-1e19", .min), ("1e-400", 0),
            ("9007199254740993", 9_007_199_254_740_993),
        ] as [(String, Int)])
    func integers(_ json: String, _ expected: Int) throws {
        let value = try JSONValue(parsing: Array(json.utf8))
        #expect(Configuration.holding(value).activeConfig.integer("v") == expected)
    }

    @Test(
        "A text reads as the number at its beginning",
        arguments: [
            ("1.5", 1.5), (" -1.5e2x", -150), ("1e", 1), (".5", 0.5), ("5.", 5), (".", 0), ("e5", 0), ("", 0),
            ("+3", 3),
            ("abc", 0), ("inf", 0), ("1e999", .infinity),
        ] as [(String, Double)])
    func leadingNumbers(_ text: String, _ expected: Double) {
        #expect(Configuration.holding(.string(text)).activeConfig.double("v") == expected)
    }

    /// Foundation on Linux is asked as well: it agrees.
    @Test(
        "A text reads as a boolean as in NSString",
        arguments: [
            ("YES", true), ("y", true), ("T", true), ("9", true), ("00001", true), (" 1", true), ("-3", true),
            ("on", false), ("0x1", false), ("abc", false), ("", false), ("0", false), ("no", false), ("false", false),
            ("  +007", true), ("--1", false),
        ])
    func booleansOfTexts(_ text: String, _ expected: Bool) {
        #expect(Configuration.holding(.string(text)).activeConfig.bool("v") == expected)
        #expect(NSString(string: text).boolValue == expected)
    }

    @Test("A number reads as true unless it is zero")
    func booleansOfNumbers() {
        #expect(Configuration.holding(2).activeConfig.bool("v"))
        #expect(!Configuration.holding(0.0).activeConfig.bool("v"))
        #expect(Configuration.holding(true).activeConfig.double("v") == 1)
        // As Apple documents it; Foundation on Linux looks for letters in front of zeros only.
        #expect(Configuration.holding("+0t").activeConfig.bool("v"))
    }

    @Test("Flurry's getters convert as documented by Flurry")
    func flurryCases() throws {
        let cases = try Conformance.cases("flurry/conversion_cases.json")
        #expect(cases.count == 16)
        for members in cases {
            let stored = try #require(members["stored"])
            let section = stored == .null ? Configuration.holding(0) : Configuration.holding(stored)
            let setting = stored == .null ? "absent" : "v"
            let fallback = members["default"]
            if let expected = members["string"] {
                let answer = section.flurry().string(setting) ?? fallback?.text
                #expect(answer.json == expected)
            }
            if let expected = members["number"] {
                let answer = section.flurry().number(setting) ?? fallback?.double
                #expect(answer.json == expected)
            }
            let own = fallback?.boolean ?? false
            if let expected = members["boolIosDoc"] ?? members["bool"] {
                #expect(section.flurry().bool(setting, default: own).json == expected)
            }
            // The plain answer to "1" is that of the page for iOS: the others name the words that are true.
            let plain = stored == "1" ? nil : members["bool"]
            if let expected = members["boolHeader"] ?? plain {
                #expect(section.flurry(booleans: .header).bool(setting, default: own).json == expected)
            }
            if let expected = members["boolAndroid"] ?? plain {
                #expect(section.flurry(booleans: .android).bool(setting, default: own).json == expected)
            }
        }
    }

    @Test("Flurry's getters read other types as texts or as absent")
    func flurryOfOtherTypes() {
        let values: JSONObject = ["yes": true, "no": false, "zero": 0, "n": 1.50, "t": "x", "a": []]
        let configuration = Configuration.sample(values)
        let flurry = configuration.flurry("S")
        #expect(flurry.bool("yes", default: false))
        #expect(!flurry.bool("no", default: true))
        #expect(!flurry.bool("zero", default: true))
        #expect(flurry.bool("a", default: true))
        #expect(flurry.string("n") == "1.5")
        #expect(flurry.string("yes", default: "") == "true")
        #expect(flurry.string("a", default: "d") == "d")
        #expect(flurry.number("t", default: 7) == 7)
        #expect(!configuration.flurry("S", booleans: .header).bool("n", default: true))
        #expect(!configuration.flurry("S", booleans: .android).bool("t", default: true))
    }

    @Test("A section that does not exist has defaults, and no values")
    func absentSections() {
        let configuration = Configuration.sample(["v": true])
        #expect(configuration.flurry("S").bool("v", default: false))
        #expect(configuration.activeConfig("S").bool("v"))
        #expect(configuration.flurry("T").bool("v", default: true))
        #expect(configuration.flurry("T").string("v", default: "d") == "d")
        #expect(configuration.activeConfig("T").integer("v") == 0)
        #expect(configuration.activeConfig("T").string("v") == nil)
    }
}
