import AllotConfiguration
import AllotCore
import AllotReports
import AllotSQL

/// How to analyse an experiment: the export of its exposures, queries on them, and the assignment in a warehouse.
enum AnalysisSection {
    static func write(_ entry: CatalogEntry, _ dialect: String?, _ links: PageLinks, in page: inout Markup) {
        page.h2("Analyse it", id: "analysis")
        guard let salt = entry.experiment.salt else {
            return page.p("No unit is randomised, so there is nothing to compare.")
        }
        let key = entry.key
        let saltOption = UTF8Order.areEqual(salt, key) ? "" : " --salt \(salt.shellWord)"
        let chosen = dialect.flatMap(Dialect.init)
        let exposures = condition(key, salt, chosen ?? .duckdb)
        let period = entry.experiment.draw?.period
        page.p(
            """
            Export the counted exposures, one row for each unit and variant\(period == nil ? "" : " in each window"), \
            and test their ratio first; \
            \(code: "STORE") is the value of \(code: "allot-server")'s option \(code: "--exposures"):
            """)
        page.pre(
            """
            allot exposures export STORE --experiment \(key)\(saltOption) -o \(key).csv
            allot srm \(key).csv
            """)
        page.details("The columns of an export") { details in
            details.element("dl") { list in
                for (name, meaning) in columns {
                    list.inline("dt", "\(code: name)")
                    list.element("dd", meaning)
                }
            }
        }
        page.details("SQL: units by variant") { details in
            details.p("With the export in a table \(code: "exposures").")
            details.pre(counts(exposures))
        }
        if let period {
            page.p(
                """
                Units are randomised anew \(period.text). An outcome belongs to the window in which it happened: join \
                it with the exposure of the same unit and window, and compare the sums of windows, not single outcomes.
                """)
        } else {
            page.details("SQL: an outcome by variant") { details in
                details.p(
                    """
                    With a table \(code: "events") of what units did: \(code: "unit"), \(code: "at") and \
                    \(code: "value"). A unit counts in its first variant, and what it did before its first exposure \
                    does not. Compare variants of one revision only: shares, and so the units of a variant, differ \
                    between revisions.
                    """)
                details.pre(outcomes(exposures))
            }
        }
        page.h3("Assign in the warehouse", id: "warehouse")
        page.p("This writes a statement that decides for each row of a table exactly as Allot does:")
        page.pre("allot sql --dialect \(chosen ?? .duckdb) --layout long --experiment \(key)")
        let isShared = isShared(entry, links)
        page.element("p") { dialects in
            dialects.write("Dialects: ")
            for other in Dialect.allCases {
                guard isShared else {
                    dialects.write("\(other.title) ")
                    continue
                }
                let link = "\(links.to(.experiment(key)))?dialect=\(other.rawValue)#warehouse"
                dialects.inline(
                    "a", ["href": link, "aria-current": dialect == other.rawValue ? "true" : nil], "\(other.title)")
            }
        }
        if isShared {
            if let chosen { writeStatement(entry, chosen, in: &page) }
        } else if links.form == .routes {
            page.p("The statement is not shown here, as it names forced units.", class: "faint")
        }
    }

    /// Whether a statement may be on the page: not in files, which go anywhere, and not if it has IDs of forced units:
    /// of the experiment, of those that it requires, and of others that share a setting or a layer with one of them.
    private static func isShared(_ entry: CatalogEntry, _ links: PageLinks) -> Bool {
        guard links.form == .routes else { return false }
        let plan = entry.plan
        var pending = [entry.index]
        var seen = Set(pending)
        while let index = pending.popLast() {
            for requirement in plan.experiments[index].requirements {
                guard let required = plan.index(of: requirement.experiment) else { continue }
                if seen.insert(required).inserted { pending.append(required) }
            }
        }
        let experiments = seen.map { plan.experiments[$0] }
        let settings = Set(experiments.flatMap { $0.variants.flatMap(\.settings) }.map(UTF8Key.init))
        let layers = Set(experiments.compactMap(\.layer))
        return !plan.experiments.indices.contains { index in
            let other = plan.experiments[index]
            guard other.forcesAnyUnit else { return false }
            return seen.contains(index) || other.layer.map(layers.contains) ?? false
                || other.variants.contains { $0.settings.contains { settings.contains(UTF8Key($0)) } }
        }
    }

    private static func writeStatement(_ entry: CatalogEntry, _ dialect: Dialect, in page: inout Markup) {
        var statement = WarehouseStatement(dialect: dialect)
        statement.layout = .long
        statement.selection = [entry.index]
        statement.instant = entry.instant
        page.inline("h4", "\(dialect.title), at this page's instant")
        do throws(SQLTranslationError) {
            page.pre(try statement.text(for: entry.plan))
        } catch {
            for problem in error.problems { page.p("Not possible: \(problem)") }
        }
    }

    /// The exposures of one randomisation that are counted as randomised.
    private static func condition(_ key: String, _ salt: String, _ dialect: Dialect) -> String {
        // Keys and salts do not have U+0000, the one character that some dialects cannot write.
        let (key, salt) = (dialect.literal(key) ?? "NULL", dialect.literal(salt) ?? "NULL")
        return "experiment = \(key) AND salt = \(salt) AND reason = 'split'"
    }

    private static func counts(_ condition: String) -> String {
        """
        SELECT variant, revision, count(*) AS units, min(at) AS first_exposure, max(at) AS last_exposure
        FROM exposures
        WHERE \(condition)
        GROUP BY variant, revision
        ORDER BY variant, revision;
        """
    }

    private static func outcomes(_ condition: String) -> String {
        """
        WITH units AS (
          SELECT unit, variant, revision, at AS exposed_at,
            row_number() OVER (PARTITION BY unit ORDER BY at, variant) AS place
          FROM exposures
          WHERE \(condition)
        ), outcomes AS (
          SELECT units.revision, units.variant, units.unit, coalesce(sum(events.value), 0) AS outcome
          FROM units
          LEFT JOIN events ON events.unit = units.unit AND events.at >= units.exposed_at
          WHERE units.place = 1
          GROUP BY units.revision, units.variant, units.unit
        )
        SELECT revision, variant, count(*) AS units, avg(outcome) AS mean, stddev_samp(outcome) AS deviation
        FROM outcomes
        GROUP BY revision, variant
        ORDER BY revision, variant;
        """
    }

    /// The columns of an export, as `ExposureFormat` writes them.
    private static let columns: [(name: String, meaning: String)] = [
        ("unit", "the unit's ID"), ("experiment", "the experiment's key"),
        ("salt", "with the key it names the randomisation: analyse one at a time"), ("variant", "the variant's key"),
        ("revision", "of the definition at the unit's first exposure: shares may differ between revisions"),
        ("reason", "split: randomised; winner: everyone gets it, so nothing is compared"),
        ("override", "whether it was set on the device; false in what is counted"),
        ("at", "the first exposure, RFC 3339 in UTC: only outcomes after it belong to the experiment"),
        ("received_at", "when the server received it"),
        ("doubt", "why the sender's time is not believed; at is then the server's"),
        ("reported_at", "the sender's time, if it is in doubt"),
        ("attributes", "attributes of the event, as a JSON object"),
        ("window", "the number of the window of a period, in each of which a unit is randomised anew"),
    ]
}

extension ExperimentPage { package static let dialects = Dialect.allCases.map(\.rawValue) }
