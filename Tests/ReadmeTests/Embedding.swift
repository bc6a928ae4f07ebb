import Allot

/// The configuration of one user, and its decisions.
func checkoutForUser(folder: String = "Experiments") throws -> String {
    let plan = try Plan.load(folder: folder)  // keep it: it is immutable and safe to share
    let user = Subject(id: "user-42", attributes: ["country": "DE", "app_version": "4.2.0", "orders": 3])
    let configuration = plan.configuration(for: user, at: .now)
    let color = configuration.text("Checkout", "ButtonColor") ?? "not set"
    let assigned = plan.assignments(for: user, at: .now).filter { $0.variant != nil }
    return "\(color), because of \(assigned.map { "\($0.experiment)=\($0.variant ?? "")" })"
}
