import NIOCore
import NIOEmbedded
import Testing

@testable import AllotServer

/// Many requests at once, which are answered in turns.
struct LoopTurnsTests {
    private static let get = "GET /activeconfig/user/a HTTP/1.1\r\nHost: localhost\r\n\r\n"

    @Test("Some requests begin at once, as many after each pause, in their order")
    func pauses() {
        let loop = EmbeddedEventLoop()
        let turns = LoopTurns(loop)
        var begun: [Int] = []
        func begin(_ number: Int) -> Bool {
            begun.append(number)
            return true
        }
        for number in 0..<40 where turns.take(orLater: { begin(number) }) { begun.append(number) }
        #expect(begun == Array(0..<16))
        loop.run()
        #expect(begun.count == 16)
        loop.advanceTime(by: LoopTurns.pause)
        #expect(begun == Array(0..<32))
        loop.advanceTime(by: LoopTurns.pause)
        #expect(begun == Array(0..<40))
        // What was not used is not saved up.
        loop.advanceTime(by: .seconds(1))
        begun = []
        for number in 0..<20 where turns.take(orLater: { begin(number) }) { begun.append(number) }
        #expect(begun == Array(0..<16))
        // Those who have gone take no turn.
        for number in 20..<40 { #expect(!turns.take { number >= 36 && begin(number) }) }
        loop.advanceTime(by: LoopTurns.pause)
        #expect(begun == Array(0..<20) + Array(36..<40))
    }

    @Test("Connections that want more and more take turns")
    func fairness() {
        let loop = EmbeddedEventLoop()
        let turns = LoopTurns(loop)
        var begun: [Int] = []
        func begin(_ connection: Int) -> Bool {
            begun.append(connection)
            ask(connection)
            return true
        }
        func ask(_ connection: Int) {
            if turns.take(orLater: { begin(connection) }) { _ = begin(connection) }
        }
        for connection in 0..<4 { ask(connection) }
        // The first takes all that there is; from then on they are equal.
        #expect(begun == Array(repeating: 0, count: 16))
        begun = []
        for _ in 0..<3 { loop.advanceTime(by: LoopTurns.pause) }
        #expect((0..<4).map { connection in begun.count { $0 == connection } } == [12, 12, 12, 12])
    }

    @Test("A client that sends hundreds of requests at once gets all answers, a few at a time")
    func pipelining() throws {
        let connection = try EmbeddedConnection()
        try connection.receive(String(repeating: Self.get, count: 400))
        var counts = try [connection.statuses().count]
        while let last = counts.last, last < 400, counts.count < 100 {
            connection.channel.embeddedEventLoop.advanceTime(by: LoopTurns.pause)
            counts.append(try connection.statuses().count)
        }
        #expect(counts.last == 400)
        #expect(counts.first == 17)
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $1 - $0 <= LoopTurns.count })
        #expect(try connection.statuses().allSatisfy { $0 == 200 })
    }

    @Test("Connections of one event loop share its turns, and a client that waits for its answers gets them at once")
    func sharing() throws {
        let (turns, loop) = (Turns(), EmbeddedEventLoop())
        #expect(turns.of(loop) === turns.of(loop))
        #expect(turns.of(loop) !== turns.of(EmbeddedEventLoop()))
        let connection = try EmbeddedConnection()
        for count in 1...100 {
            try connection.receive(Self.get)
            #expect(try connection.statuses().count == count)
        }
    }
}
