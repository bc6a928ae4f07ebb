import TestSupport
import Testing

@testable import AllotClient

struct ServerSentEventsTests {
    typealias Event = ServerSentEvents.Event

    /// Among them the standard's own examples (section 9.2.6).
    static let streams: [(text: String, events: [Event])] = [
        ("data: YHOO\ndata: +2\ndata: 10\n\n", [Event(data: "YHOO\n+2\n10")]),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [Event(data: "first event"), Event(data: "second event"), Event(data: " third event")]
        ),
        ("data\n\ndata\ndata\n\ndata:", [Event(data: ""), Event(data: "\n")]),
        ("data:test\n\ndata: test\n\n", [Event(data: "test"), Event(data: "test")]),
        ("event: add\ndata: 73857293\n\ndata: x\n\n", [Event(type: "add", data: "73857293"), Event(data: "x")]),
        ("event: add\n\ndata: x\n\n", [Event(data: "x")]),
        ("event: a\nevent:\ndata: x\n\n", [Event(data: "x")]),
        ("\u{FEFF}data: x\n\n\u{FEFF}data: y\n\n", [Event(data: "x")]),
        ("data: x\r\rdata: y\r\n\r\ndata: z\n\r\n", ["x", "y", "z"].map { Event(data: $0) }),
        ("data: a\r\ndata: b\r\n\r\n", [Event(data: "a\nb")]),
        ("DATA: x\n data: y\ndata : z\nfoo: bar\nfoo\n:data: x\n\n", []),
        ("data: a: b\n\n", [Event(data: "a: b")]), ("data: x\n", []), ("", []), ("\n\n\r\n", []),
        ("data: é🙂\n\n", [Event(data: "é🙂")]),
    ]

    @Test("Events are read in parts of any size", arguments: streams.indices)
    func eventsAreReadHoweverTheyAreSplit(index: Int) throws {
        let (text, events) = Self.streams[index]
        let bytes = Array(text.utf8)
        var whole = ServerSentEvents()
        #expect(try whole.read(bytes) == events)
        for cut in bytes.indices {
            var parser = ServerSentEvents()
            #expect(try parser.read(bytes[..<cut]) + parser.read(bytes[cut...]) == events)
        }
        var parser = ServerSentEvents()
        var single: [Event] = []
        for byte in bytes { single += try parser.read([byte]) }
        #expect(single == events)
    }

    @Test("An event's ID counts when the event is complete")
    func idsAreKeptOnceTheirEventIsWhole() throws {
        var parser = ServerSentEvents(lastEventID: "0")
        _ = try parser.read("id: 1\n".utf8)
        #expect(parser.lastEventID == "0")
        _ = try parser.read("\n".utf8)
        #expect(parser.lastEventID == "1")
        _ = try parser.read("id: a\0b\ndata: x\n\ndata: y\n\n".utf8)
        #expect(parser.lastEventID == "1")
        _ = try parser.read("id\n\n".utf8)
        #expect(parser.lastEventID == "")
    }

    @Test("A retry delay has only digits")
    func retryTakesDigitsOnly() throws {
        var parser = ServerSentEvents()
        for (text, retry) in [
            ("x", nil), ("", nil), ("-1", nil), ("1500", 1500), ("1.5", 1500), ("٣", 1500), ("0", 0),
            ("99999999999999999999", 0),
        ] as [(String, Int?)] {
            _ = try parser.read("retry: \(text)\n".utf8)
            #expect(parser.retry == retry)
        }
    }

    @Test("Lines and events that are too long are errors")
    func lengthsAreBounded() throws {
        var parser = ServerSentEvents()
        _ = try parser.read([UInt8](repeating: 0x78, count: ServerSentEvents.lineLimit))
        #expect(throws: ServerSentEvents.TooLong.self) { try parser.read([0x78]) }
        var other = ServerSentEvents()
        let line = "data: \(String(repeating: "x", count: 65_000))\n"
        for _ in 0..<4 { _ = try other.read(line.utf8) }
        #expect(throws: ServerSentEvents.TooLong.self) { try other.read(line.utf8) }
    }

    @Test("Any bytes are parsed without a crash", arguments: 0..<20)
    func anyBytesAreTaken(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("data:id event retry\n\r\n\r 12\0\u{FEFF}é".utf8) + [0xff]
        let bytes = (0..<2000).compactMap { _ in alphabet.randomElement(using: &random) }
        var whole = ServerSentEvents()
        let events = try whole.read(bytes)
        var parser = ServerSentEvents()
        var pieces: [Event] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + Int.random(in: 1...7, using: &random), bytes.count)
            pieces += try parser.read(bytes[start..<end])
            start = end
        }
        #expect(pieces == events)
        #expect(parser.lastEventID == whole.lastEventID)
        #expect(parser.retry == whole.retry)
    }
}
