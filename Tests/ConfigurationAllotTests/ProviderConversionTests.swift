import AllotConfiguration
import Configuration
import ConfigurationAllot
import Testing

@testable import AllotClient

struct ProviderConversionTests {
    @Test(
        "Values convert exactly",
        arguments: [
            (#""a""#, .string, "a"),
            (#"{"__type":"Date","iso":"2011-08-21T18:02:52.249Z"}"#, .string, "2011-08-21T18:02:52.249Z"),
            ("42", .int, 42), ("42.0", .int, 42), ("-4.2e1", .int, -42), ("-0.0", .int, 0),
            ("9223372036854775807", .int, .int(.max)), ("-9223372036854775808", .int, .int(.min)),
            ("-9.223372036854775808e18", .int, .int(.min)), ("0e999999999999", .int, 0), ("42", .double, 42.0),
            ("0.1", .double, 0.1), ("false", .bool, false), (#""AP8=""#, .bytes, .bytes([0, 255])),
            (#""""#, .bytes, .bytes([])), (#"{"__type":"Bytes","base64":"AP8="}"#, .bytes, .bytes([0, 255])),
            (
                #"["a",{"__type":"Date","iso":"2011-08-21T18:02:52.249Z"}]"#, .stringArray,
                .stringArray(["a", "2011-08-21T18:02:52.249Z"])
            ),
            ("[1,2.0,3e0]", .intArray, .intArray([1, 2, 3])), ("[1,0.5]", .doubleArray, .doubleArray([1, 0.5])),
            ("[true]", .boolArray, .boolArray([true])),
            (#"["AP8=",{"__type":"Bytes","base64":"AA=="}]"#, .byteChunkArray, .byteChunkArray([[0, 255], [0]])),
            ("[]", .stringArray, .stringArray([])), ("[]", .intArray, .intArray([])),
            ("[]", .doubleArray, .doubleArray([])), ("[]", .boolArray, .boolArray([])),
            ("[]", .byteChunkArray, .byteChunkArray([])),
        ] as [(String, ConfigType, ConfigContent)])
    func convertsExactly(json: String, type: ConfigType, content: ConfigContent) throws {
        let fixture = ProviderFixture(["S": ["a": try JSONValue(parsing: Array(json.utf8))]])
        #expect(try fixture.content("S", "a", as: type) == content)
    }

    @Test(
        "For a value of another type the error names the type that was found",
        arguments: [
            ("1", .string, "expected a string, found a number"), (#"{"iso":"x"}"#, .string, "found an object"),
            (#"{"__type":"Date","iso":1}"#, .string, "found an object"),
            ("9223372036854775808", .int, "found a whole number beyond an int's range"),
            ("9.223372036854775808e18", .int, "found a whole number beyond an int's range"),
            ("1e999999999999", .int, "found a whole number beyond an int's range"),
            ("42.5", .int, "expected an int, found a number with a fraction"),
            (#""42""#, .int, "expected an int, found a string"), ("true", .int, "expected an int, found a boolean"),
            ("1e400", .double, "expected a double, found a number beyond a double's range"),
            ("true", .double, "found a boolean"), ("1", .bool, "expected a bool, found a number"),
            (#""true""#, .bool, "expected a bool, found a string"),
            (#""AP8""#, .bytes, "expected bytes as base64, found a string that is not base64"),
            (#"{"__type":"Bytes","base64":"%"}"#, .bytes, "found a string that is not base64"),
            ("[1]", .bytes, "expected bytes as base64, found an array"),
            (#"["a",1]"#, .stringArray, "expected an array of strings, found a number at index 1"),
            ("[1,null]", .intArray, "expected an array of ints, found null at index 1"),
            (#"["a"]"#, .doubleArray, "expected an array of doubles, found a string at index 0"),
            ("[[]]", .boolArray, "expected an array of bools, found an array at index 0"),
            (#"["a"]"#, .byteChunkArray, "found a string that is not base64 at index 0"),
            (#""a""#, .stringArray, "expected an array of strings, found a string"),
            ("[]", .string, "expected a string, found an array"),
        ] as [(String, ConfigType, String)])
    func saysWhatItFound(json: String, type: ConfigType, found: String) throws {
        let fixture = ProviderFixture(["S": ["a": try JSONValue(parsing: Array(json.utf8))]])
        let error = #expect(throws: AllotProviderError.self) { try fixture.content("S", "a", as: type) }
        let message = try #require(error).description
        #expect(message.hasPrefix(#""/S/a": expected "#))
        #expect(message.contains("\(found);"))
    }
}
