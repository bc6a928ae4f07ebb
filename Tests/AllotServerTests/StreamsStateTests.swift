import AllotServing
import TestSupport
import Testing

@testable import AllotServer

/// Connections of HTTP/2 as lists of events: the timeout is 10 seconds, and bodies have at most 1000 bytes.
struct StreamsStateTests {
    private static let limits = ConnectionLimits(
        timeout: .seconds(10), bodyBytes: 1000, hosts: nil, draining: Draining())

    /// A connection, the things that happen to it, and those that it does.
    private struct Connection {
        var state = StreamsState(StreamsStateTests.limits)
        var now = Duration.zero
        var actions: [String] = []

        /// Lets something happen, and carries out what follows from it.
        ///
        /// - Parameter event: a name with the number of a stream, or of seconds, and a number of bytes.
        mutating func receive(_ event: Substring) {
            let parts = event.split(separator: ":")
            let stream = Int(event.prefix { $0 != ":" }.drop { !$0.isNumber }) ?? 0
            let count = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            switch event.prefix(while: \.isLetter) {
            case "get": open(stream)
            case "getBody": open(stream, hasBody: true)
            case "post": open(stream, hasBody: true, needsBody: true)
            case "refused": open(stream, refusal: ConnectionRefusal(.syntax, "the path is not valid"))
            case "refusedBody":
                open(stream, hasBody: true, refusal: ConnectionRefusal(.syntax, "the path is not valid"))
            case "body": _ = state.receive(count, ends: false, on: stream)
            case "end": _ = state.receive(0, ends: true, on: stream)
            case "answer": state.answer(stream, count, at: now)
            case "parts": state.beginParts(stream)
            case "part": state.addPart(stream, count, at: now)
            case "whole": state.answer(stream, 0, at: now)
            case "broken": state.breakOff(stream)
            case "left": state.left(count, of: stream)
            case "close": state.close(stream)
            case "read": state.noteRead()
            case "turn": state.receiveTurn()
            case "gone": state.channelClosed()
            case "after": now += .seconds(stream)
            case "look": state.look(at: now)
            case "then": actions.append("then")
            default: Issue.record("\(event) is not an event")
            }
            while let action = state.next(at: now) { actions.append(Self.text(action)) }
        }

        mutating func open(
            _ stream: Int, hasBody: Bool = false, needsBody: Bool = false, refusal: ConnectionRefusal? = nil
        ) {
            state.open(
                stream, announced: nil, hasBody: hasBody, needsBody: needsBody, refusal: refusal, at: now)
        }

        private static func text(_ action: StreamsState.Action) -> String {
            switch action {
            case .askTurn: "askTurn"
            case .begin(let stream): "begin\(stream)"
            case .end(let stream): "end\(stream)"
            case .refuse(let stream, let refusal): "refuse\(stream):\(refusal.status ?? 0)"
            case .reset(let stream, let reason): "reset\(stream):\(reason)"
            }
        }
    }

    /// One row: the things that happen, and those that the connection does.
    private typealias Row = (name: String, events: String, actions: String)

    private static let rows: [Row] = [
        ("a request", "get1", "begin1 end1"),
        ("two at once, in turns", "get1 get3 turn", "begin1 end1 askTurn begin3 end3"),
        ("each after a read of its own", "get1 read get3", "begin1 end1 begin3 end3"),
        ("a turn whose request has gone", "get1 get3 close3 turn get5", "begin1 end1 askTurn begin5 end5"),
        ("one turn is asked for", "get1 get3 get5 read turn", "begin1 end1 askTurn begin3 end3 askTurn"),
        ("a body", "post1 body1:9 then end1", "begin1 then end1"),
        ("a body keeps no other waiting", "post1 get3 end1 turn", "begin1 begin3 end3 askTurn end1"),
        ("a body that is not needed", "getBody1 body1:9 end1", "begin1 end1"),
        ("a body whose request waits", "get1 getBody3 body3:9 end3 turn", "begin1 end1 askTurn begin3 end3"),
        ("a request waits for room", "get1 answer1:600000 read get3 then left1:600000", "begin1 end1 then begin3 end3"),
        (
            "a stream that closes leaves its room when its bytes have left",
            "get1 answer1:600000 close1 read get3 then left1:600000", "begin1 end1 then begin3 end3"
        ),
        (
            "a stream that closes while its request waits",
            "get1 answer1:600000 read get3 get5 close3 then left1:600000", "begin1 end1 then begin5 end5"
        ),
        ("a body that is too long", "post1 body1:600 body1:600 body1:9 answer1:50", "begin1 refuse1:413"),
        ("a body that is too slow", "post1 body1:9 after5 look answer1:50 look", "begin1 refuse1:408"),
        ("a body that takes too long", "post1 body1:1000 after3 look after7 look", "begin1 refuse1:408"),
        ("a body that gets on", "post1 body1:900 after3 look end1", "begin1 end1"),
        ("a refusal", "refused1 answer1:50 left1:50", "refuse1:400"),
        ("a refusal before the body", "refusedBody1 answer1:50 then left1:50", "refuse1:400 then reset1:answered"),
        ("an answer before the body", "post1 answer1:50 body1:9 left1:50 close1", "begin1 reset1:answered"),
        ("an answer before the end of the body", "post1 answer1:50 end1 left1:50 close1", "begin1"),
        ("an answer while its request waits for room", "get1 post3 end3 answer3:50 turn", "begin1 end1 begin3 askTurn"),
        (
            "an answer that does not leave", "get1 answer1:9 after19 look then after1 look after9 look",
            "begin1 end1 then reset1:unread"
        ),
        ("an answer that has left", "get1 answer1:9 close1 left1:9 after99 look", "begin1 end1"),
        ("parts may come at any time", "get1 parts1 after99 look part1:9 left1:9 after99 look", "begin1 end1"),
        (
            "a part that does not leave", "get1 parts1 part1:9 after9 look then after1 look",
            "begin1 end1 then reset1:unread"
        ),
        ("parts that end", "get1 parts1 part1:9 left1:9 whole1 close1 left1:0 after99 look", "begin1 end1"),
        ("parts that break off", "get1 parts1 part1:9 left1:9 broken1 close1", "begin1 end1 reset1:broken"),
        ("a client that has gone", "get1 get3 gone turn read get5 left1:9 after99 look", "begin1 end1 askTurn"),
    ]

    @Test("A connection does what follows from what happens, and nothing else")
    func sequences() {
        for (name, events, expected) in Self.rows {
            var connection = Connection()
            for event in events.split(separator: " ") { connection.receive(event) }
            #expect(connection.actions.joined(separator: " ") == expected, "\(name)")
        }
    }

    @Test("As many requests are worked on as have room for an answer that is not known yet")
    func reserve() {
        var connection = Connection()
        for number in 0..<20 {
            connection.receive("read")
            connection.receive("get\(2 * number + 1)")
        }
        #expect(connection.actions.count { $0.hasPrefix("begin") } == 16)
        // An answer takes its own room, and one that comes in parts takes none before them.
        for (event, count) in [("answer1:40000", 16), ("answer3:100", 17), ("left1:40000", 18), ("parts5", 19)] {
            connection.receive("read")
            connection.receive(Substring(event))
            #expect(connection.actions.count { $0.hasPrefix("begin") } == count, "\(event)")
        }
    }

    @Test("Windows grow when half of them is used, while the body is needed")
    func windows() {
        var connection = Connection()
        let sizes: [(size: Int, growth: Int?)] = [
            (65_535, nil), (70_000, nil), (32_768, nil), (32_767, 32_768), (0, 65_535), (-10, 65_545),
        ]
        connection.receive("post1")
        for (size, growth) in sizes {
            for stream in [0, 1] { #expect(connection.state.growth(ofWindow: stream, size) == growth, "\(size)") }
        }
        connection.receive("answer1:9")
        #expect(connection.state.growth(ofWindow: 1, 0) == nil)
        #expect(connection.state.growth(ofWindow: 0, 0) == 65_535)
    }

    /// The streams of a random connection, as its handler would know them.
    private struct Model {
        var connection = Connection()
        var opened: [Int] = []
        var needBody: Set<Int> = []
        var begun: Set<Int> = []
        var ended: Set<Int> = []
        var answered: Set<Int> = []
        var reset: Set<Int> = []
        /// Streams whose answer comes in parts, of which none is on its way.
        var idleParts: Set<Int> = []
        /// The requests that may begin, in their order.
        var waiting: [Int] = []
        var unsent: [(stream: Int, count: Int)] = []
        var hasAsked = false
        var isGone = false

        /// Streams whose requests have an answer to get.
        var awaited: [Int] { begun.subtracting(answered).filter(connection.state.isOpen).sorted() }
        var open: [Int] { opened.filter(connection.state.isOpen) }

        mutating func receive(_ event: String) {
            let before = connection.actions.count
            connection.receive(Substring(event))
            let actions = connection.actions[before...]
            if isGone { #expect(actions.isEmpty) }
            for action in actions { take(action) }
        }

        private mutating func take(_ action: String) {
            let stream = Int(action.prefix { $0 != ":" }.drop { !$0.isNumber }) ?? 0
            if stream != 0 { #expect(!reset.contains(stream), "\(action)") }
            switch action.prefix(while: \.isLetter) {
            case "askTurn":
                #expect(!hasAsked)
                hasAsked = true
            case "begin":
                #expect(begun.insert(stream).inserted, "\(action)")
                if !needBody.contains(stream) { takeFirst(stream) }
            case "end":
                #expect(begun.contains(stream) && ended.insert(stream).inserted, "\(action)")
                if needBody.contains(stream) { takeFirst(stream) }
            case "refuse": answer(stream, 50)
            default: #expect(reset.insert(stream).inserted, "\(action)")
            }
        }

        /// A request begins that may be answered now.
        private mutating func takeFirst(_ stream: Int) {
            #expect(waiting.first == stream)
            waiting.removeAll { $0 == stream }
            #expect(connection.state.room < StreamsState.limit + StreamsState.reserve)
        }

        mutating func answer(_ stream: Int, _ count: Int) {
            #expect(answered.insert(stream).inserted)
            waiting.removeAll { $0 == stream }
            unsent.append((stream, count))
            receive("answer\(stream):\(count)")
        }

        mutating func happen(_ event: Int, _ generator: inout SeededGenerator) {
            let next = (opened.last ?? -1) + 2
            switch event {
            case 0, 1:
                opened.append(next)
                if !isGone { waiting.append(next) }
                receive("get\(next)")
            case 2:
                opened.append(next)
                needBody.insert(next)
                receive("post\(next)")
            case 3: if !open.isEmpty { receive("body\(generator.pick(open)):\(generator.number(0...600))") }
            case 4:
                let stream = open.isEmpty ? 0 : generator.pick(open)
                if needBody.contains(stream), !answered.contains(stream), !ended.contains(stream),
                    !waiting.contains(stream)
                {
                    waiting.append(stream)
                }
                receive("end\(stream)")
            case 5: if !awaited.isEmpty { answer(generator.pick(awaited), generator.number(0...100_000)) }
            case 6:
                guard !awaited.isEmpty else { return }
                let stream = generator.pick(awaited)
                answered.insert(stream)
                waiting.removeAll { $0 == stream }
                idleParts.insert(stream)
                receive("parts\(stream)")
            case 7:
                guard let stream = idleParts.subtracting(reset).filter(connection.state.isOpen).min() else { return }
                idleParts.remove(stream)
                unsent.append((stream, 1000))
                receive("part\(stream):1000")
            case 8:
                guard !unsent.isEmpty else { return }
                let (stream, count) = unsent.remove(at: generator.number(0...unsent.count - 1))
                receive("left\(stream):\(count)")
            case 9:
                guard !open.isEmpty else { return }
                let stream = generator.pick(open)
                waiting.removeAll { $0 == stream }
                receive("close\(stream)")
            case 10: receive("read")
            case 11:
                guard hasAsked else { return }
                hasAsked = false
                receive("turn")
            case 12: receive("after1")
            case 13:
                receive("look")
                if let deadline = connection.state.deadline { #expect(deadline > connection.now) }
            default:
                guard generator.chance(0.02) else { return }
                isGone = true
                waiting = []
                receive("gone")
            }
        }
    }

    @Test("Whatever happens, requests begin in order and within the room, nothing follows an end", arguments: 0..<200)
    func invariants(seed: Int) {
        var generator = SeededGenerator(seed: seed)
        var model = Model()
        for _ in 0..<150 { model.happen(generator.number(0...14), &generator) }
        // A client that does nothing any more is left in bounded time, and its answers take no room then.
        for stream in model.awaited { model.answer(stream, 100) }
        for _ in 0..<1000 {
            guard let deadline = model.connection.state.deadline else { break }
            model.connection.now = max(model.connection.now, deadline)
            model.receive("look")
            if model.hasAsked {
                model.hasAsked = false
                model.receive("turn")
            }
            for stream in model.awaited { model.answer(stream, 100) }
        }
        #expect(model.connection.state.deadline == nil)
        for (stream, count) in model.unsent { model.receive("left\(stream):\(count)") }
        for stream in model.open { model.receive("close\(stream)") }
        #expect(model.connection.state.room == 0)
    }
}
