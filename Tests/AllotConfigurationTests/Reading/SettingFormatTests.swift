import AllotConfiguration
import Testing

private let digest = String(repeating: "0a", count: 32)
private let emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

private func file(_ changes: JSONObject = [:]) -> JSONValue {
    JSONValue.object([
        "__type": "File", "name": "menu.png", "url": "https://example.com/menu.png", "size": 1024,
        "sha256": .string(digest),
    ]).merging(.object(changes))
}

struct SettingFormatTests {
    @Test(
        "Values of a format have no fault",
        arguments: [
            (.date, "2024-02-29"), (.date, "0001-01-01"), (.dateTime, "2026-11-21T12:00:00.5+01:00"),
            (.dateTime, "2026-11-21t12:00Z"), (.dateTime, "2017-01-01T00:59:60+01:00"),
            (.dateTime, ["__type": "Date", "iso": "2026-11-21T12:00:00.000Z"]),
            (.geoPoint, ["__type": "GeoPoint", "latitude": -90, "longitude": 180.0]), (.file, file()),
            (.file, file(["size": 0, "sha256": .string(emptyDigest)])), (.file, file(["name": "..."])),
            (.file, file(["url": "http://[::1]:8080/a%2Fb?c=d&e"])), (.bytes, ""), (.bytes, "+/8="),
            (.bytes, ["__type": "Bytes", "base64": "aGVsbG8="]),
        ] as [(SettingFormat, JSONValue)])
    func valid(format: SettingFormat, value: JSONValue) {
        #expect(format.fault(of: value) == nil)
        #expect(format.types.contains(value.typeName))
    }

    @Test(
        "A fault says which part of the value is wrong, and what to write",
        arguments: [
            (.date, "2026-02-29", #"is "2026-02-29", which is not a day of the calendar as YYYY-MM-DD; write"#),
            (.date, "2026-2-09", #"is "2026-2-09", which is not a day"#),
            (.date, "2026-11-21T00:00Z", #"is "2026-11-21T00:00Z", which is not a day"#),
            (.date, 20_261_121, #"is 20261121, which does not have the format date; write "2026-11-21""#),
            (.date, .null, "is null, which does not have the format date"),
            (
                .date, ["__type": "Date", "iso": "2026-11-21T12:00:00Z"],
                #"is {"__type":"Date","iso":"2026-11-21T12:00:00Z"}, which does not have the format date"#
            ),
            (.dateTime, "2026-11-21T12:00", #"is "2026-11-21T12:00", which has no offset from UTC; if"#),
            (.dateTime, "2026-11-21", #"is "2026-11-21", which is a day without a time; for"#),
            (.date, "0000-01-01", #"is "0000-01-01", which is not a day of the calendar"#),
            (.dateTime, "0001-01-01T00:00+00:01", #"is "0001-01-01T00:00+00:01", which is in the year 0"#),
            (
                .dateTime, "2026-11-21 12:00Z",
                #"is "2026-11-21 12:00Z", which has a blank between the day and the time; write 2026-11-21T12:00:00Z"#
            ),
            (
                .dateTime, ["__type": "Date", "iso": "2026-01-01T00:00:60Z"],
                #"has the iso "2026-01-01T00:00:60Z", which has a leap second at another time than 23:59:60 in UTC"#
            ),
            (.dateTime, ["__type": "Date", "iso": 5], "has the iso 5, which is not text; write one such as"),
            (.dateTime, ["__type": "Bytes", "iso": "x"], #"has the __type "Bytes"; write "Date" for the format"#),
            (.geoPoint, "52.5, 13.4", #"is "52.5, 13.4", which is text; write {"__type": "GeoPoint""#),
            (
                .geoPoint, ["__type": "GeoPoint", "lattitude": 1, "longitude": 2],
                #"has the unknown member "lattitude"; did you mean "latitude"?"#
            ),
            (.geoPoint, ["latitude": 1, "longitude": 2], "has no member __type; write {"),
            (
                .geoPoint, ["__type": "GeoPoint", "latitude": 90.000_1, "longitude": 2],
                "has the latitude 90.0001, which is not a number of degrees; write one from -90 to 90"
            ),
            (
                .geoPoint, ["__type": "GeoPoint", "latitude": 1, "longitude": "2"],
                #"has the longitude "2", which is not a number of degrees; write one from -180 to 180"#
            ),
            (.file, ["__type": "File", "name": "a", "url": "http://url"], "has no member size; write {"),
            (.file, file(["size": 1.5]), "has the size 1.5, which is not a file's size"),
            (.file, file(["size": -1]), "has the size -1, which is not a file's size"),
            (.file, file(["name": ""]), #"has the name "", which is not a file's name"#),
            (.file, file(["name": ".."]), #"has the name "..", which is not a file's name without a folder"#),
            (.file, file(["name": "a/../b"]), #"has the name "a/../b", which is not a file's name"#),
            (.file, file(["name": #"a\b"#]), #"has the name "a\\b", which is not a file's name"#),
            (.file, file(["size": 0]), "has the size 0, and only an empty file has the sha256 e3b0c442…; write both"),
            (.file, file(["sha256": .string(emptyDigest)]), "has the size 1024, and only an empty file has the"),
            (.file, file(["name": "\u{202E}", "size": "1"]), #"has the size "1", which is not a file's size"#),
            (.file, file(["sha256": .string(digest.uppercased())]), #"has the sha256 "0A0A"#),
            (.bytes, "aGVsbG8", #"is "aGVsbG8", which is not base 64; write"#),
            (.bytes, ["__type": "Bytes", "base64": "a-_="], #"has the base64 "a-_=", which is not base 64"#),
            (.bytes, ["\u{202E}<": 1], #"has the unknown member "\u202E<"; write "aGVsbG8=""#),
        ] as [(SettingFormat, JSONValue, String)])
    func faults(format: SettingFormat, value: JSONValue, start: String) throws {
        let fault = try #require(format.fault(of: value))
        #expect(fault.hasPrefix(start), "\(fault)")
    }

    @Test(
        "A URL of a file that is not absolute, of http or https, has a fault that names the wrong part",
        arguments: [
            ("", "is not an absolute URL"), ("menu.png", "is not an abs"), ("//example.com/a", "is not an absolute"),
            ("ftp://example.com/a", "is not an absolute"), (" https://example.com/", "is not an absolute"),
            ("https:///a", "has a host"), ("https://", "has a host"), ("https://a b/", "has a host"),
            ("https://[::1/", "has a host"), ("https://[]/", "has a host"), ("https://:80/", "has a host"),
            ("https://user:secret@example.com/", "names a user"), ("https://example.com:99999/", "has a port"),
            ("https://example.com:/", "has a port"), ("https://[::1]8080/", "has a port"),
            ("https://example.com/a b", #"contains " "; write that character as %20"#),
            ("https://example.com/%2", "has a % without"), ("https://example.com/100%", "has a % without"),
            ("https://example.com/ü", #"contains "ü"; write that character as %C3%BC"#),
            ("https://example.com/?a=\"<", #"contains "\""; write that character as %22"#),
            ("https://example.com/\0", #"contains "\u0000"; write that character as %00"#),
            ("https://example.com/[", #"contains "["; write that character as %5B"#),
            ("https://example.com/#part", "has a fragment"), ("https://example.com#part", "has a fragment"),
        ])
    func urls(text: String, part: String) throws {
        let fault = try #require(SettingFormat.file.fault(of: file(["url": .string(text)])))
        #expect(fault.contains(", which \(part)"), "\(fault)")
    }

    @Test("A long value is shown in part")
    func longValues() throws {
        let text = String(repeating: "A", count: 100_001)
        let fault = try #require(SettingFormat.bytes.fault(of: .string(text)))
        #expect(fault.count < 250)
        #expect(SettingFormat.bytes.fault(of: .string(text + "AAA")) == nil)
    }
}
