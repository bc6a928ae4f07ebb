import AllotConfiguration
import Testing

@testable import AllotExposures

struct FormatTests {
    private static let header = [
        "unit", "experiment", "salt", "variant", "revision", "reason", "override", "at", "received_at", "doubt",
        "reported_at", "attributes", "window",
    ]

    private static func exposure() -> Exposure {
        var exposure = Exposure(
            id: "1", unit: "a,\"b\"\n", experiment: "e", salt: "s", variant: "=v", reason: "winner", at: 1,
            receivedAt: 1_795_254_234_595)
        exposure.revision = "r"
        exposure.isOverridden = true
        exposure.doubt = .beforeStart
        exposure.reportedAt = -1
        exposure.attributes = #"{"country":"DE","seats":12}"#
        exposure.window = 7
        return exposure
    }

    private static func text(_ exposure: Exposure, _ format: ExposureFormat) -> [UInt8] {
        var bytes: [UInt8] = []
        format.append(exposure, to: &bytes)
        return bytes
    }

    @Test("An exposure is written as CSV")
    func anExposureIsWrittenAsCSV() throws {
        let header = try #require(ExposureFormat.csv.header())
        let plain = Exposure(unit: "u", experiment: "e", salt: "s", variant: "v", at: 0)
        let records = try StrictCSV.records(header + Self.text(Self.exposure(), .csv) + Self.text(plain, .csv))
        #expect(
            records == [
                Self.header,
                [
                    "a,\"b\"\n", "e", "s", "'=v", "r", "winner", "true", "1970-01-01T00:00:00.001Z",
                    "2026-11-21T09:43:54.595Z", "before-start", "1969-12-31T23:59:59.999Z",
                    #"{"country":"DE","seats":12}"#, "7",
                ],
                [
                    "u", "e", "s", "v", "", "split", "false", "1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z",
                    "", "", "", "",
                ],
            ])
    }

    /// Texts that a spreadsheet would run, and others that are joined with other tables.
    static let (formulas, identifiers) = (
        [
            "=1+1", "=cmd|' /C calc'!A0", "@x", "@SUM(1+1)*cmd|' /C calc'!A0", "+1+cmd|' /C calc'!A0", "-2+3+cmd|'x'!A",
            "+HYPERLINK(\"http://evil.example\")", "-(1)", "\t=1", "\r=1", "\n=1", "\u{FF1D}1", "\u{FF20}x",
            "\u{FF0B}(1)", "\u{FF0D}(1)", "'", "'=1", "''",
        ], ["1", "-1", "+4930123456", "-0.5e+3", "-aZ_9", "+aB3c/d==", "a=1", "a'b", "1-(2)", "", "é", "\u{200B}="]
    )

    @Test(
        "A text that a spreadsheet would run has an apostrophe in front, and no other",
        arguments: formulas.map { ($0, "'\($0)") } + identifiers.map { ($0, $0) })
    func formulasAreGuarded(text: String, written: String) throws {
        var exposure = Exposure(unit: text, experiment: "e", salt: "s", variant: "v", at: 0)
        exposure.reason = text
        let record = try #require(try StrictCSV.records(Self.text(exposure, .csv)).first)
        #expect(record[0] == written)
        #expect(record[5] == written)
        let json = try JSONValue(parsing: Self.text(exposure, .ndjson))
        guard case .object(let members) = json else { throw StrictCSV.Malformed(offset: 0) }
        #expect(members["unit"] == .string(text))
    }

    @Test(
        "A text is in quotes where a spreadsheet could split it, and is read again as it was",
        arguments: [
            ("a;=1+1;b", #""a;=1+1;b""#), ("a\t=1+1", "\"a\t=1+1\""), (";", #"";""#), ("=1;2", #""'=1;2""#),
            ("\";=1", "\"\"\";=1\""), ("a,b", #""a,b""#), ("a b", "a b"),
        ])
    func separatorsAreQuoted(text: String, field: String) throws {
        let exposure = Exposure(unit: text, experiment: text, salt: "s", variant: "v", at: 0)
        let bytes = Self.text(exposure, .csv)
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("\(field),\(field),s,"))
        let record = try #require(try StrictCSV.records(bytes).first)
        #expect(record[0] == (text.hasPrefix("=") ? "'" : "") + text)
        #expect(record[1] == record[0])
    }

    @Test(
        "With another delimiter the same texts are in quotes, and that delimiter too",
        arguments: [
            (CSVDelimiter.semicolon, "a,=1", #""a,=1""#), (.semicolon, "a|b", "a|b"), (.bar, "a|b", #""a|b""#),
            (.tab, "a;b", #""a;b""#), (.tab, "\t=1", "\"'\t=1\""),
        ])
    func otherDelimiters(delimiter: CSVDelimiter, text: String, field: String) throws {
        var bytes = try #require(ExposureFormat.csv.header(delimiter))
        #expect(bytes == Array((Self.header.joined(separator: delimiter.text) + "\n").utf8))
        bytes = []
        let exposure = Exposure(unit: text, experiment: "e", salt: "s", variant: "v", at: 0)
        ExposureFormat.csv.append(exposure, to: &bytes, delimiter: delimiter)
        let start = [field, "e", "s", "v", "", "split", "false", ""].joined(separator: delimiter.text)
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(start))
    }

    @Test("An exposure is written as a line of JSON")
    func anExposureIsWrittenAsALineOfJSON() throws {
        #expect(ExposureFormat.ndjson.header() == nil)
        let plain = Exposure(unit: "u", experiment: "e", salt: "s", variant: "v", at: 0)
        for exposure in [Self.exposure(), plain] {
            let line = Self.text(exposure, .ndjson)
            #expect(line.last == UInt8(ascii: "\n"))
            #expect(!line.dropLast().contains(UInt8(ascii: "\n")))
            guard case .object(let json) = try JSONValue(parsing: line) else { throw StrictCSV.Malformed(offset: 0) }
            #expect(Set(json.members.map(\.key)) == Set(Self.header))
            #expect(json["unit"] == .string(exposure.unit))
            #expect(json["window"] == (exposure.window.map { .number(JSONNumber($0)) } ?? .null))
            #expect(json["override"] == .boolean(exposure.isOverridden))
            #expect(json["revision"] == (exposure.revision.map { .string($0) } ?? .null))
            #expect(
                json["attributes"] == (try exposure.attributes.map { try JSONValue(parsing: Array($0.utf8)) } ?? .null))
        }
    }

    @Test(
        "Times are written as RFC 3339 in UTC with milliseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_795_254_234_595, "2026-11-21T09:43:54.595Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ])
    func times(at: Int64, text: String) throws {
        #expect(try StrictCSV.records(Self.text(Exposure(at: at), .csv))[0][7] == text)
    }

    @Test(
        "Attributes that are not an object, or of several lines, are refused, and nothing is stored",
        arguments: ["", "7", "[]", "{", "{} {}", "null", "{\n}", "{\r\n}", "{\r}"])
    func attributesAreAnObjectOnOneLine(text: String) async throws {
        let temporary = try TemporaryStore()
        let error = await #expect(throws: ExposureStoreError.self) {
            try await temporary.store.record([Exposure(attributes: text)])
        }
        if text.utf8.contains(where: { $0 == 10 || $0 == 13 }) {
            let message =
                "exposure 0 cannot be stored: its attributes contain a line break; write them as canonical JSON"
            #expect(error == .refused("\(message), on one line"))
        }
        #expect(try await temporary.store.exported() == [Self.header])
    }

    @Test("Units that are not counted are added up over revisions")
    func unitsThatAreNotCountedAreAddedUp() {
        let groups = [("green", nil, 1), ("blue", "r1", 2), ("blue", "r2", 3)].map { variant, revision, units in
            ExposureCounts.Group(
                variant: variant, revision: revision, reason: "forced", isOverridden: false, units: units, earliest: 0,
                latest: 0)
        }
        let json = ExposureCounts(groups: groups, unitsInSeveralVariants: 0).json(experiment: "e", salt: "e")
        #expect(
            json["not_counted"] == [
                ["override": false, "reason": "forced", "units": 5, "variant": "blue"],
                ["override": false, "reason": "forced", "units": 1, "variant": "green"],
            ])
    }

    @Test("What an older client put into attributes is taken out of them")
    func whatAnOlderClientPutIntoAttributesIsTakenOut() {
        var attributes: JSONObject = ["override": true, "reason": "winner", "revision": "r", "source": "remote"]
        var notes = ExposureNotes()
        notes.take(from: &attributes)
        #expect(notes == ExposureNotes(revision: "r", reason: "winner", isOverridden: true))
        #expect(attributes == ["source": "remote"])
        // Members of the event come first; what cannot stand for one stays.
        attributes = ["override": "yes", "reason": 7, "revision": "r"]
        notes = ExposureNotes(revision: "member")
        notes.take(from: &attributes)
        #expect(notes == ExposureNotes(revision: "member"))
        #expect(attributes == ["override": "yes", "reason": 7, "revision": "r"])
    }
}
