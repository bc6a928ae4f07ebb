import AllotConfiguration
import Foundation
import TestSupport
import Testing

@testable import AllotClient

struct SettingValueTests {
    private func number(_ text: String) throws -> JSONValue {
        .number(try #require(JSONNumber(text)))
    }

    @Test(
        "Whole numbers are read exactly, however they are written",
        arguments: [
            ("10", 10), ("10.0", 10), ("1e1", 10), ("100e-1", 10), ("-0", 0), ("0e999999999999", 0), ("10.5", nil),
            ("1e-1", nil), ("9223372036854775807", .max), ("9223372036854775807.0", .max),
            ("922337203685477580.7e1", .max),
            ("9223372036854775808", nil), ("9223372036854775808.0", nil), ("-9223372036854775808", .min),
            ("-9223372036854775808.00", .min), ("-9223372036854775809", nil), ("1e999999999999", nil), ("-1e400", nil),
            ("9007199254740993.0", 9_007_199_254_740_993),
        ] as [(String, Int?)])
    func wholeNumbers(_ text: String, _ expected: Int?) throws {
        #expect((try? Int(strict: try number(text))) == expected)
        #expect(Int(lenient: try number(text)) == expected)
        #expect(Int(lenient: .string(text)) == expected)
        #expect((try? Int(strict: .string(text))) == nil)
    }

    @Test("Integers are limited to the range of their type")
    func otherWidths() throws {
        #expect(UInt8(lenient: 255) == 255 && UInt8(lenient: 256) == nil && UInt8(lenient: -1) == nil)
        #expect(Int8(lenient: try number("-128.0")) == -128)
        #expect(Int8(lenient: try number("128.0")) == nil)
        #expect(UInt8(lenient: try number("-1.0")) == nil)
        #expect(UInt64(lenient: try number("-0.0")) == 0)
        #expect(UInt64(lenient: try number("18446744073709551615")) == .max)
        #expect(Int32(lenient: try number("2147483648")) == nil)
        #expect(UInt128(lenient: try number("340282366920938463463374607431768211455.0")) == .max)
        #expect {
            try UInt8(strict: 300)
        } throws: {
            "\($0)" == "expected a whole number from 0 to 255, found the number 300"
        }
    }

    /// The exact conversion agrees with that through another writing of the same number.
    @Test("All notations of a number are equal", arguments: 0..<20 as Range<UInt64>)
    func writingsOfOneNumber(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let value = Int.random(in: .min ... .max, using: &generator) >> Int.random(in: 0..<64, using: &generator)
            for text in ["\(value)", "\(value).0", "\(value)e0", "\(value).0e0", "\(value).000E+0"] {
                #expect(Int(lenient: try number(text)) == value)
            }
            #expect(Int16(lenient: try number("\(value).0")) == Int16(exactly: value))
            #expect(UInt32(lenient: try number("\(value)e0")) == UInt32(exactly: value))
        }
    }

    @Test("Floating point numbers are rounded to the nearest value")
    func fractions() throws {
        #expect(Double(lenient: try number("0.1")) == 0.1)
        #expect(Double(lenient: "1.5") == 1.5)
        #expect(Double(lenient: try number("1e309")) == nil)
        #expect(Double(lenient: "abc") == nil)
        #expect(Double(lenient: "inf") == nil && Double(lenient: "nan") == nil && Double(lenient: "0x1p3") == nil)
        #expect(Double(lenient: "") == nil && Double(lenient: " 1") == nil && Double(lenient: true) == nil)
        #expect(Double(lenient: try number("1e-400")) == 0)
        // Between two floats; by way of a double it would be rounded twice, to the upper.
        #expect(Float(lenient: try number("1.00000005960464477540")) == 1.0000001)
        #expect(Float(lenient: try number("1e39")) == nil)
        #expect((try? Double(strict: "1.5")) == nil)
        #expect(
            Foundation.Decimal(lenient: try number("0.12345678901234567890123456789"))
                == Foundation.Decimal(string: "0.12345678901234567890123456789"))
        #expect(Foundation.Decimal(lenient: "x") == nil)
        #expect(Foundation.Decimal(lenient: try number("1e400")) == nil)
    }

    @Test(
        "Booleans are read leniently from a few texts and numbers",
        arguments: [
            (true, true), (1, true), ("true", true), ("TRUE", true), ("yes", true), ("1", true), (false, false),
            (0, false), ("False", false), ("no", false), ("0", false), (1.0, true), (2, nil), ("on", nil), ("t", nil),
            ("", nil), ("tru\u{212A}", nil), (.null, nil), ([true], nil), ("1.0", nil),
        ] as [(JSONValue, Bool?)])
    func booleans(_ value: JSONValue, _ expected: Bool?) {
        #expect(Bool(lenient: value) == expected)
        if case .boolean = value { return }
        #expect((try? Bool(strict: value)) == nil)
    }

    @Test("Collections are converted as a whole or not at all")
    func collections() throws {
        #expect([Int](lenient: [1, "2", 3.0]) == [1, 2, 3])
        #expect([Int](lenient: [1, "x"]) == nil && [Int](lenient: 1) == nil)
        #expect([Int?](lenient: [1, .null]) == [1, nil])
        #expect([String: [Bool]](lenient: ["a": [true, "no"]]) == ["a": [true, false]])
        #expect {
            try [String: [Int]](strict: ["a": [1, 2], "b": [1, "x"]])
        } throws: {
            "\($0)" == ".b[1]: expected a whole number, found the text \"x\""
        }
        // Two names for JSON, one for Swift.
        let twins: JSONValue = ["\u{E9}": 1, "e\u{301}": 2]
        #expect([String: Int](lenient: twins) == nil)
        #expect((try? [String: Int](strict: twins)) == nil)
        #expect(JSONObject(lenient: twins)?.members.count == 2)
    }

    private enum Name: String, SettingValue { case accent = "\u{E9}" }

    /// Enumerations have the bytes of their raw values.
    @Test("Enumerations are read by their raw values")
    func enumerations() {
        #expect(Name(lenient: "\u{E9}") == .accent)
        #expect(Name(lenient: "e\u{301}") == nil)
        #expect((try? Name(strict: "e\u{301}")) == nil)
        #expect(Name.accent.json == "\u{E9}")
    }

    @Test("Values convert back to JSON")
    func backToJSON() throws {
        func isKept<Value: SettingValue & Equatable>(_ value: Value) throws {
            #expect(try Value(strict: value.json) == value)
        }
        try isKept(Int.min)
        try isKept(UInt64.max)
        try isKept(0.1)
        try isKept(1e300)
        try isKept(Double.leastNonzeroMagnitude)
        try isKept(Float(0.1))
        try isKept(Float.greatestFiniteMagnitude)
        try isKept(["a": [1, nil]] as [String: [Int?]])
        try isKept(Foundation.Decimal(string: "12.50"))
        try isKept(URL(string: "https://example.com/a%20b?c=d#e"))
        try isKept(Data([0, 255, 1]))
        try isKept(Date(timeIntervalSince1970: 1_795_258_800.125))
        try isKept(GeoPoint(latitude: -90, longitude: 180))
        #expect(Float(0.1).json.canonicalText == "0.1")
        #expect(Double.infinity.json == .null && Float.nan.json == .null)
    }
}
