import AllotConfiguration
import Foundation
import TestSupport
import Testing

@testable import AllotClient

struct RichTypeTests {
    @Test("Parse's objects are read as Swift types")
    func shapesOfParse() throws {
        guard case .object(let shapes) = try Conformance.json("parse/type_encodings.json") else {
            Issue.record("the file holds no object")
            return
        }
        let date = try Date(json: try #require(shapes["Date"]))
        #expect(date == Date(timeIntervalSince1970: 1_313_949_772.249))
        #expect(date.json == shapes["Date"])
        let bytes = try Data(json: try #require(shapes["Bytes"]))
        #expect(String(decoding: bytes, as: UTF8.self) == "This is an encoded string")
        #expect(bytes.json == shapes["Bytes"])
        let file = try FileReference(json: try #require(shapes["File"]))
        #expect(file.name == "name")
        #expect(file.url.absoluteString == "http://url")
        #expect(file.json == shapes["File"])
        let point = try GeoPoint(json: try #require(shapes["GeoPoint"]))
        #expect(point.latitude == 10)
        #expect(point.longitude == -20)
        #expect(point.json == shapes["GeoPoint"])
        for name in ["Polygon", "Pointer", "Relation"] {
            let value = try #require(shapes[name])
            #expect(try JSONObject(json: value).json == value)
            #expect((try? Date(json: value)) == nil)
            #expect((try? FileReference(json: value)) == nil)
            #expect((try? GeoPoint(json: value)) == nil)
            #expect((try? Data(json: value)) == nil)
            #expect((try? URL(json: value)) == nil)
        }
    }

    @Test(
        "Dates are instants with their fraction and offset, also as Parse's objects",
        arguments: [
            ("2011-08-21T18:02:52.5Z", 1_313_949_772.5), ("2011-08-21T12:32:52-05:30", 1_313_949_772),
            ("1969-12-31T23:59:59.750Z", -0.25), ("0000-01-01T00:00:00Z", -62_167_219_200),
            ("2011-08-21 18:02:52+00", 1_313_949_772), ("2011-08-21T18:02:52", nil), ("2026-02-30T00:00:00Z", nil),
            ("", nil),
        ] as [(String, Double?)])
    func instants(_ text: String, _ seconds: Double?) {
        let expected = seconds.map { Date(timeIntervalSince1970: $0) }
        #expect((try? Date(json: .string(text))) == expected)
        #expect((try? Date(json: ["__type": "Date", "iso": .string(text)])) == expected)
    }

    @Test("Dates are written in UTC, rounded to the millisecond")
    func writtenInstants() {
        #expect(ISO8601Date.text(Date(timeIntervalSince1970: 0.9996)) == "1970-01-01T00:00:01.000Z")
        #expect(ISO8601Date.text(Date(timeIntervalSince1970: -0.001)) == "1969-12-31T23:59:59.999Z")
        #expect(Date(timeIntervalSince1970: 1e15).json == .null)
        #expect(Date(timeIntervalSince1970: .nan).json == .null)
        #expect(Date(timeIntervalSince1970: -.infinity).json == .null)
        #expect((try? Date(json: 1_313_949_772)) == nil)
    }

    @Test("Errors in Parse's objects have the path of the member")
    func objectsSayWhereTheyAreWrong() {
        func message<Value: SettingValue>(_ json: JSONValue, _: Value.Type) -> String {
            do throws(SettingValueError) {
                return "\(try Value(json: json))"
            } catch {
                return "\(error)"
            }
        }
        let instant = "expected an instant such as 2026-11-21T12:00:00Z, found"
        #expect(message(["__type": "Date", "iso": "today"], Date.self) == ".iso: \(instant) the text \"today\"")
        #expect(message(["__type": "Date"], Date.self) == ".iso: \(instant) nothing")
        #expect(message(["__type": "Bytes", "iso": "x"], Date.self) == "\(instant) an object of 2")
        #expect(
            message(["__type": "Bytes", "base64": 1], Data.self)
                == ".base64: expected bytes as text in Base64, found the number 1")
        #expect(message("?", Data.self) == "expected bytes as text in Base64, found the text \"?\"")
    }

    @Test(
        "Decimals keep up to 38 digits",
        arguments: ["1e127", "1e-128", "12345678901234567890123456789012345678e127", "1e128", "1e-129", "0e500"])
    func decimals(text: String) throws {
        let json = JSONValue.number(try #require(JSONNumber(text)))
        let isTaken = !["1e128", "1e-129", "0e500"].contains(text)
        #expect(((try? Foundation.Decimal(json: json)) != nil) == isTaken)
        guard !isTaken else { return }
        #expect {
            try Foundation.Decimal(json: json)
        } throws: {
            "\($0)"
                == "expected a number whose last digit stands for 10^-128 to 10^127, found the number \(text)"
        }
    }

    @Test("Places must be in range")
    func places() {
        #expect(GeoPoint(latitude: 90.1, longitude: 0) == nil)
        #expect(GeoPoint(latitude: 0, longitude: -180.1) == nil)
        #expect(GeoPoint(latitude: .nan, longitude: 0) == nil)
        #expect {
            try GeoPoint(json: ["__type": "GeoPoint", "latitude": 91, "longitude": 0])
        } throws: {
            "\($0)" == ".latitude: expected degrees from -90 to 90, found the number 91"
        }
        #expect {
            try GeoPoint(json: ["__type": "GeoPoint", "latitude": 1])
        } throws: {
            "\($0)" == ".longitude: expected degrees from -180 to 180, found nothing"
        }
        #expect((try? GeoPoint(json: ["latitude": 1, "longitude": 2])) == nil)
        #expect((try? GeoPoint(json: ["__type": "Point", "latitude": 1, "longitude": 2])) == nil)
    }

    @Test("Files must have a name and a URL")
    func files() throws {
        let file: JSONValue = ["__type": "File", "name": "a.png", "url": "https://example.com/a b.png"]
        #expect {
            try FileReference(json: file)
        } throws: {
            "\($0)".hasPrefix(".url: expected a URL such as https://example.com/, found the text")
        }
        #expect(throws: SettingValueError.self) { try FileReference(json: ["__type": "File", "name": "a"]) }
        #expect((try? Data(json: "not base64!")) == nil)
        #expect((try? Data(json: "AP8B")) == Data([0, 255, 1]))
    }

    @Test("Values convert back to JSON")
    func backToJSON() throws {
        func isKept<Value: SettingValue & Equatable>(_ value: Value) throws {
            #expect(try Value(json: value.json) == value)
        }
        try isKept(Foundation.Decimal(string: "12.50"))
        try isKept(URL(string: "https://example.com/a%20b?c=d#e"))
        try isKept(Data([0, 255, 1]))
        try isKept(Date(timeIntervalSince1970: 1_795_258_800.125))
        try isKept(GeoPoint(latitude: -90, longitude: 180))
    }

    @Test("Decimals keep the digits of a number")
    func decimalDigits() throws {
        let number = try #require(JSONNumber("0.12345678901234567890123456789"))
        let expected = Foundation.Decimal(string: "0.12345678901234567890123456789")
        #expect(try Foundation.Decimal(json: .number(number)) == expected)
        #expect((try? Foundation.Decimal(json: "1")) == nil)
    }
}
