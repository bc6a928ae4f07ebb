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

    @Test("Files are being read again until each caller has read them")
    func reloads() async {
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let (loads, loading) = AsyncStream<Void>.makeStream()
        await withTaskGroup { group in
            group.addTask {
                await HangUp.each(since: HangUp.count - 1) {
                    loading.yield()
                    for await _ in gate { break }
                }
            }
            for await _ in loads { break }
            var states = HangUp.reloads().makeAsyncIterator()
            let first = await states.next()
            #expect(first == true)
            opening.yield()
            // Callers of other tests may be reading as well.
            while await states.next() == true {}
            group.cancelAll()
        }
    }
}
