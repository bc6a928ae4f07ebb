@testable import AllotBatch

/// CSV read the slow and simple way, one byte at a time: the oracle of the fast parser.
struct ReferenceCSV {
    struct Field: Equatable {
        var value: [UInt8] = []
        var isQuoted = false
        var lineFeeds: Int { value.count { $0 == UInt8(ascii: "\n") } }
    }

    struct Record: Equatable {
        var fields: [Field] = []
        /// The record without its line end.
        var range = 0..<0
        /// After its line end.
        var next = 0
        var problem: CSVProblem?
        var problemOffset = 0
    }

    private enum State {
        case fieldStart, unquoted, quoted, closed
    }

    /// The records of `bytes`; `columnCount` `nil` allows any number of fields.
    static func records(
        _ bytes: [UInt8], columnCount: Int?, delimiter: UInt8 = UInt8(ascii: ",")
    ) -> [Record] {
        var records: [Record] = []
        var offset = 0
        while offset < bytes.count {
            records.append(record(bytes, from: offset, columnCount: columnCount, delimiter))
            offset = records.last?.next ?? bytes.count
        }
        return records
    }

    private static func record(_ bytes: [UInt8], from start: Int, columnCount: Int?, _ delimiter: UInt8) -> Record {
        var record = Record()
        var field = Field()
        var state = State.fieldStart
        var fieldStart = start
        var fieldStarts = [start]
        var offset = start
        var isEnded = false

        func note(_ problem: CSVProblem, _ at: Int) {
            guard record.problem == nil else { return }
            record.problem = problem
            record.problemOffset = at
        }
        func take(_ byte: UInt8) {
            field.value.append(byte)
        }

        while !isEnded, offset < bytes.count {
            let byte = bytes[offset]
            if state == .quoted {
                if byte == UInt8(ascii: "\"") { state = .closed } else { take(byte) }
                offset += 1
                continue
            }
            switch byte {
            case delimiter:
                record.fields.append(field)
                field = Field()
                state = .fieldStart
                fieldStart = offset + 1
                fieldStarts.append(fieldStart)
            case UInt8(ascii: "\n"):
                isEnded = true
                record.range = start..<offset
            case UInt8(ascii: "\r") where offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "\n"):
                isEnded = true
                record.range = start..<offset
                offset += 1
            case UInt8(ascii: "\r"):
                note(.bareCarriageReturn, offset)
                take(byte)
                state = .unquoted
            case UInt8(ascii: "\"") where state == .fieldStart:
                field.isQuoted = true
                state = .quoted
            case UInt8(ascii: "\"") where state == .closed:
                take(byte)
                state = .quoted
            default:
                if state == .closed {
                    if field.lineFeeds > 0 {
                        note(.quoteClosedBelow(lines: field.lineFeeds), fieldStart)
                    } else {
                        note(.textAfterClosingQuote, offset)
                    }
                } else if byte == UInt8(ascii: "\"") {
                    note(.quoteInUnquotedField, offset)
                }
                take(byte)
                state = .unquoted
            }
            offset += 1
        }
        if !isEnded {
            if state == .quoted { note(.unclosedQuote, fieldStart) }
            record.range = start..<bytes.count
        }
        record.fields.append(field)
        record.next = offset
        if let invalid = firstInvalidOffset(bytes[record.range]) { note(.invalidUTF8, start + invalid) }
        if let columnCount, record.fields.count != columnCount {
            // A surplus is not told apart after its first field.
            if let long = record.fields.prefix(columnCount + 1).firstIndex(where: { $0.isQuoted && $0.lineFeeds > 0 }) {
                let lines = record.fields[long].lineFeeds
                note(
                    .fieldCountBelow(expected: columnCount, found: record.fields.count, lines: lines), fieldStarts[long]
                )
            }
            note(
                record.range.isEmpty
                    ? .emptyLine(expected: columnCount)
                    : .fieldCount(expected: columnCount, found: record.fields.count),
                record.fields.count > columnCount ? fieldStarts[columnCount] : record.range.upperBound)
        }
        return record
    }

    private static func firstInvalidOffset(_ bytes: ArraySlice<UInt8>) -> Int? {
        var parser = UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }

    /// The line and column of an offset, both from 1.
    static func position(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return (line, bytes[lineStart..<offset].count { $0 & 0xC0 != 0x80 } + 1)
    }
}
