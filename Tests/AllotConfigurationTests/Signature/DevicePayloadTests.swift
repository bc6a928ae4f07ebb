import AllotConfiguration
import Testing

struct DevicePayloadTests {
    private static let issued: Int64 = 1_795_262_400

    private func sample() throws -> DevicePayload {
        try DevicePayload(
            app: "com.example.shop", device: "E621", issued: Self.issued,
            applying: ["Checkout": ["ButtonColor": "#1a7f37", "MaxItems": 3]], variants: ["button": "green"])
    }

    private func read(_ text: String) throws -> DevicePayload {
        try DevicePayload(JSONValue(parsing: Array(text.utf8)))
    }

    /// The codes and messages of what is wrong.
    private func problems(_ body: () throws -> Void) -> [DevicePayloadError.Problem] {
        do {
            try body()
            return []
        } catch { return (error as? DevicePayloadError)?.problems ?? [] }
    }

    @Test("A payload is read as it was written")
    func writtenAndReadAgain() throws {
        let payload = try sample()
        let text = String(decoding: payload.canonicalBytes, as: UTF8.self)
        #expect(
            text == #"{"app":"com.example.shop","device":"E621","expires":1795867200,"issued":1795262400,"#
                + ##""operation":"apply","values":{"Checkout":{"ButtonColor":"#1a7f37","MaxItems":3}},"##
                + #""variants":{"button":"green"}}"#)
        #expect(try read(text) == payload)
        let reset = try DevicePayload(resetting: "E621", app: "com.example.shop", issued: 0, expires: 60)
        #expect(
            reset.json.canonicalText
                == #"{"app":"com.example.shop","device":"E621","expires":60,"issued":0,"operation":"reset"}"#)
        #expect(try read(reset.json.canonicalText) == reset)
    }

    @Test("A payload is valid for one device of one app, for seven days by default")
    func onlyForOneDeviceOfOneAppForAWhile() throws {
        let payload = try sample()
        #expect(payload.expires == Self.issued + 7 * 86_400)
        #expect(!payload.isExpired(at: payload.expires - 1))
        #expect(payload.isExpired(at: payload.expires))
        func codes(_ app: String, _ device: String, _ instant: Int64) -> [DevicePayloadError.Code] {
            problems { try payload.check(app: app, device: device, at: instant) }.map(\.code)
        }
        #expect(codes("com.example.shop", "E621", payload.expires - 1) == [])
        #expect(codes("com.example.bank", "E621", Self.issued) == [.otherApp])
        #expect(codes("com.example.shop", "e621", Self.issued) == [.otherDevice])
        #expect(codes("com.example.shop", "E621", payload.expires) == [.expired])
        #expect(codes("", "", payload.expires + 9) == [.otherApp, .otherDevice, .expired])
    }

    /// "é" in one scalar and in two is one text to Swift and two IDs.
    @Test("Devices are compared byte by byte")
    func devicesAreComparedByteByByte() throws {
        let payload = try DevicePayload(
            app: "a", device: "caf\u{E9}", issued: 0, applying: ["Page": ["Color": "red"]])
        try payload.check(app: "a", device: "caf\u{E9}", at: 1)
        #expect(problems { try payload.check(app: "a", device: "cafe\u{301}", at: 1) }.map(\.code) == [.otherDevice])
    }

    @Test(
        "All problems of a payload are reported at once",
        arguments: [
            (#"[]"#, [", not an object"]),
            (
                "{}",
                [
                    "app: expected a text, found nothing", "device: expected a text",
                    "issued: expected a whole number of seconds since 1970, found nothing", "expires: expected a whole",
                    "operation: expected a text",
                ]
            ),
            (
                #"{"app":1,"device":null,"issued":"now","expires":1.5,"operation":true,"#
                    + #""values":[],"variants":"x","extra":1}"#,
                [
                    #"the member "extra" is unknown"#, "app: expected a text, found the number 1",
                    "device: expected a text, found null", "found the text \"now\"", "found the number 1.5",
                    "operation: expected a text, found true", "values: expected an object, found an array of 0",
                    "variants: expected an object, found the text",
                ]
            ),
            (
                #"{"app":"","device":"*","issued":9,"expires":9,"operation":"apply"}"#,
                ["app is empty", "no wildcards", "expires is not later", "nothing to apply"]
            ),
            (
                #"{"app":"a","device":"E*","issued":-1,"expires":9,"operation":"run","#
                    + #""values":{"A":{}},"variants":{"b":1}}"#,
                [
                    #"the operation "run" is unknown; give apply or reset"#, "no wildcards", "before 1970",
                    "values has no settings", "variant of \"b\"",
                ]
            ),
            (
                #"{"app":"a","device":"d","issued":0,"expires":9,"operation":"reset","values":{"A":{"b":1}}}"#,
                ["a reset has no values"]
            ),
            (
                #"{"app":"a","device":"d","issued":1e3,"expires":99999999999999999999,"operation":"reset"}"#,
                ["issued: expected a whole number", "expires: expected a whole number"]
            ),
            (
                #"{"app":"a","device":"","issued":0,"expires":9,"operation":"apply","values":{"A":1}}"#,
                ["device is empty", "values has no settings in the section \"A\""]
            ),
        ])
    func everyProblemIsReportedAtOnce(text: String, parts: [String]) {
        let found = problems { _ = try read(text) }
        #expect(found.count == parts.count, "\(found)")
        for (problem, part) in zip(found, parts) {
            #expect(problem.message.contains(part), "\(problem)")
            #expect(problem.code == .invalid)
        }
    }

    @Test("Invalid payloads cannot be created")
    func impossiblePayloadsAreNotMade() {
        let values: JSONObject = ["Page": ["Color": "red"]]
        #expect(throws: DevicePayloadError.self) {
            try DevicePayload(app: "a", device: "*", issued: 0, applying: values)
        }
        #expect(throws: DevicePayloadError.self) { try DevicePayload(app: "a", device: "d", issued: 0, applying: [:]) }
        #expect(throws: DevicePayloadError.self) {
            try DevicePayload(app: "a", device: "d", issued: .max, applying: values)
        }
    }
}
