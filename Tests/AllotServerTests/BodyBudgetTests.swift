import Testing

@testable import AllotServer

struct BodyBudgetTests {
    @Test("Large bodies leave room for small ones")
    func reserve() {
        let budget = BodyBudget(bytes: 8_000_000)
        let large = 4_000_000
        #expect(budget.take(large, of: large))
        #expect(!budget.take(large, of: large))
        #expect(budget.take(3_000_000, of: large))
        #expect(!budget.take(1, of: large))
        #expect(!budget.take(1, of: BodyBudget.smallBody + 1))
        #expect(budget.take(BodyBudget.smallBody, of: BodyBudget.smallBody))
        #expect(budget.take(900_000, of: 0))
        #expect(!budget.take(BodyBudget.smallBody, of: BodyBudget.smallBody))
        budget.giveBack(large)
        #expect(budget.take(1_000_000, of: large))
    }
}
