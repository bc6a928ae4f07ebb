import AllotConfiguration
import AllotCore
import AllotDefinitions

@testable import AllotServing

/// A plan as servers have it.
private let routes: AllotRoutes = {
    let base = "config_sections: { S: { settings: { color: { value: red }, size: { value: { a: 1 } } } } }"
    let experiment = """
        status: running
        audience: { country: { $in: [DE, FR] }, orders: { $gte: 2 }, tags: { $all: [a] }, email: { $regex: "@x$" } }
        variants: [{ key: a }, { key: b, overrides: { S: { color: blue, size: { b: 2 } } } }]
        """
    let sources = [("base.yaml", base), ("checkout.yaml", experiment)].map {
        DefinitionSource(name: $0.0, bytes: Array($0.1.utf8))
    }
    do {
        let plan = try DefinitionsLoader().load(sources).plan
        return AllotRoutes(AllotService(PlanStore(plan, loadedAt: instant)))
    } catch {
        fatalError("\(error)")
    }
}()

/// The target of a request.
///
/// What is accepted decodes to the same parts when these are percent-encoded again, and every answer is a success or
/// the client's fault, with JSON as its body.
func fuzzTargets(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    for target in [text, "/activeconfig/user/" + text, "/active_config?" + text] {
        switch routes.admit(ServiceRequest(method: "GET", target: target), announced: 0) {
        case .answered(let answer): checkAnswer(answer)
        // Other routes than those of configurations, and long targets, are answered by tasks.
        case .admitted(let admitted): if let answer = routes.directAnswer(admitted) { checkAnswer(answer) }
        }
    }
    let reading = routes.service
    var decoded: [UInt8] = []
    guard let subject = try? reading.target(text, reserved: nil, into: &decoded) else { return }
    func encoded(_ range: Range<Int>) -> String {
        decoded[range].map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    let items = subject.attributes.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
    let again = "/" + encoded(subject.lastComponent) + (items.isEmpty ? "" : "?" + items)
    var bytes: [UInt8] = []
    do {
        let other = try reading.target(again, reserved: nil, into: &bytes)
        check(
            bytes[other.lastComponent] == decoded[subject.lastComponent]
                && other.attributes.map { [Array(bytes[$0.name]), Array(bytes[$0.value])] }
                    == subject.attributes.map { [Array(decoded[$0.name]), Array(decoded[$0.value])] },
            "\(text.debugDescription) is read differently when it is encoded again: \(again)")
    } catch {
        fatalError("\(text.debugDescription) is refused when it is encoded again: \(error)")
    }
}

/// The body of a request, as `POST /activeconfig/user/{id}` and `POST /exposures` read it.
///
/// JSON that is accepted is the same when it is written and read again.
func fuzzBodies(_ bytes: [UInt8]) {
    let request = ServiceRequest(method: "POST", target: "/activeconfig/user/user-1", body: bytes)
    do {
        let subject = try routes.service.typedSubject(request)
        checkAnswer(routes.configuration(to: request, for: subject))
    } catch {
        checkAnswer(HTTPAnswer(RequestFailure(error)))
    }
    guard let json = try? JSONValue(parsing: bytes) else { return }
    let written = json.canonicalBytes
    check((try? JSONValue(parsing: written))?.canonicalBytes == written, "JSON is read differently when written again")
    guard case .array(let items) = json else { return }
    let batch = ReceivedExposures(items, routes.service.plans.current, UnconfirmedArms(), RequestLimits(), at: instant)
    check(batch.exposures.count + batch.faults.count == items.count, "an exposure is neither taken nor refused")
}

private func checkAnswer(_ answer: HTTPAnswer) {
    check([200, 304, 400, 404, 405, 413, 414].contains(answer.status), "the answer is \(answer.status)")
    check(answer.status == 304 || (try? JSONValue(parsing: answer.body)) != nil, "the body is not JSON")
}
