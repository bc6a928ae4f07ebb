import AllotConfiguration
import AllotCore
import AllotStatistics
import Foundation
import TestSupport
import Testing

@testable import AllotAnalysis

/// Salts that are chosen for balance, and tests of their experiments, against a slow oracle: the engine decides each
/// unit by itself under each salt, and numbers are sums over units.
struct RerandomisationTests {
    /// Units with a number and an outcome that depends on it.
    private struct Shop {
        var definitions: Definitions
        var ids: [String]
        var orders: [Double]
        var outcomes: [Double]

        static let instant = Instant(seconds: 1_800_000_000)

        /// - Parameter shares: The shares of the variants in buckets.
        init(_ count: Int, seed: Int, key: String = "e", shares: [Int] = [500_000, 500_000], traffic: Int = 1_000_000) {
            var random = SeededGenerator(seed: seed)
            ids = (0..<count).map { "unit-\($0)" }
            orders = ids.map { _ in Double(random.number(0...1000)) / 8 }
            outcomes = orders.map { $0 * 0.2 + Double(random.number(-100...100)) / 20 }
            var experiment = ExperimentDefinition.sample(key)
            experiment.status = .draft
            experiment.traffic = .constant(traffic)
            var start = 0
            experiment.variants = shares.enumerated().map { index, share in
                defer { start += share }
                return VariantDefinition(key: "v\(index)", buckets: [start..<start + share], overrides: [:])
            }
            experiment.audience =
                ConditionParser.parse(["country": "DE"], segments: SegmentTable()).condition ?? .everyone
            definitions = Definitions([experiment])
        }

        func country(_ index: Int) -> String { index % 5 == 0 ? "FR" : "DE" }

        var users: String {
            "user_id,country,orders\n"
                + ids.indices.map { "\(ids[$0]),\(country($0)),\(orders[$0])\n" }.joined()
        }

        var outcomeRows: String { "user_id,revenue\n" + ids.indices.map { "\(ids[$0]),\(outcomes[$0])\n" }.joined() }

        func running(_ salt: String) throws -> Definitions {
            var running = definitions
            running.experiments[0].status = .running
            running.experiments[0].draw?.hash = .sha256(try #require(Salt(salt)))
            return running
        }

        /// The variant of each unit under a salt, as the engine decides.
        func variants(_ salt: String) throws -> [Int?] {
            let plan = Plan(try running(salt))
            return ids.indices.map { index in
                var subject = Subject(id: ids[index])
                subject.setUntyped("country", country(index))
                let variant = plan.assignments(for: subject, at: Self.instant)[0].variant
                return variant.flatMap { key in plan.experiments[0].variants.firstIndex { $0.key == key } }
            }
        }

        /// The distance of the arms in orders, by its definition.
        func distance(_ variants: [Int?]) -> Double {
            let eligible = ids.indices.filter { country($0) == "DE" }.map { orders[$0] }
            let mean = eligible.reduce(0, +) / Double(eligible.count)
            let variance = eligible.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(eligible.count - 1)
            let means = Self.means(orders, variants)
            let all = means.reduce(0) { $0 + $1.mean * $1.count } / means.reduce(0) { $0 + $1.count }
            return means.reduce(0) { $0 + $1.count * ($1.mean - all) * ($1.mean - all) } / variance
        }

        static func means(_ values: [Double], _ variants: [Int?]) -> [(mean: Double, count: Double)] {
            (0...(variants.compactMap(\.self).max() ?? 0)).map { variant in
                let own = values.indices.filter { variants[$0] == variant }.map { values[$0] }
                return (own.reduce(0, +) / Double(own.count), Double(own.count))
            }
        }

        func choice(_ rule: ChosenRandomisation.Rule) async throws -> SaltChoice {
            var question = SaltQuestion(balance: ["orders"], rule: rule)
            question.taskCount = 2
            return try await question.choice(
                for: 0, of: Plan(definitions), at: Self.instant,
                users: HashedInput(Array(users.utf8), name: "users.csv"))
        }

        /// The shop after the choice, as it runs.
        func chosen(_ choice: SaltChoice) throws -> Shop {
            var shop = self
            shop.definitions = try running(choice.salt.text)
            shop.definitions.experiments[0].randomisation = choice.record
            return shop
        }

        func report(_ question: RerandomisationQuestion, outcomes: String? = nil) async throws -> RerandomisationReport
        {
            try await question.report(
                on: HashedInput(Array((outcomes ?? outcomeRows).utf8), name: "outcomes.csv"), for: 0,
                of: Plan(definitions), at: Self.instant, users: HashedInput(Array(users.utf8), name: "users.csv"))
        }
    }

    @Test(
        "The first salt below the quantile is chosen, of the units that the engine enrols",
        arguments: [
            ([500_000, 500_000], 1_000_000), ([200_000, 300_000, 400_000], 1_000_000), ([500_000, 500_000], 600_000),
        ])
    func accepted(shares: [Int], traffic: Int) async throws {
        let shop = Shop(150, seed: 3, shares: shares, traffic: traffic)
        let choice = try await shop.choice(.accept(0.05))
        let threshold = BalanceCriterion(rank: 1, armCount: shares.count).threshold(acceptance: 0.05)
        var number = 1
        while case let distance = shop.distance(try shop.variants("e.\(number)")), distance > threshold { number += 1 }
        #expect(choice.salt.text == "e.\(number)")
        #expect(choice.record.tried == number)
        let expected = shop.distance(try shop.variants(choice.salt.text))
        #expect(abs(choice.record.distance - expected) < 1e-9 * max(expected, 1e-3))
        #expect(abs(choice.distanceBefore - shop.distance(try shop.variants("e"))) < 1e-9)
        #expect(choice.unitCount == 120)
        let counts = Shop.means(shop.orders, try shop.variants(choice.salt.text)).map { Int($0.count) }
        #expect(choice.arms.map(\.units) == counts)
        #expect(choice.notes == ["30 rows are of units that could not be enrolled, by reason: audience 30"])
    }

    /// Made with hashlib and numpy: salts e.1 to e.30 by SHA-256(salt ":" unit), the columns
    /// [orders or their mean, orders missing, country DE, FR, missing], and np.linalg.pinv(np.cov(X.T)).
    @Test(
        "Numbers, texts and missing values give the salt and distances of hashlib and numpy",
        arguments: [
            (
                [500_000, 500_000], 3, 0.7407877945552268, 4.298947141799966,
                [-0.118786, 0, 0.20702, -0.105409, -0.105409]
            ),
            (
                [200_000, 300_000, 500_000], 21, 3.8112713681300945, 7.4563287788058314,
                [0.515337, -0.262358, 0.062733, 0.606902, -0.670786]
            ),
        ])
    func numpy(shares: [Int], number: Int, distance: Double, before: Double, differences: [Double]) async throws {
        var shop = Shop(1, seed: 1, shares: shares)
        shop.definitions.experiments[0].audience = .everyone
        let rows = (0..<40).map { unit in
            "u\(unit),\(unit % 11 == 0 ? "" : "\(unit * 37 % 23)"),\(["DE", "FR", ""][unit % 3])\n"
        }
        let users = "user_id,orders,country\n" + rows.joined()
        let choice = try await SaltQuestion(balance: ["orders", "country"], rule: .tries(30)).choice(
            for: 0, of: Plan(shop.definitions), at: Shop.instant,
            users: HashedInput(Array(users.utf8), name: "users.csv"))
        #expect(choice.number == number)
        #expect(abs(choice.record.distance - distance) < 1e-9)
        #expect(abs(choice.distanceBefore - before) < 1e-9)
        #expect(choice.criterion.rank == 4)
        let names = ["orders", "orders missing", "country = DE", "country = FR", "country missing"]
        #expect(choice.covariates.map(\.name) == names)
        for (covariate, difference) in zip(choice.covariates, differences) {
            #expect(abs(covariate.after - difference) < 1e-6)
        }
    }

    @Test("The best of some salts is chosen, whatever the number of tasks")
    func best() async throws {
        let shop = Shop(100, seed: 4)
        let choice = try await shop.choice(.tries(20))
        let distances = try (1...20).map { shop.distance(try shop.variants("e.\($0)")) }
        #expect(choice.number == (distances.firstIndex(of: distances.min() ?? 0) ?? -1) + 1)
        #expect(choice.record.tried == 20)
        // More candidates than are worked through at once.
        let small = Shop(20, seed: 4)
        let (few, many) = (try await small.choice(.tries(4096)), try await small.choice(.tries(4100)))
        #expect(many.record.tried == 4100)
        #expect(
            few.number == many.number || (many.number > 4096 && many.record.distance < few.record.distance))
    }

    @Test(
        "A draw is what the engine would have decided, and the test counts those that are as extreme",
        arguments: [false, true])
    func test(isChosen: Bool) async throws {
        var shop = Shop(100, seed: 5)
        shop.definitions = try shop.running("e")
        let threshold = BalanceCriterion(rank: 1, armCount: 2).threshold(acceptance: 0.2)
        var first = 1
        if isChosen {
            shop.definitions.experiments[0].status = .draft
            let choice = try await shop.choice(.accept(0.2))
            shop = try shop.chosen(choice)
            first = choice.record.tried + 1
        }
        let observed = try shop.variants(shop.definitions.experiments[0].salt ?? "")
        // A constant effect.
        for (index, variant) in observed.enumerated() where variant == 1 { shop.outcomes[index] += 2 }
        var question = RerandomisationQuestion()
        (question.draws, question.alpha, question.taskCount) = (39, 0.1, 2)
        let report = try await shop.report(question)
        let difference = { (variants: [Int?]) -> Double in
            let means = Shop.means(shop.outcomes, variants)
            return means[1].mean - means[0].mean
        }
        var draws: [Double] = []
        while draws.count < 39 {
            let variants = try shop.variants("e.\(first)")
            first += 1
            if !isChosen || shop.distance(variants) <= threshold { draws.append(difference(variants)) }
        }
        let test = report.analyses[0].tests.tests[0]
        #expect(abs(test.estimate - difference(observed)) < 1e-9)
        for (effect, expected) in zip(test.effects, draws.sorted()) { #expect(abs(effect - expected) < 1e-9) }
        let extreme = draws.count { abs($0) >= abs(difference(observed)) }
        #expect(abs(test.pValue.value - Double(1 + extreme) / 40) < 1e-12)
        #expect(test.interval(level: 0.025).contains(2))
    }

    @Test("Draws divide all units that variants with a part of the buckets have", arguments: [false, true])
    func partOfBuckets(isChosen: Bool) async throws {
        var shop = Shop(2500, seed: 11, shares: [100_000, 50_000], traffic: 900_000)
        shop.outcomes = shop.outcomes.indices.map { shop.outcomes[$0] - 0.2 * shop.orders[$0] }
        if isChosen {
            shop = try shop.chosen(try await shop.choice(.accept(0.5)))
        } else {
            shop.definitions = try shop.running("e")
        }
        let observed = try shop.variants(shop.definitions.experiments[0].salt ?? "")
        var question = RerandomisationQuestion()
        (question.draws, question.taskCount) = (399, 2)
        let report = try await shop.report(question)
        let means = Shop.means(shop.outcomes, observed)
        let test = report.analyses[0].tests.tests[0]
        #expect(abs(test.estimate - (means[1].mean - means[0].mean)) < 1e-9)
        #expect(!report.notes.contains { $0.contains("when it was chosen") })
        let enrolled = shop.ids.indices.filter { observed[$0] != nil }.map { shop.outcomes[$0] }
        // Neyman's variance, which draws of fewer units exceed by far; a standard deviation of 399 is known to 3.5%.
        let expected = SampleMoments(enrolled).variance * (1 / means[0].count + 1 / means[1].count)
        let spread = test.effects.reduce(0) { $0 + $1 * $1 } / 399
        #expect(abs((spread / expected).squareRoot() - 1) < 0.15)
    }

    @Test("Adjustment is for what covariates explain, and more arms have a test together")
    func adjusted() async throws {
        var shop = Shop(200, seed: 6, shares: [300_000, 300_000, 400_000])
        shop = try shop.chosen(try await shop.choice(.tries(5)))
        let observed = try shop.variants(shop.definitions.experiments[0].salt ?? "")
        for (index, variant) in observed.enumerated() where variant == 2 { shop.outcomes[index] += 4 }
        var question = RerandomisationQuestion()
        (question.draws, question.adjust) = (99, ["orders"])
        let report = try await shop.report(question)
        #expect(report.analyses.map(\.isAdjusted) == [false, true])
        let adjusted = report.analyses[1].tests
        #expect(adjusted.jointPValue == PValue(0.01))
        #expect(adjusted.tests[1].interval(level: 0.01).contains(4))
        #expect(adjusted.tests[0].interval(level: 0.01).contains(0))
        #expect(adjusted.adjustedPValues[1] <= PValue(0.021))
        #expect(report.sample.arms.map(\.units).reduce(0, +) == 160)
    }

    @Test("Ratios are compared by their linear part, and rates are named so")
    func ratios() async throws {
        var shop = Shop(120, seed: 7)
        shop.definitions = try shop.running("e")
        var question = RerandomisationQuestion()
        (question.metric, question.ratio, question.draws) = ("clicks", "views", 99)
        let rows = shop.ids.indices.map { "\(shop.ids[$0]),\($0 % 3),\($0 % 7 + 3)\n" }.joined()
        let report = try await shop.report(question, outcomes: "user_id,clicks,views\n" + rows)
        let observed = try shop.variants("e")
        let ratio = { (variant: Int) -> Double in
            let own = shop.ids.indices.filter { observed[$0] == variant }
            return Double(own.reduce(0) { $0 + $1 % 3 }) / Double(own.reduce(0) { $0 + $1 % 7 + 3 })
        }
        #expect(abs(report.sample.arms[0].value - ratio(0)) < 1e-12)
        #expect(abs(report.analyses[0].tests.tests[0].estimate - (ratio(1) - ratio(0))) < 0.01)
        let bought = shop.ids.indices.map { "\(shop.ids[$0]),\($0 % 2)\n" }.joined()
        let rates = try await shop.report(RerandomisationQuestion(), outcomes: "user_id,bought\n" + bought)
        #expect(rates.sample.isProportion)
    }

    /// The number of experiments; the review of this method had 1,000 accounts and the best of 100.
    private static let experimentCount =
        ProcessInfo.processInfo.environment["ALLOT_RERANDOMISED_EXPERIMENTS"].flatMap { Int($0) } ?? 10

    @Test("The best of many salts takes away what covariates explain of the difference")
    func gain() async throws {
        let isLarge = Self.experimentCount > 10
        var (before, after) = (0.0, 0.0)
        for number in 0..<Self.experimentCount {
            var shop = Shop(isLarge ? 1000 : 150, seed: 9, key: "e\(number)")
            // A correlation of 0.97 with what is balanced.
            shop.outcomes = zip(shop.orders, shop.outcomes).map { $0 * 0.2 + ($1 - $0 * 0.2) * 0.63 }
            let choice = try await shop.choice(.tries(isLarge ? 100 : 40))
            for (isAfter, salt) in [(false, "e\(number)"), (true, choice.salt.text)] {
                let means = Shop.means(shop.outcomes, try shop.variants(salt))
                let square = (means[1].mean - means[0].mean) * (means[1].mean - means[0].mean)
                if isAfter { after += square } else { before += square }
            }
        }
        // 0.24 and what this number of experiments leaves to chance.
        #expect((after / before).squareRoot() < (isLarge ? 0.3 : 0.8))
    }

    @Test("Files that leave no choice are refused")
    func refusals() async throws {
        let shop = Shop(20, seed: 1)
        func fault(_ users: String, _ change: (inout ExperimentDefinition) -> Void = { _ in }) async -> String {
            var definitions = shop.definitions
            change(&definitions.experiments[0])
            do {
                _ = try await SaltQuestion(balance: ["orders"], rule: .accept(0.1)).choice(
                    for: 0, of: Plan(definitions), at: Shop.instant,
                    users: HashedInput(Array(users.utf8), name: "users.csv"))
                return ""
            } catch {
                return "\(error)"
            }
        }
        let head = "user_id,country,orders\n"
        let running = await fault(shop.users) { $0.status = .running }
        #expect(running.hasPrefix("e is running, and another salt would give its units other variants; copy it"))
        let constant = await fault(head + (0..<9).map { "u\($0),DE,3\n" }.joined())
        #expect(constant.hasPrefix("the covariate \"orders\" has one value for all 9 units"))
        let decimal = await fault(head + (0..<2000).map { "u\($0),DE,\($0 == 9 ? "" : "0.1")\n" }.joined())
        #expect(decimal.hasPrefix("the covariate \"orders\" has one value for all 2000 units"))
        let repeated = await fault(head + "a,DE,1\nb,DE,2\na,DE,3\n")
        #expect(repeated == "users.csv:4:1: the unit \"a\" is also on line 2; keep one row of each unit")
        let few = await fault(head + "a,DE,1\nb,FR,2\n")
        #expect(few.hasPrefix("the experiment could enrol 1 of the units, too few for 2 arms (1 row is"))
        let texts = await fault(head + (0..<60).map { "u\($0),DE,x\($0)\n" }.joined())
        #expect(texts.hasPrefix("users.csv:52:"), "\(texts)")
        #expect(await fault("user_id,country\na,DE\n").contains("has no column \"orders\""))
        let one = await fault(shop.users) { $0.variants.removeLast() }
        #expect(one == "e has one variant with buckets, so that no arms can be balanced")
    }

    @Test("Outcomes that cannot be tested are refused")
    func refusedOutcomes() async throws {
        var shop = Shop(40, seed: 2)
        shop = try shop.chosen(try await shop.choice(.accept(0.3)))
        func fault(_ outcomes: String, users: String? = nil, draws: Int = 19) async -> String {
            var question = RerandomisationQuestion()
            question.draws = draws
            do {
                _ = try await question.report(
                    on: HashedInput(Array(outcomes.utf8), name: "outcomes.csv"), for: 0, of: Plan(shop.definitions),
                    at: Shop.instant, users: users.map { HashedInput(Array($0.utf8), name: "users.csv") })
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(await fault(shop.outcomeRows, users: shop.users) == "")
        #expect(
            await fault(shop.outcomeRows).hasPrefix("the salt of e was chosen for balance in orders; give the file"))
        #expect(await fault(shop.outcomeRows, users: shop.users + "x,DE,1\n").hasPrefix("users.csv is not the file by"))
        #expect(await fault(shop.outcomeRows, users: shop.users, draws: 18).hasPrefix("18 draws cannot find anything"))
        let text = "user_id,revenue\nunit-1,much\n"
        #expect(await fault(text, users: shop.users).hasPrefix("outcomes.csv:2:8: \"much\" is not a number"))
        let twice = "user_id,revenue\nunit-1,1\nunit-1,2\n"
        #expect(
            await fault(twice, users: shop.users).hasPrefix("outcomes.csv:3:1: the unit \"unit-1\" is also on line 2"))
        let none = "user_id,revenue\nunit-1,1\n"
        #expect(await fault(none, users: shop.users).contains("has an outcome, so that nothing can be compared"))
        shop.definitions.experiments[0].draw?.hash = .sha256(try #require(Salt("other")))
        #expect(await fault(shop.outcomeRows, users: shop.users).hasPrefix("the salt other of e is not one of the"))
    }

    @Test("Without users, a note says that the audience is not checked")
    func unchecked() async throws {
        var shop = Shop(60, seed: 12)
        shop.definitions = try shop.running("e")
        var question = RerandomisationQuestion()
        question.draws = 19
        func notes() async throws -> [String] {
            try await question.report(
                on: HashedInput(Array(shop.outcomeRows.utf8), name: "outcomes.csv"), for: 0,
                of: Plan(shop.definitions), at: Shop.instant, users: nil
            ).notes
        }
        #expect(try await notes().first?.hasPrefix("without a file of users every unit with an outcome counts") == true)
        shop.definitions.experiments[0].audience = .everyone
        #expect(try await notes().isEmpty)
    }

    @Test(
        "A salt whose split depends on that of a running experiment is skipped, also if that has an empty variant",
        arguments: [[], [VariantDefinition(key: "none", buckets: [], overrides: [:])]])
    func dependence(unused: [VariantDefinition]) async throws {
        var shop = Shop(150, seed: 8)
        let free = try await shop.choice(.accept(0.1))
        // Another experiment with the very salt that would be chosen.
        var other = try shop.running(free.salt.text).experiments[0]
        other = ExperimentDefinition(
            key: "f", status: .running, salt: try #require(Salt(free.salt.text)), variants: unused + other.variants)
        shop.definitions = Definitions([shop.definitions.experiments[0], other])
        let choice = try await shop.choice(.accept(0.1))
        #expect(choice.skipped == 1)
        #expect(choice.number > free.number)
    }
}
