import AllotConfiguration
import Configuration
import ConfigurationAllot
import Foundation
import Testing

@testable import AllotClient

struct ProviderConversionTests {
    struct Conversion: Sendable, CustomTestStringConvertible {
        let json: String
        let type: ConfigType
        /// The content, or the end of the message that says why there is none.
        let expected: Expectation

        enum Expectation: Sendable {
            case content(ConfigContent)
            case found(String)
        }

        init(_ json: String, _ type: ConfigType, _ content: ConfigContent) {
            self.json = json
            self.type = type
            expected = .content(content)
        }

        init(_ json: String, _ type: ConfigType, found: String) {
            self.json = json
            self.type = type
            expected = .found(found)
        }

        var testDescription: String { "\(json) as \(type)" }
    }

    static let conversions = [
        Conversion(#""a""#, .string, "a"),
        Conversion(#"{"__type":"Date","iso":"2011-08-21T18:02:52.249Z"}"#, .string, "2011-08-21T18:02:52.249Z"),
        Conversion("1", .string, found: "expected a string, found a number"),
        Conversion(#"{"iso":"x"}"#, .string, found: "found an object"),
        Conversion(#"{"__type":"Date","iso":1}"#, .string, found: "found an object"),
        Conversion("42", .int, 42),
        Conversion("42.0", .int, 42),
        Conversion("-4.2e1", .int, -42),
        Conversion("-0.0", .int, 0),
        Conversion("9223372036854775807", .int, .int(.max)),
        Conversion("-9223372036854775808", .int, .int(.min)),
        Conversion("-9.223372036854775808e18", .int, .int(.min)),
        Conversion("9223372036854775808", .int, found: "found a whole number beyond an int's range"),
        Conversion("9.223372036854775808e18", .int, found: "found a whole number beyond an int's range"),
        Conversion("1e999999999999", .int, found: "found a whole number beyond an int's range"),
        Conversion("0e999999999999", .int, 0),
        Conversion("42.5", .int, found: "expected an int, found a number with a fraction"),
        Conversion(#""42""#, .int, found: "expected an int, found a string"),
        Conversion("true", .int, found: "expected an int, found a boolean"),
        Conversion("42", .double, 42.0),
        Conversion("0.1", .double, 0.1),
        Conversion("1e400", .double, found: "expected a double, found a number beyond a double's range"),
        Conversion("true", .double, found: "found a boolean"),
        Conversion("false", .bool, false),
        Conversion("1", .bool, found: "expected a bool, found a number"),
        Conversion(#""true""#, .bool, found: "expected a bool, found a string"),
        Conversion(#""AP8=""#, .bytes, .bytes([0, 255])),
        Conversion(#""""#, .bytes, .bytes([])),
        Conversion(#"{"__type":"Bytes","base64":"AP8="}"#, .bytes, .bytes([0, 255])),
        Conversion(#""AP8""#, .bytes, found: "expected bytes as base64, found a string that is not base64"),
        Conversion(#"{"__type":"Bytes","base64":"%"}"#, .bytes, found: "found a string that is not base64"),
        Conversion("[1]", .bytes, found: "expected bytes as base64, found an array"),
        Conversion(
            #"["a",{"__type":"Date","iso":"2011-08-21T18:02:52.249Z"}]"#, .stringArray,
            .stringArray(["a", "2011-08-21T18:02:52.249Z"])),
        Conversion("[1,2.0,3e0]", .intArray, .intArray([1, 2, 3])),
        Conversion("[1,0.5]", .doubleArray, .doubleArray([1, 0.5])),
        Conversion("[true]", .boolArray, .boolArray([true])),
        Conversion(
            #"["AP8=",{"__type":"Bytes","base64":"AA=="}]"#, .byteChunkArray, .byteChunkArray([[0, 255], [0]])),
        Conversion("[]", .stringArray, .stringArray([])),
        Conversion("[]", .intArray, .intArray([])),
        Conversion("[]", .doubleArray, .doubleArray([])),
        Conversion("[]", .boolArray, .boolArray([])),
        Conversion("[]", .byteChunkArray, .byteChunkArray([])),
        Conversion(#"["a",1]"#, .stringArray, found: "expected an array of strings, found a number at index 1"),
        Conversion("[1,null]", .intArray, found: "expected an array of ints, found null at index 1"),
        Conversion(#"["a"]"#, .doubleArray, found: "expected an array of doubles, found a string at index 0"),
        Conversion("[[]]", .boolArray, found: "expected an array of bools, found an array at index 0"),
        Conversion(#"["a"]"#, .byteChunkArray, found: "found a string that is not base64 at index 0"),
        Conversion(#""a""#, .stringArray, found: "expected an array of strings, found a string"),
        Conversion("[]", .string, found: "expected a string, found an array"),
    ]

    @Test("Values convert exactly, or the error names the type that was found", arguments: conversions)
    func convertsExactlyOrSaysWhatItFound(_ conversion: Conversion) throws {
        let fixture = ProviderFixture(["S": ["a": try JSONValue(parsing: Array(conversion.json.utf8))]])
        switch conversion.expected {
        case .content(let content):
            #expect(try fixture.content("S", "a", as: conversion.type) == content)
        case .found(let text):
            let error = #expect(throws: AllotProviderError.self) { try fixture.content("S", "a", as: conversion.type) }
            let message = try #require(error).description
            #expect(message.hasPrefix(#""/S/a": expected "#))
            #expect(message.contains("\(text);"))
        }
    }

    @Test("A date of Parse is a date for the reader")
    func aParseDateIsADateOfTheReader() throws {
        let fixture = ProviderFixture(["S": ["until": ["__type": "Date", "iso": "2011-08-21T18:02:52Z"]]])
        let reader = ConfigReader(provider: fixture.provider)
        #expect(reader.string(forKey: "S.until", as: Date.self)?.timeIntervalSince1970 == 1_313_949_772)
    }
}
