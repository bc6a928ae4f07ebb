import AllotConfiguration
import AllotCore
import AllotSQL

@testable import AllotDefinitions

/// A folder of definitions: files one after another, each after a line `-- NAME`; without such a line one experiment.
///
/// Every problem is one line. Definitions that load give the same revision as YAML and as JSON, a configuration that
/// the simple way of merging gives as well, and statements for every warehouse or a reason why not.
func fuzzDefinitions(_ bytes: [UInt8]) {
    let sources = files(bytes)
    let loader = DefinitionsLoader(now: instant)
    let plan: Plan
    do {
        let loaded = try loader.load(sources)
        plan = loaded.plan
        for warning in loaded.warnings { check(isOneLine(warning.description), "a warning of several lines") }
    } catch {
        guard case .invalid(let problems) = error else { fatalError("no folder was read") }
        check(problems.contains { $0.severity == .error }, "refused without an error")
        for problem in problems { check(isOneLine(problem.description), "a problem of several lines: \(problem)") }
        return
    }
    checkRevision(of: plan, sources, loader)
    let subjects = [
        Subject(id: "user-1"), Subject(),
        Subject(id: "user-2", attributes: ["country": "DE", "orders": 3, "app_version": "2.1.0", "tags": ["a", "b"]]),
    ]
    for subject in subjects {
        let bytes = plan.configurationBytes(for: subject, at: instant)
        let simple = plan.configuration(for: subject, at: instant).canonicalBytes
        check(bytes == simple, "the two ways of merging differ")
        var evaluator = Evaluator(plan: plan, at: instant)
        let prepared = PreparedSubject(subject, for: plan)
        evaluator.evaluate(prepared)
        let decisions = evaluator.decisions
        for index in plan.experiments.indices {
            check(evaluator.decide(index, for: prepared) == decisions[index], "one decision differs from all of them")
        }
        _ = plan.explanation(for: subject, at: instant).json.canonicalBytes
    }
    for dialect in Dialect.allCases {
        var statement = WarehouseStatement(dialect: dialect)
        statement.instant = instant
        _ = try? statement.text(for: plan)
    }
}

let instant = Instant(seconds: 1_795_262_400)

private func isOneLine(_ text: String) -> Bool {
    !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
}

/// The files of an input.
private func files(_ bytes: [UInt8]) -> [DefinitionSource] {
    let marker = Array("-- ".utf8)
    var files: [(name: [UInt8], lines: [ArraySlice<UInt8>])] = []
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        if line.starts(with: marker) {
            files.append((Array(line.dropFirst(marker.count)), []))
        } else {
            if files.isEmpty { files.append((Array("experiment.yaml".utf8), [])) }
            files[files.count - 1].lines.append(line)
        }
    }
    return files.map { file in
        DefinitionSource(
            name: String(decoding: file.name, as: UTF8.self),
            bytes: Array(file.lines.joined(separator: [UInt8(ascii: "\n")])))
    }
}

/// Writes each file as JSON, and loads that.
private func checkRevision(of plan: Plan, _ sources: [DefinitionSource], _ loader: DefinitionsLoader) {
    check((try? loader.load(sources).plan.revision) == plan.revision, "the same sources give another revision")
    let rewritten = sources.compactMap { source -> DefinitionSource? in
        guard let ending = DefinitionsFolder.endings.first(where: { source.name.hasSuffix("." + $0) }) else {
            return source
        }
        guard let tree = SourceTree(source.bytes, file: source.name).root else { return nil }
        return DefinitionSource(
            name: source.name.dropLast(ending.count) + "json", bytes: tree.json.canonicalBytes)
    }
    do {
        let revision = try loader.load(rewritten).plan.revision
        check(revision == plan.revision, "as JSON the revision is another")
    } catch {
        fatalError("as JSON it does not load: \(error)")
    }
}
