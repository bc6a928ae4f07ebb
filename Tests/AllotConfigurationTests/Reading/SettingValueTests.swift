import AllotConfiguration
import TestSupport
import Testing

struct SettingValueTests {
    private func number(_ text: String) throws -> JSONValue { .number(try #require(JSONNumber(text))) }

    @Test(
        "Whole numbers are read exactly, however they are written",
        arguments: [
            ("10", 10), ("10.0", 10), ("1e1", 10), ("100e-1", 10), ("-0", 0), ("0e999999999999", 0), ("10.5", nil),
            ("1e-1", nil), ("9223372036854775807", .max), ("9223372036854775807.0", .max),
            ("922337203685477580.7e1", .max),
            ("9223372036854775808", nil), ("9223372036854775808.0", nil), ("-9223372036854775808", .min),
            ("-9223372036854775808.00", .min), ("-9223372036854775809", nil), ("1e999999999999", nil), ("-1e400", nil),
            ("9007199254740993", 9_007_199_254_740_993), ("9007199254740993.0", 9_007_199_254_740_993),
        ] as [(String, Int?)])
    func wholeNumbers(_ text: String, _ expected: Int?) throws {
        #expect((try? Int(json: try number(text))) == expected)
        #expect(try number(text).integer == expected)
        #expect((try? Int(json: .string(text))) == nil)
    }

    @Test("Integers are limited to the range of their type")
    func otherWidths() throws {
        #expect((try? UInt8(json: 255)) == 255)
        #expect((try? UInt8(json: -1)) == nil)
        #expect(try Int8(json: try number("-128.0")) == -128)
        #expect((try? Int8(json: try number("128.0"))) == nil)
        #expect((try? UInt8(json: try number("-1.0"))) == nil)
        #expect(try UInt64(json: try number("-0.0")) == 0)
        #expect(try UInt64(json: try number("18446744073709551615")) == .max)
        #expect((try? Int32(json: try number("2147483648"))) == nil)
        #expect(try UInt128(json: try number("340282366920938463463374607431768211455.0")) == .max)
        #expect { try UInt8(json: 300) } throws: {
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
                #expect(try number(text).integer == value)
            }
            #expect((try? Int16(json: try number("\(value).0"))) == Int16(exactly: value))
            #expect((try? UInt32(json: try number("\(value)e0"))) == UInt32(exactly: value))
        }
    }

    @Test("Floating point numbers are rounded to the nearest value")
    func fractions() throws {
        #expect(try number("0.1").double == 0.1)
        #expect(try number("1e309").double == nil)
        #expect(try number("1e-400").double == 0)
        #expect((try? Double(json: "1.5")) == nil)
        // Between two floats; by way of a double it would be rounded twice, to the upper.
        #expect(try Float(json: try number("1.00000005960464477540")) == 1.0000001)
        #expect((try? Float(json: try number("1e39"))) == nil)
    }

    @Test("Collections are converted as a whole or not at all")
    func collections() throws {
        #expect(try [Int](json: [1, 3.0]) == [1, 3])
        #expect((try? [Int](json: [1, "2"])) == nil)
        #expect((try? [Int](json: 1)) == nil)
        #expect(try [Int?](json: [1, .null]) == [1, nil])
        #expect(try [String: [Bool]](json: ["a": [true, false]]) == ["a": [true, false]])
        #expect { try [String: [Int]](json: ["a": [1, 2], "b": [1, "x"]]) } throws: {
            "\($0)" == ".b[1]: expected a whole number, found the text \"x\""
        }
        // Two names for JSON, one for Swift.
        let twins: JSONValue = ["\u{E9}": 1, "e\u{301}": 2]
        #expect((try? [String: Int](json: twins)) == nil)
        #expect(try JSONObject(json: twins).members.count == 2)
    }

    private enum Name: String, SettingValue { case accent = "\u{E9}" }

    /// Enumerations have the bytes of their raw values.
    @Test("Enumerations are read by their raw values")
    func enumerations() throws {
        #expect(try Name(json: "\u{E9}") == .accent)
        #expect((try? Name(json: "e\u{301}")) == nil)
        #expect(Name.accent.json == "\u{E9}")
    }

    @Test("Values convert back to JSON")
    func backToJSON() throws {
        func isKept<Value: SettingValue & Equatable>(_ value: Value) throws {
            #expect(try Value(json: value.json) == value)
        }
        try isKept(Int.min)
        try isKept(UInt64.max)
        try isKept(0.1)
        try isKept(1e300)
        try isKept(Double.leastNonzeroMagnitude)
        try isKept(Float(0.1))
        try isKept(Float.greatestFiniteMagnitude)
        try isKept(["a": [1, nil]] as [String: [Int?]])
        #expect(Float(0.1).json.canonicalText == "0.1")
        #expect(Double.infinity.json == .null)
        #expect(Float.nan.json == .null)
    }
}
