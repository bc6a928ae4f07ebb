import AllotConfiguration

/// Writes canonical JSON piece by piece, for texts that are hashed: no value is made of what is written. Members are
/// written in the order of their names' bytes, as in all canonical JSON.
struct CanonicalWriter {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    init() { bytes.reserveCapacity(1024) }

    // MARK: Values

    mutating func object(_ body: (inout Self) -> Void) { enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), body) }

    mutating func array<Element>(_ elements: some Sequence<Element>, _ write: (Element, inout Self) -> Void) {
        enclose(UInt8(ascii: "["), UInt8(ascii: "]")) { writer in
            for element in elements {
                writer.separate()
                write(element, &writer)
                writer.needsComma = true
            }
        }
    }

    mutating func object<Element>(
        of elements: [Element], by name: (Element) -> String, _ write: (Element, inout Self) -> Void
    ) {
        let ascends = zip(elements, elements.dropFirst()).allSatisfy { UTF8Order.precedes(name($0), name($1)) }
        let sorted = ascends ? elements : elements.sorted { UTF8Order.precedes(name($0), name($1)) }
        object { writer in
            for element in sorted { writer.member(name(element)) { write(element, &$0) } }
        }
    }

    mutating func value(_ value: JSONValue) { JSONWriter.append(value, to: &bytes) }
    mutating func canonical(_ json: [UInt8]) { bytes += json }
    mutating func text(_ text: String) { JSONWriter.append(text: text, to: &bytes) }
    mutating func number(_ number: Int) { bytes.append(contentsOf: String(number).utf8) }

    // MARK: Members

    mutating func member(_ name: String, _ body: (inout Self) -> Void) {
        separate()
        text(name)
        bytes.append(UInt8(ascii: ":"))
        body(&self)
        needsComma = true
    }

    mutating func member(_ name: String, _ value: JSONValue) { member(name) { $0.value(value) } }
    mutating func member(_ name: String, canonical json: [UInt8]) { member(name) { $0.canonical(json) } }
    mutating func member(_ name: String, text: String) { member(name) { $0.text(text) } }
    private mutating func separate() { if needsComma { bytes.append(UInt8(ascii: ",")) } }

    private mutating func enclose(_ open: UInt8, _ close: UInt8, _ body: (inout Self) -> Void) {
        bytes.append(open)
        needsComma = false
        body(&self)
        bytes.append(close)
    }
}
