import AllotConfiguration
import AllotCore
import AllotDefinitions

extension ImportedProject {
    /// Takes out the flags that Allot refuses in what they became. Returns whether there is one.
    ///
    /// - Parameter isAccepted: Throws the problems of a project.
    mutating func refuse(
        _ problems: [DefinitionProblem], of lowering: ProjectLowering,
        isAccepted: (ImportedProject) throws(ImportError) -> Void
    ) -> Bool {
        let messages = Dictionary(problems.map { ($0.file, $0.message) }, uniquingKeysWith: { first, _ in first })
        var refused: [UTF8Key: ImportProblem] = [:]
        func refuse(_ flag: LoweredFlag, _ message: String) {
            refused[UTF8Key(flag.key)] = ImportProblem(
                flag.path, "Allot refuses what it would become: \(message)")
        }
        for flag in lowering.flags {
            let keys = flag.experiments.flatMap { [$0.key] + $0.requirements.keys }
            if let message = keys.lazy.compactMap({ messages["\($0).yaml"] }).first { refuse(flag, message) }
        }
        if refused.isEmpty {
            // The problem is in a file that flags share: each flag alone shows whether it causes the problem.
            for flag in lowering.flags {
                do throws(ImportError) {
                    try isAccepted(only(flag.key))
                } catch {
                    guard case .refused(let problems) = error, let problem = problems.first else { continue }
                    refuse(flag, "\(problem.file): \(problem.message)")
                }
            }
        }
        self.refuse(refused)
        return !refused.isEmpty
    }

    /// The project with one flag, and what it needs.
    private func only(_ key: String) -> ImportedProject {
        let byKey = Dictionary(flags.map { (UTF8Key($0.key), $0) }, uniquingKeysWith: { first, _ in first })
        var needed: Set<UTF8Key> = []
        var pending = [UTF8Key(key)]
        while let next = pending.popLast() {
            guard let flag = byKey[next], needed.insert(next).inserted else { continue }
            pending += flag.rules.flatMap(\.condition.flags).map(UTF8Key.init)
        }
        var project = self
        project.keepFlags { needed.contains(UTF8Key($0.key)) }
        return project
    }

    /// The segments that flags use, themselves or by others, in the order of all.
    var usedSegments: [ImportedSegment] {
        let byName = Dictionary(segments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var used: Set<String> = []
        var pending = flags.flatMap { $0.rules.flatMap(\.condition.conditions) }.flatMap(\.segments)
        while let name = pending.popLast() {
            guard let segment = byName[name], used.insert(name).inserted else { continue }
            pending += segment.definition.segments
        }
        return segments.filter { used.contains($0.name) }
    }
}

extension JSONValue {
    fileprivate var segments: [String] {
        allMembers.filter { ["$segment", "$inGroup", "$notInGroup"].contains($0.key) }.compactMap(\.value.text)
    }
}
