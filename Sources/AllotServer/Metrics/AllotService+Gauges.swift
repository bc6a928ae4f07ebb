import Allot

extension AllotService {
    /// Registers what is measured when it is asked for, and what metrics mean.
    public func registerGauges(with registry: PrometheusRegistry) {
        let (plans, now, exposures) = (plans, now, exposures)
        for (name, help) in MetricName.helps { registry.setHelp(help, for: name) }
        registry.gauge(MetricName.planAge, help: "Seconds since the plan in force was loaded.") {
            Double(now().seconds - plans.current.loadedAt.seconds)
        }
        registry.info(MetricName.planInfo, help: "The revision in force.") {
            [("revision", plans.current.plan.revision)]
        }
        registry.gauge(MetricName.definitionsStale, help: "1 while the definitions cannot be loaded, else 0.") {
            plans.health.failedAt == nil ? 0 : 1
        }
        if let exposures {
            registry.gauge(MetricName.exposureQueue, help: "Exposures that wait to be stored.") {
                Double(exposures.queuedCount)
            }
        }
    }
}
