import AllotConfiguration
import Synchronization

/// The members that an importer has read from objects of a payload, by the way to the objects: all flags, all rules of
/// flags. Others are not known to it; the other system's next version may decide by them. `Sendable`.
final class MemberLedger: Sendable {
    enum Step: Hashable, Sendable {
        case member(UTF8Key)
        case entry
        case element
    }

    private struct Kind: Sendable {
        var children: [Step: Int] = [:]
        /// The names; `nil` if the object was taken as it is.
        var asked: Set<UTF8Key>?
        var isMap = false
    }

    private let kinds = Mutex([Kind()])

    func kind(_ step: Step, from parent: Int) -> Int {
        kinds.withLock { kinds in
            if let kind = kinds[parent].children[step] { return kind }
            kinds.append(Kind())
            kinds[parent].children[step] = kinds.count - 1
            return kinds.count - 1
        }
    }

    func know(_ members: some Sequence<String>, of kind: Int) {
        kinds.withLock { kinds in
            if kinds[kind].asked == nil { kinds[kind].asked = [] }
            for member in members { kinds[kind].asked?.insert(UTF8Key(member)) }
        }
    }

    func knowAll(of kind: Int) { kinds.withLock { $0[kind].isMap = true } }

    /// The unknown members in a payload, the first of each kind, and the number of objects that have each: without
    /// `others`, which are known in all objects, and those in `skipped` parts, which were not read to their end.
    func unknownMembers(
        of payload: JSONValue, besides others: Set<String>, skipping skipped: Set<PayloadPath>
    ) -> [(path: PayloadPath, count: Int)] {
        let kinds = kinds.withLock { $0 }
        var found: [(path: PayloadPath, count: Int)] = []
        var positions: [[Step]: Int] = [:]
        func visit(_ value: JSONValue, _ path: PayloadPath, _ kind: Kind, _ steps: [Step]) {
            guard !skipped.contains(path) else { return }
            func enter(_ value: JSONValue, _ path: PayloadPath, _ step: Step) {
                guard let child = kind.children[step] else { return }
                visit(value, path, kinds[child], steps + [step])
            }
            switch value {
            case .object(let object):
                for member in object.members {
                    let (path, name) = (path.appending(key: member.key), UTF8Key(member.key))
                    if kind.isMap {
                        enter(member.value, path, .entry)
                    } else if kind.asked?.contains(name) ?? true {
                        enter(member.value, path, .member(name))
                    } else if !PayloadNode.annotations.contains(member.key), !others.contains(member.key) {
                        let place = steps + [.member(name)]
                        if let position = positions[place] {
                            found[position].count += 1
                        } else {
                            positions[place] = found.count
                            found.append((path, 1))
                        }
                    }
                }
            case .array(let elements):
                for (index, element) in elements.enumerated() { enter(element, path.appending(index: index), .element) }
            case .null, .boolean, .number, .string: return
            }
        }
        visit(payload, .root, kinds[0], [])
        return found
    }
}
