import AllotServing
import TestSupport
import Testing

@Suite(.mayHang) struct HangUpTests {
    @Test("A signal between the first reading and the wait for signals is not lost")
    func missedSignal() async {
        let (loads, loaded) = AsyncStream<Void>.makeStream()
        await withTaskGroup { group in
            // One more has come than when the file was read.
            group.addTask { await HangUp.each(since: HangUp.count - 1) { loaded.yield() } }
            for await _ in loads { break }
            group.cancelAll()
        }
    }
}
