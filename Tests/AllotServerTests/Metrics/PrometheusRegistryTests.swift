import Metrics
import TestSupport
import Testing

@testable import AllotServer

struct PrometheusRegistryTests {
    private func string(_ registry: PrometheusRegistry) -> String {
        String(decoding: registry.text(), as: UTF8.self)
    }

    @Test("Each kind of metric is written in Prometheus' format")
    func everyKindIsWritten() {
        let registry = PrometheusRegistry(bounds: [0.5, .nan, 0.001, .infinity, 0.5], recorderBounds: [10])
        registry.setHelp("Requests by\nroute \\ \"method\".", for: "http_requests_total")
        let dimensions = [("route", "/a"), ("method", "GET")]
        Counter(label: "http.requests", dimensions: dimensions, factory: registry).increment(by: 2)
        // Equal names and labels are one series: the order of labels and empty ones make no difference.
        let equal = [("method", "GET"), ("route", "/a"), ("z", "")]
        Counter(label: "http.requests_total", dimensions: equal, factory: registry).increment()
        FloatingPointCounter(label: "cost", factory: registry).increment(by: 0.25)
        Gauge(label: "streams", factory: registry).record(5)
        let meter = Meter(label: "streams", factory: registry)
        meter.increment(by: 2.5)
        meter.decrement(by: 1)
        Gauge(label: "level", factory: registry).record(-1.5)
        let recorder = Recorder(label: "size", factory: registry)
        recorder.record(10)
        recorder.record(11.5)
        let timer = Timer(label: "wait", dimensions: [("route", "/a")], factory: registry)
        timer.recordNanoseconds(1_000_000)
        timer.recordNanoseconds(2_000_000)
        timer.recordSeconds(3)
        registry.gauge("plan_age_seconds", help: "Age.") { 12 }
        #expect(
            string(registry) == #"""
                # TYPE cost_total counter
                cost_total 0.25
                # HELP http_requests_total Requests by\nroute \\ "method".
                # TYPE http_requests_total counter
                http_requests_total{method="GET",route="/a"} 3
                # TYPE level gauge
                level -1.5
                # HELP plan_age_seconds Age.
                # TYPE plan_age_seconds gauge
                plan_age_seconds 12
                # TYPE size histogram
                size_bucket{le="10"} 1
                size_bucket{le="+Inf"} 2
                size_sum 21.5
                size_count 2
                # TYPE streams gauge
                streams 6.5
                # TYPE wait_seconds histogram
                wait_seconds_bucket{route="/a",le="0.001"} 1
                wait_seconds_bucket{route="/a",le="0.5"} 2
                wait_seconds_bucket{route="/a",le="+Inf"} 3
                wait_seconds_sum{route="/a"} 3.003
                wait_seconds_count{route="/a"} 3

                """#)
    }

    @Test("Series are in the order of their values")
    func seriesAreInOrder() {
        let registry = PrometheusRegistry()
        for value in ["a b", "b", "a", "a!"] {
            Gauge(label: "g", dimensions: [("k", value)], factory: registry).record(1)
        }
        let lines = ["a", "a b", "a!", "b"].map { "g{k=\"\($0)\"} 1\n" }
        #expect(string(registry) == "# TYPE g gauge\n" + lines.joined())
    }

    @Test("A counter only grows and stays in range")
    func countersOnlyGrowAndStayInRange() throws {
        let registry = PrometheusRegistry()
        let whole = registry.makeCounter(label: "whole", dimensions: [])
        whole.increment(by: 9_007_199_254_740_991)
        whole.increment(by: -1)
        #expect(string(registry).contains("whole_total 9007199254740991\n"))
        let fraction = registry.makeFloatingPointCounter(label: "whole", dimensions: [])
        #expect(fraction === whole)
        whole.reset()
        #expect(string(registry).contains("whole_total 0\n"))
        for amount in [0.5, -1, .nan, .infinity, -.infinity, 0, 0.25] { fraction.increment(by: amount) }
        #expect(try Exposition(registry.text())["whole_total"] == 0.75)
        fraction.increment(by: .greatestFiniteMagnitude)
        fraction.increment(by: .greatestFiniteMagnitude)
        #expect(try Exposition(registry.text())["whole_total"] == .greatestFiniteMagnitude)
    }

    @Test("A gauge shows every number")
    func gaugesShowEveryNumber() throws {
        let registry = PrometheusRegistry()
        let gauge = registry.makeMeter(label: "g", dimensions: [])
        for (value, text) in [
            (Double.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (-0.0, "0"), (1e300, "1e+300"),
            (0.1, "0.1"), (-7, "-7"),
        ] {
            gauge.set(value)
            #expect(string(registry) == "# TYPE g gauge\ng \(text)\n")
        }
        gauge.set(Int64(4))
        gauge.increment(by: -1)
        gauge.decrement(by: .nan)
        #expect(try Exposition(registry.text())["g"] == 4)
    }

    @Test("Odd durations and values do not spoil a histogram")
    func oddDurationsAndValuesSpoilNothing() throws {
        let registry = PrometheusRegistry(bounds: [0.1])
        let timer = registry.makeTimer(label: "t", dimensions: [])
        for duration in [-5, 0, 100_000_000, 100_000_001] as [Int64] { timer.recordNanoseconds(duration) }
        let recorder = registry.makeRecorder(label: "r", dimensions: [], aggregate: true)
        for value in [.nan, .infinity, -.infinity, -3.5] { recorder.record(value) }
        let seen = try Exposition(registry.text())
        #expect(seen["t_seconds_bucket", ["le": "0.1"]] == 3)
        #expect(seen["t_seconds_count"] == 4)
        #expect(seen["t_seconds_sum"] == 0.200000001)
        #expect(seen["r_count"] == 1)
        #expect(seen["r_sum"] == -3.5)
    }

    @Test(
        "Names and labels have the form that Prometheus takes, and units are not doubled",
        arguments: [
            ("a.b-c", "a_b_c_total"), ("", "__total"), ("9lives", "_9lives_total"), ("a:b", "a:b_total"),
            ("é", "__total"), ("a\nb 1", "a_b_1_total"), ("a_total", "a_total"),
        ])
    func names(_ name: String, _ expected: String) throws {
        let labels = [
            "a:b": "a_b", "le": "exported_le", "__name__": "exported__name__", "_x": "_x", "1": "_1",
        ]
        let registry = PrometheusRegistry()
        #expect(registry.text().isEmpty)
        for label in labels.keys { Counter(label: name, dimensions: [(label, "v")], factory: registry).increment() }
        Timer(label: "wait_seconds", factory: registry).recordNanoseconds(1)
        let seen = try Exposition(registry.text())
        for label in labels.values { #expect(seen[expected, [label: "v"]] == 1, "\(label)") }
        #expect(seen["wait_seconds_count"] == 1)
    }

    /// The label values with which a counter of a registry with room for one series is counted, in the text.
    @Test(
        "Values are cut between characters, the last of equal names counts, and those beyond the limit share a series",
        arguments: [
            ([[("k", "x" + String(repeating: "é", count: 500))]], ["x" + String(repeating: "é", count: 127): 1]),
            ([[("k", "1"), ("k", "2")]], ["2": 1]),
            ([[("k", "1")], [("k", "2")], [("k", "3")], [("k", "1")]], ["1": 2, "other": 2]),
            ([[("k", "other")], [("k", "x")], [("k", "y")]], ["other": 3]),
        ] as [([[(String, String)]], [String: Double])])
    func labels(_ dimensions: [[(String, String)]], _ expected: [String: Double]) throws {
        let registry = PrometheusRegistry(seriesLimit: 1)
        for each in dimensions { Counter(label: "a", dimensions: each, factory: registry).increment() }
        let seen = try Exposition(registry.text())
        #expect(seen.samples.count == expected.count)
        for (value, count) in expected { #expect(seen["a_total", ["k": value]] == count, "\(value)") }
        // The series without labels is always there.
        Counter(label: "a", factory: registry).increment(by: 7)
        #expect(try Exposition(registry.text())["a_total"] == 7)
    }

    @Test("A destroyed series is not shown, starts again from 0, and makes room, but for one that others share")
    func destroyedSeries() throws {
        let registry = PrometheusRegistry(seriesLimit: 1)
        let counter = Counter(label: "a", dimensions: [("k", "1")], factory: registry)
        counter.increment(by: 5)
        let other = Counter(label: "a", dimensions: [("k", "2")], factory: registry)
        Timer(label: "t", factory: registry).destroy()
        Meter(label: "m", factory: registry).destroy()
        Recorder(label: "r", factory: registry).destroy()
        Gauge(label: "g", factory: registry).destroy()
        FloatingPointCounter(label: "f", factory: registry).destroy()
        other.destroy()
        counter.destroy()
        #expect(string(registry) == "# TYPE a_total counter\na_total{k=\"other\"} 0\n")
        let again = registry.makeCounter(label: "b", dimensions: [])
        registry.destroyCounter(again)
        registry.makeCounter(label: "b", dimensions: []).increment(by: 1)
        // The handler that is out already takes nothing else out.
        again.increment(by: 1)
        registry.destroyCounter(again)
        #expect(try Exposition(registry.text())["b_total"] == 1)
    }

    @Test("A measured gauge can be replaced and may use the registry")
    func measuredGauges() throws {
        let registry = PrometheusRegistry()
        registry.gauge("queue", help: "Old.") { 1 }
        registry.gauge("queue", help: "New.") { [weak registry] in
            if let registry { Counter(label: "scrapes", factory: registry).increment() }
            return 2
        }
        // Numbers that are set do not replace what is measured.
        Gauge(label: "queue", factory: registry).record(9)
        #expect(string(registry) == "# HELP queue New.\n# TYPE queue gauge\nqueue 2\n")
        // Measuring comes before the line of the counter: it shows both times.
        #expect(try Exposition(registry.text())["scrapes_total"] == 2)
    }

    @Test("A histogram has a limited number of buckets, and at least one")
    func bucketsAreLimited() throws {
        let registry = PrometheusRegistry(recorderBounds: (0..<100).map { Double($0) })
        Recorder(label: "r", factory: registry).record(30.5)
        let seen = try Exposition(registry.text())
        #expect(seen.samples.count { $0.name == "r_bucket" } == 32)
        #expect(seen["r_bucket", ["le": "30"]] == 0)
        #expect(seen["r_bucket", ["le": "+Inf"]] == 1)
        let bare = PrometheusRegistry(recorderBounds: [])
        Recorder(label: "r", factory: bare).record(1)
        #expect(try Exposition(bare.text())["r_bucket", ["le": "+Inf"]] == 1)
    }

    @Test("A name has one kind")
    func aNameHasOneKind() throws {
        let registry = PrometheusRegistry()
        Recorder(label: "x", factory: registry).record(1)
        Gauge(label: "x", factory: registry).record(2)
        Gauge(label: "x_sum", factory: registry).record(3)
        Gauge(label: "y_total", factory: registry).record(4)
        Counter(label: "y", factory: registry).increment(by: 5)
        Gauge(label: "z_count", factory: registry).record(6)
        Recorder(label: "z", factory: registry).record(7)
        registry.measure("x", help: "Help.") { [([("a", "b")], 8)] }
        let seen = try Exposition(registry.text())
        #expect(seen.helps == ["x_gauge": "Help."])
        #expect(
            seen.types == [
                "x": "histogram", "x_gauge": "gauge", "x_sum_gauge": "gauge", "y_total": "gauge",
                "y_counter_total": "counter", "z_count": "gauge", "z_histogram": "histogram",
            ])
        #expect(seen["x_gauge", ["a": "b"]] == 8)
        let values = ["x_gauge", "x_sum_gauge", "y_total", "y_counter_total", "z_count", "z_histogram_sum"]
        #expect(values.map { seen[$0] } == [2, 3, 4, 5, 6, 7])
    }

    @Test("Hostile text can be read back as it was", arguments: 0..<20)
    func hostileTextComesBackAsItWas(_ seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet: [Character] = [
            "a", "Z", "7", "_", ":", "\"", "\\", "\n", "\r", "{", "}", "=", ",", " ", "é", "#", "\0",
        ]
        func word() -> String {
            String(
                (0..<Int.random(in: 1...6, using: &generator)).compactMap { _ in
                    alphabet.randomElement(using: &generator)
                })
        }
        let registry = PrometheusRegistry()
        var expected: [[String: String]: Double] = [:]
        let help = word() + "x"
        registry.setHelp(help, for: "m_total")
        for _ in 0..<30 {
            let (key, value, amount) = (word(), word(), Int64.random(in: 1...99, using: &generator))
            Counter(label: "m", dimensions: [(key, value)], factory: registry).increment(by: amount)
            expected[[PrometheusText.labelName(key): value], default: 0] += Double(amount)
            Recorder(label: word(), dimensions: [(key, value)], factory: registry).record(amount)
        }
        let seen = try Exposition(registry.text())
        #expect(seen.helps == ["m_total": help])
        #expect(seen.samples.filter { $0.name == "m_total" }.count == expected.count)
        for (labels, value) in expected { #expect(seen["m_total", labels] == value) }
    }

    @Test("Histograms agree with counting", arguments: 0..<10)
    func histogramsAgreeWithCounting(_ seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        let registry = PrometheusRegistry()
        let timer = registry.makeTimer(label: "t", dimensions: [])
        let random = (0..<500).map { _ in
            Int64.random(in: 0...(Int64(1) << Int64.random(in: 10...35, using: &generator)), using: &generator)
        }
        // A value on a bound is not above it.
        let bounds = PrometheusRegistry.defaultBounds.map { Int64($0 * 1e9 + 0.5) }
        let durations = random + bounds + bounds.map { $0 + 1 }
        for duration in durations { timer.recordNanoseconds(duration) }
        let seen = try Exposition(registry.text())
        for bound in PrometheusRegistry.defaultBounds {
            let label = ["le": PrometheusText.number(bound)]
            #expect(seen["t_seconds_bucket", label] == Double(durations.count { Double($0) / 1e9 <= bound }))
        }
        #expect(seen["t_seconds_bucket", ["le": "+Inf"]] == Double(durations.count))
        #expect(seen["t_seconds_sum"] == Double(durations.reduce(0, +)) / 1e9)
    }

    @Test("Many tasks count exactly")
    func manyTasksCountExactly() async throws {
        let registry = PrometheusRegistry(bounds: [0.5])
        let (tasks, rounds) = (16, 2_000)
        await withTaskGroup { group in
            for task in 0..<tasks {
                group.addTask {
                    for round in 0..<rounds {
                        let dimensions = [("k", "\(round % 5)")]
                        Counter(label: "whole", dimensions: dimensions, factory: registry).increment()
                        FloatingPointCounter(label: "fraction", factory: registry).increment(by: 0.5)
                        Meter(label: "level", factory: registry).increment(by: task % 2 == 0 ? 2 : 1)
                        Timer(label: "t", factory: registry).recordNanoseconds(
                            round % 2 == 0 ? 250_000_000 : 1_000_000_000)
                        if round % 500 == 0 { _ = registry.text() }
                    }
                }
            }
        }
        let total = Double(tasks * rounds)
        let seen = try Exposition(registry.text())
        for key in 0..<5 { #expect(seen["whole_total", ["k": "\(key)"]] == total / 5) }
        #expect(seen["fraction_total"] == total / 2)
        #expect(seen["level"] == total * 1.5)
        #expect(seen["t_seconds_bucket", ["le": "0.5"]] == total / 2)
        #expect(seen["t_seconds_count"] == total)
        #expect(seen["t_seconds_sum"] == total * 0.625)
    }
}
