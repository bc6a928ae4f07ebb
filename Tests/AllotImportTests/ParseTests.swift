import AllotConfiguration
import AllotCore
import AllotImport
import Testing

struct ParseTests {
    @Test("Dates, places and bytes have their format in the base; files without a hash, and other objects, have none")
    func formats() throws {
        let payload = #"""
            {"params": {
                "a": {"__type": "Date", "iso": "2011-08-21T18:02:52.249Z"}, "b": "2011-08-21",
                "c": {"__type": "GeoPoint", "latitude": 10, "longitude": -20},
                "d": {"__type": "Bytes", "base64": "aGVsbG8="},
                "e": {"__type": "File", "name": "name", "url": "http://url"}, "f": [{"__type": "Pointer"}]}}
            """#
        let settings = try ImportCase.definitions(.parse, payload).loaded.plan.definitions.settings
        #expect(settings.map(\.format) == [.dateTime, nil, .geoPoint, .bytes, nil, nil])
        #expect(settings.first?.value == ["__type": "Date", "iso": "2011-08-21T18:02:52.249Z"])
        let notes = try ImportCase.notes(.parse, payload)
        #expect(notes.contains { $0.hasSuffix("apps get other ones as JSON: \"e\", \"f\".") }, "\(notes)")
    }
}
