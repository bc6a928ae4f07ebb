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
        let file = try ConfigurationFile(json: try #require(shapes["File"]))
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
            #expect((try? ConfigurationFile(json: value)) == nil)
            #expect((try? GeoPoint(json: value)) == nil)
            #expect((try? Data(json: value)) == nil)
            #expect((try? URL(json: value)) == nil)
        }
    }

    @Test(
        "Dates are instants with their fraction and offset, also as Parse's objects",
        arguments: [
            ("2011-08-21T12:32:52.5-05:30", 1_313_949_772.5), ("1969-12-31T23:59:59.750Z", -0.25), ("", nil),
        ] as [(String, Double?)])
    func instants(_ text: String, _ seconds: Double?) {
        let expected = seconds.map { Date(timeIntervalSince1970: $0) }
        #expect((try? Date(json: .string(text))) == expected)
        #expect((try? Date(json: ["__type": "Date", "iso": .string(text)])) == expected)
    }

    @Test(
        "A day begins at midnight in UTC",
        arguments: [("2026-11-21", 1_795_219_200), ("2026-02-29", nil), ("2026-11-2", nil), ("2026-11-21T", nil)]
            as [(String, Double?)])
    func days(_ text: String, _ seconds: Double?) {
        #expect((try? Date(json: .string(text)))?.timeIntervalSince1970 == seconds)
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

    @Test("Errors in values of rich types have the path of the member")
    func objectsSayWhereTheyAreWrong() {
        func message<Value: SettingValue>(_ json: JSONValue, _: Value.Type) -> String {
            do throws(SettingValueError) {
                return "\(try Value(json: json))"
            } catch { return "\(error)" }
        }
        let point: JSONObject = ["__type": "GeoPoint", "latitude": 1]
        var far = point
        far["latitude"] = 91
        let messages = [
            message(["__type": "Date", "iso": "today"], Date.self), message(["__type": "Date"], Date.self),
            message(["__type": "Bytes", "iso": "x"], Date.self),
            message(["__type": "Bytes", "base64": 1], Data.self), message("?", Data.self),
            message(.object(far), GeoPoint.self), message(.object(point), GeoPoint.self),
        ]
        #expect(
            messages.joined(separator: "\n") == """
                .iso: expected an instant such as 2026-11-21T12:00:00Z, or a day, found the text "today"
                .iso: expected an instant such as 2026-11-21T12:00:00Z, or a day, found nothing
                expected an instant such as 2026-11-21T12:00:00Z, or a day, found an object of 2
                .base64: expected bytes as text in Base64, found the number 1
                expected bytes as text in Base64, found the text "?"
                .latitude: expected degrees from -90 to 90, found the number 91
                .longitude: expected degrees from -180 to 180, found nothing
                """)
        let file = message(["__type": "File", "name": "a", "url": "https://example.com/a b"], ConfigurationFile.self)
        #expect(file.hasPrefix(".url: expected a URL such as https://example.com/, found the text"))
        #expect((try? ConfigurationFile(json: ["__type": "File", "name": "a"])) == nil)
        #expect((try? Data(json: "not base64!")) == nil)
        #expect((try? Data(json: "AP8B")) == Data([0, 255, 1]))
    }

    @Test(
        "Decimals keep up to 38 digits",
        arguments: ["1e127", "1e-128", "12345678901234567890123456789012345678e127", "1e128", "1e-129", "0e500"])
    func decimals(text: String) throws {
        let json = JSONValue.number(try #require(JSONNumber(text)))
        let isTaken = !["1e128", "1e-129", "0e500"].contains(text)
        #expect(((try? Foundation.Decimal(json: json)) != nil) == isTaken)
        guard !isTaken else { return }
        #expect { try Foundation.Decimal(json: json) } throws: {
            "\($0)"
                == "expected a number whose last digit stands for 10^-128 to 10^127, found the number \(text)"
        }
    }

    @Test("Places must be in range, and have their type")
    func places() {
        #expect(GeoPoint(latitude: 90.1, longitude: 0) == nil)
        #expect(GeoPoint(latitude: 0, longitude: -180.1) == nil)
        #expect(GeoPoint(latitude: .nan, longitude: 0) == nil)
        #expect((try? GeoPoint(json: ["latitude": 1, "longitude": 2])) == nil)
        #expect((try? GeoPoint(json: ["__type": "Point", "latitude": 1, "longitude": 2])) == nil)
    }

    @Test("Decimals and URLs keep each digit and letter")
    func decimalDigits() throws {
        let number = try #require(JSONNumber("0.12345678901234567890123456789"))
        let parsed = Foundation.Decimal(string: "0.12345678901234567890123456789")
        let expected = try #require(parsed)
        #expect(try Foundation.Decimal(json: .number(number)) == expected)
        #expect(try Foundation.Decimal(json: expected.json) == expected)
        #expect((try? Foundation.Decimal(json: "1")) == nil)
        let url = try #require(URL(string: "https://example.com/a%20b?c=d#e"))
        #expect(try URL(json: url.json) == url)
    }
}
