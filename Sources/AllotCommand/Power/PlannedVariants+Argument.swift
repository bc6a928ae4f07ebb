import AllotAnalysis
import ArgumentParser

extension PlannedVariants {
    /// Shares as in "50,25,25" or "control=2,blue=1,green=1": the control's first.
    init(argument: String) throws {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { part in
            part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        guard parts.count <= PowerTestOptions.mostVariants else {
            throw ValidationError("\(PowerTestOptions.mostVariants) variants are the most")
        }
        let weights = try parts.map { part in
            guard let weight = try? CommandNumber(argument: part[part.count - 1]), weight.value > 0 else {
                throw ValidationError(
                    "shares are numbers above 0, the control's first, such as 50,50 or control=1,blue=2")
            }
            return weight.value
        }
        let named = parts.filter { $0.count == 2 }.map { $0[0] }
        guard named.isEmpty || named.count == parts.count, !named.contains("") else {
            throw ValidationError("name all variants or none, as in control=50,treatment=50")
        }
        if let name = named.first(where: { name in named.count { $0 == name } > 1 }) {
            throw ValidationError("the name \(name) is given twice")
        }
        do {
            try self.init(weights: weights, names: named)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
