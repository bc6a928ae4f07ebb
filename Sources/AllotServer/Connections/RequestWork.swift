import AllotServing
import NIOCore

/// A request on its way through the routes, for connections of any version of HTTP. Used on one event loop.
final class RequestWork {
    private enum State {
        /// The routes have not seen the head.
        case new(ServiceRequest)
        /// The route waits for the end of the body.
        case receiving(AllotRoutes.Admitted)
        case working(Task<Void, Never>)
        /// The answer was delivered and is written part by part.
        case writing(Task<Void, Never>, isEndless: Bool)
        /// The answer was delivered, or is not wanted any more.
        case ended
    }

    private let routes: AllotRoutes
    private let eventLoop: any EventLoop
    private let announced: Int
    private let hasBody: Bool
    private let deliver: (HTTPAnswer) -> Void
    private var state: State

    /// The work on a request with the announced length of its body, which delivers one answer.
    init(
        _ request: ServiceRequest, announced length: Int?, hasBody: Bool, _ routes: AllotRoutes,
        on eventLoop: any EventLoop, deliver: @escaping (HTTPAnswer) -> Void
    ) {
        state = .new(request)
        announced = length ?? 0
        (self.hasBody, self.routes, self.eventLoop, self.deliver) = (hasBody, routes, eventLoop, deliver)
    }

    func begin() {
        guard case .new(let request) = state else { return }
        switch routes.admit(request, announced: announced) {
        case .answered(let answer): answered(answer)
        // A body that the route does not take is not waited for.
        case .admitted(let admitted) where hasBody && admitted.route.body == .none: answer(admitted)
        case .admitted(let admitted): state = .receiving(admitted)
        }
    }

    func receive(_ bytes: some Collection<UInt8>) {
        guard case .receiving(var admitted) = state else { return }
        // Else the bytes before would be copied.
        state = .ended
        do throws(RequestFailure) {
            try routes.receive(bytes, of: &admitted, announced: announced)
            state = .receiving(admitted)
        } catch { answered(routes.refuse(admitted, error)) }
    }

    func end() { if case .receiving(let admitted) = state { answer(admitted) } }

    /// Ends the work: the client has left, or gets another answer of a status.
    func cancel(answeredWith status: Int = 400) {
        switch state {
        case .receiving(let admitted): routes.note(admitted, endedWith: status)
        case .working(let task), .writing(let task, _): task.cancel()
        case .new, .ended: break
        }
        state = .ended
    }

    /// Writes the parts of an answer that was just delivered. `write` completes when there is room for another one, or
    /// returns `nil` if the client has left; `end` follows the last part.
    func write(
        _ stream: AnswerStream, _ write: @escaping ([UInt8]) -> EventLoopFuture<Void>?,
        then end: @escaping (_ isWhole: Bool) -> Void
    ) {
        let (eventLoop, actions) = (eventLoop, NIOLoopBound((write, end), eventLoop: eventLoop))
        let task: Task<Void, Never> = Task {
            let isWhole: Bool
            do {
                try await stream.write { part in
                    try Task.checkCancellation()
                    try await eventLoop.flatSubmit {
                        actions.value.0(part) ?? eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
                    }.get()
                }
                isWhole = true
            } catch { isWhole = stream.isEndless }
            eventLoop.execute { actions.value.1(isWhole) }
        }
        state = .writing(task, isEndless: stream.isEndless)
    }

    func endStream() { if case .writing(let task, isEndless: true) = state { task.cancel() } }

    private func answer(_ admitted: AllotRoutes.Admitted) {
        if let answer = routes.directAnswer(admitted) { return answered(answer) }
        let (eventLoop, routes) = (eventLoop, routes)
        let receive = NIOLoopBound({ [self] answer in self.finish(answer) }, eventLoop: eventLoop)
        state = .working(
            Task {
                let answer = await routes.answer(admitted)
                eventLoop.execute { receive.value(answer) }
            })
    }

    private func finish(_ answer: HTTPAnswer) { if case .working = state { answered(answer) } }

    private func answered(_ answer: HTTPAnswer) {
        state = .ended
        deliver(answer)
    }
}
