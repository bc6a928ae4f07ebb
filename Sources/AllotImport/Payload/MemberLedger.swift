import AllotConfiguration

/// The members that an importer has read from objects of a payload, by the way to the objects: all flags, all rules of
/// flags. Others are not known to it; the other system's next version may decide by them.
final class MemberLedger {
    enum Step: Hashable {
        case member(UTF8Key)
        case entry
        case element
    }

    private var children: [Step: MemberLedger] = [:]
    /// The names; `nil` if the object was taken as it is.
    private var asked: Set<UTF8Key>?
    private var isMap = false

    func next(_ step: Step) -> MemberLedger {
        if let child = children[step] { return child }
        let child = MemberLedger()
        children[step] = child
        return child
    }

    func know(_ members: some Sequence<String>) {
        if asked == nil { asked = [] }
        for member in members { asked?.insert(UTF8Key(member)) }
    }

    func knowAll() { isMap = true }

    /// The unknown members in a payload, the first of each kind, and the number of objects that have each: without
    /// `others`, which are known in all objects, and those in `skipped` parts, which were not read to their end.
    func unknownMembers(
        of payload: JSONValue, besides others: Set<String>, skipping skipped: Set<PayloadPath>
    ) -> [(path: PayloadPath, count: Int)] {
        var found: [(path: PayloadPath, count: Int)] = []
        var positions: [[Step]: Int] = [:]
        func visit(_ value: JSONValue, _ path: PayloadPath, _ kind: MemberLedger, _ steps: [Step]) {
            guard !skipped.contains(path) else { return }
            func enter(_ value: JSONValue, _ path: PayloadPath, _ step: Step) {
                if let child = kind.children[step] { visit(value, path, child, steps + [step]) }
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
        visit(payload, .root, self, [])
        return found
    }
}
