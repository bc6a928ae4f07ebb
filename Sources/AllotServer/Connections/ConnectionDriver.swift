import AllotServing
import NIOCore

/// The state of a connection, as its handler needs it: a value that knows neither a channel nor a clock.
protocol ConnectionProgress {
    /// The time for the next look at what takes too long; `nil` if there is none.
    var deadline: Duration? { get }
    var turn: ConnectionTurn { get set }
    mutating func channelClosed()
}

/// Whether a connection may begin a request: one after each read, and others when ``LoopTurns`` says so.
enum ConnectionTurn { case ready, none, asked }

extension ConnectionProgress {
    /// Notes that the client has sent something.
    mutating func noteRead() { if turn == .none { turn = .ready } }
    mutating func receiveTurn() { if turn == .asked { turn = .ready } }
}

/// A handler that tells the state of a connection what happens, and carries out what the state says.
protocol ConnectionDriver: ChannelInboundHandler {
    associatedtype State: ConnectionProgress

    var state: State { get set }
    var base: ConnectionBase { get set }
    /// Does the next thing. Returns `false` if there is none until something happens.
    func step(_ context: ChannelHandlerContext) -> Bool
    /// Called when there was nothing more to do.
    func rest(_ context: ChannelHandlerContext)
    func look()
    func cancelWork()
}

/// The properties that all handlers of connections have.
struct ConnectionBase {
    let handlers: ConnectionHandlers
    fileprivate let turns: LoopTurns
    /// `nil` before the handler is added and after the connection has closed.
    fileprivate(set) var context: ChannelHandlerContext?
    fileprivate(set) var isRunning = false
    fileprivate var runStart = Duration.zero
    var isFlushDue = false
    fileprivate var look: (time: Duration, task: Scheduled<Void>)?

    init(_ handlers: ConnectionHandlers, on channel: any Channel) {
        self.handlers = handlers
        turns = handlers.limits.turns.of(channel.eventLoop)
    }
}

extension ConnectionDriver {
    /// The present moment, which is one for all that a run does.
    var now: Duration { base.isRunning ? base.runStart : base.context?.eventLoop.moment ?? .zero }

    func handlerAdded(context: ChannelHandlerContext) {
        base.context = context
        if context.channel.isActive { run() }
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelActive(context: ChannelHandlerContext) {
        run()
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    /// Does all that there is to do. Called after everything that happens.
    func run() {
        guard !base.isRunning, let context = base.context else { return }
        (base.isRunning, base.runStart) = (true, context.eventLoop.moment)
        while step(context) {}
        base.isRunning = false
        rest(context)
        scheduleLook()
    }

    func askTurn() {
        let hasTurn = base.turns.take { [weak self] in
            guard let self, self.base.context != nil else { return false }
            self.state.receiveTurn()
            self.run()
            return true
        }
        if hasTurn { state.receiveTurn() }
    }

    func flush(_ context: ChannelHandlerContext) {
        guard base.isFlushDue else { return }
        base.isFlushDue = false
        context.flush()
    }

    /// The header fields of an answer, with its length and the date.
    func fields(of answer: HTTPAnswer) -> [(String, String)] {
        var fields = answer.headers.map { ($0.name, $0.value) }
        if answer.hasLength { fields.append(("Content-Length", String(answer.body.count))) }
        let handlers = base.handlers
        fields.append(("Date", handlers.refusals.date.text(at: handlers.routes.service.now())))
        return fields
    }

    private func scheduleLook() {
        guard let context = base.context, let deadline = state.deadline else { return }
        // An earlier look finds the later deadline.
        if let look = base.look, look.time <= deadline { return }
        base.look?.task.cancel()
        let task = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(deadline - now)) { [self] in
            base.look = nil
            look()
            run()
        }
        base.look = (deadline, task)
    }

    private func end() {
        base.look?.task.cancel()
        base.look = nil
        base.context = nil
        state.channelClosed()
        cancelWork()
    }
}

extension EventLoop {
    /// The present moment by the clock of the loop, for states that know no clock.
    var moment: Duration { .nanoseconds(Int64(clamping: now.uptimeNanoseconds)) }
}
