import Testing

@testable import AllotServing

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

    @Test("Fields with one name are one value, however many there are")
    func repeatedFields() {
        let headers = [(name: "A", value: "x")] + (0..<100_000).map { (name: "a", value: String($0 % 10)) }
        let request = ServiceRequest(method: "GET", target: "/", headers: headers)
        let value = request.header("a")
        #expect(value?.hasPrefix("x, 0, 1") == true)
        #expect(value?.utf8.count == 1 + 100_000 * 3)
        #expect(request.header("b") == nil)
    }

    @Test("A body takes room as it arrives, and gives it back with its request")
    func room() throws {
        let budget = BodyBudget(bytes: 800)
        do {
            var request = ServiceRequest(method: "POST", target: "/exposures")
            try request.receive([UInt8](repeating: 0, count: 400), limit: 1000, announced: 0, of: budget)
            try request.receive([UInt8](repeating: 0, count: 300), limit: 1000, announced: 0, of: budget)
            #expect(request.body.count == 700)
            #expect(!budget.take(101, of: 101))
            let failure = #expect(throws: RequestFailure.self) {
                try request.receive([UInt8](repeating: 0, count: 101), limit: 1000, announced: 0, of: budget)
            }
            #expect(failure?.code == .serviceUnavailable)
            var copy = request
            copy.dropBody()
            #expect(copy.body.isEmpty && !budget.take(101, of: 101))
            request.dropBody()
            #expect(budget.take(800, of: 800))
            budget.giveBack(800)
        }
        #expect(budget.take(800, of: 800))
    }
}
