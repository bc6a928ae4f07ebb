import AllotConfiguration
import AllotCore
import AllotServer
import AllotServing
import HTTPTypes
import Testing

struct OperationsRouteTests {
    /// An experiment with one variant, which changes nothing.
    private static let only = "status: running\nvariants: [{ key: only }]\n"

    @Test("Probes report the state of the definitions")
    func probesTellTheState() async throws {
        let routes = try TestedRoutes()
        try await routes.test { client async throws in
            let live = try await client.get("/health/live")
            #expect(live.status == .ok)
            #expect(try live.json() == ["status": "ok"])
            let revision = JSONValue.string(routes.plan.revision)
            let loadedAt = JSONValue.string(Fixture.instant.description)
            let ready: JSONValue = [
                "definitions": ["loaded_at": loadedAt, "revision": revision, "state": "current"], "status": "ready",
            ]
            #expect(try await client.get("/health/ready").json() == ready)

            let failedAt = Instant(seconds: Fixture.instant.seconds + 60)
            routes.allot.plans.noteFailure(["a", "b", "c"], at: failedAt)
            let stale: JSONValue = [
                "definitions": [
                    "failed_at": .string(failedAt.description), "loaded_at": loadedAt, "problems": 3,
                    "revision": revision, "state": "stale",
                ], "status": "ready",
            ]
            let response = try await client.get("/health/ready")
            #expect(response.status == .ok)
            #expect(try response.json() == stale)

            routes.allot.plans.replace(with: routes.plan, loadedAt: failedAt)
            #expect(try await client.get("/health/ready").json() == ready)
        }
    }

    @Test("Requests are counted by route")
    func metricsCountByRoute() async throws {
        // An experiment that no other test has.
        let routes = try TestedRoutes(Fixture.plan(["measured.yaml": Self.only]))
        try await routes.test { client async throws in
            for number in 0..<7 { _ = try await client.get("/activeconfig/user/secret-\(number)") }
            _ = try await client.get("/activeconfig/user/(null)")
            let response = try await client.get("/metrics")
            #expect(response.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
            let lines = response.text.split(separator: "\n")
            #expect(lines.contains(#"allot_evaluations_total{experiment="measured",reason="split"} 7"#))
            #expect(lines.contains(#"allot_evaluations_total{experiment="measured",reason="no-unit"} 1"#))
            #expect(lines.contains("# TYPE allot_http_requests_total counter"))
            #expect(lines.contains("# TYPE allot_http_request_duration_seconds histogram"))
            #expect(lines.contains { $0.hasPrefix("allot_http_requests_total{") && $0.contains("activeconfig/user") })
            // No unit ID gets into a metric.
            #expect(!response.text.contains("secret"))
            for name in lines.filter({ $0.hasPrefix("# TYPE ") }).map({ $0.split(separator: " ")[2] }) {
                #expect(lines.count { $0.hasPrefix("# TYPE \(name) ") } == 1)
            }
        }
    }

    @Test("The counts of an experiment go with its definition, even if a request still uses an earlier plan")
    func metricsOfRemovedExperiments() async throws {
        let text = Self.only
        let routes = try TestedRoutes(Fixture.plan(["leaving.yaml": text, "staying.yaml": text]))
        let plans = routes.allot.plans
        try await routes.test { client async throws in
            func counts(of key: String) async throws -> [Substring] {
                try await client.get("/metrics").text.split(separator: "\n").filter {
                    $0.hasPrefix(#"allot_evaluations_total{experiment="\#(key)""#)
                }
            }
            _ = try await client.get("/activeconfig/user/a")
            #expect(try await counts(of: "leaving").count == 1)
            var earlier: ActivePlan? = plans.current
            plans.replace(with: try Fixture.plan(["staying.yaml": text]), loadedAt: Fixture.instant)
            #expect(try await counts(of: "leaving").isEmpty)
            // Two plans later, the first one still counts for what stayed, and that only.
            _ = earlier?.withScratch(at: Fixture.instant) { $0.decide(Subject(id: "b"), at: Fixture.instant) }
            plans.replace(with: try Fixture.plan(["staying.yaml": text + "\n"]), loadedAt: Fixture.instant)
            earlier = nil
            #expect(try await counts(of: "leaving").isEmpty)
            #expect(try await counts(of: "staying").first?.hasSuffix(" 2") == true)
            // Defined again, it begins from 0.
            plans.replace(with: try Fixture.plan(["leaving.yaml": text]), loadedAt: Fixture.instant)
            _ = try await client.get("/activeconfig/user/c")
            #expect(try await counts(of: "leaving").map { $0.hasSuffix(#",reason="split"} 1"#) } == [true])
            #expect(try await counts(of: "staying").isEmpty)
        }
    }

    @Test("Attributes that are too long for a pattern are counted")
    func unsearchedAttributesAreCounted() async throws {
        let searched = Self.only + #"audience: { text: { $regex: "a+b" } }"#
        let routes = try TestedRoutes(Fixture.plan(["searched.yaml": searched]))
        let name = "allot_unsearched_texts_total"
        try await routes.test { client async throws in
            let before = try await client.metric(name)
            let long = String(repeating: "a", count: 4096) + "b"
            _ = try await client.get("/activeconfig/user/1?text=\(long)")
            _ = try await client.get("/activeconfig/user/2?text=\(long.dropFirst())")
            #expect(try await client.metric(name) == before + 1)
            _ = try await client.get("/activeconfig/user/3?text=\(long)")
            #expect(try await client.metric(name) == before + 2)
        }
    }

    @Test("Gauges follow the plan")
    func gaugesFollowThePlan() async throws {
        let routes = try TestedRoutes()
        let registry = PrometheusRegistry()
        routes.allot.registerGauges(with: registry)
        func lines() -> [Substring] { String(decoding: registry.text(), as: UTF8.self).split(separator: "\n") }
        #expect(lines().contains("allot_definitions_stale 0"))
        #expect(lines().contains("allot_plan_age_seconds 0"))
        routes.allot.plans.noteFailure(["a"], at: Fixture.instant)
        #expect(lines().contains("allot_definitions_stale 1"))
        let changed = try Fixture.plan(["button.yaml": Fixture.changedButton])
        routes.allot.plans.replace(with: changed, loadedAt: Instant(seconds: Fixture.instant.seconds - 90))
        #expect(lines().contains("allot_definitions_stale 0"))
        #expect(lines().contains("allot_plan_age_seconds 90"))
    }
}
