import AllotExposures
import AllotServing

extension AllotService {
    /// The most experiments that have a series of their own with their owner.
    private static var informedExperiments: Int { 10_000 }

    /// Registers the gauges that are measured each time the metrics are read, and the help texts of all metrics.
    package func registerGauges(with registry: PrometheusRegistry) {
        let (plans, exposures) = (plans, exposures)
        for (name, help) in MetricName.helps { registry.setHelp(help, for: name) }
        registry.gauge(MetricName.planAge, help: "Seconds since the current plan was loaded.") {
            Double(plans.clock.now().seconds - plans.current.loadedAt.seconds)
        }
        registry.info(MetricName.planInfo, help: "The current revision.") {
            [("revision", plans.current.plan.revision)]
        }
        registry.measure(
            MetricName.experimentInfo,
            help: "The owner and the status of each experiment, for joins; at most \(Self.informedExperiments)."
        ) {
            plans.current.plan.experiments.prefix(Self.informedExperiments).map {
                ([("experiment", $0.key), ("owner", $0.owner ?? ""), ("status", $0.status.rawValue)], 1)
            }
        }
        registry.gauge(MetricName.definitionsStale, help: "1 while the definitions cannot be loaded, else 0.") {
            plans.failure == nil ? 0 : 1
        }
        if let exposures {
            registry.gauge(MetricName.exposureQueue, help: "Exposures that wait to be stored.") {
                Double(exposures.store?.queuedCount ?? 0)
            }
            registry.gauge(MetricName.exposureStoreHealthy, help: "1 while exposures can be stored, else 0.") {
                exposures.health == .healthy ? 1 : 0
            }
        }
    }
}
