import AllotConfiguration
import Logging
import Synchronization
import TestSupport
import Testing

@testable import AllotServer

struct ServerLogHandlerTests {
    private final class Lines: Sendable {
        private let bytes = Mutex<[UInt8]>([])

        var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

        func logger(
            _ format: ServerLogHandler.Format, label: String = "allot-server", level: Logger.Level = .info,
            provider: Logger.MetadataProvider? = nil
        ) -> Logger {
            Logger(label: label) { label in
                var handler = ServerLogHandler(
                    label: label, format: format, level: level, metadataProvider: provider)
                handler.write = { line, _ in self.bytes.withLock { $0 += line } }
                handler.now = { Instant(milliseconds: 1_795_262_400_123) }
                return handler
            }
        }
    }

    private func text(
        _ format: ServerLogHandler.Format, label: String = "allot-server", _ message: Logger.Message,
        _ metadata: Logger.Metadata? = nil
    ) -> String {
        let lines = Lines()
        lines.logger(format, label: label).info(message, metadata: metadata)
        return lines.text
    }

    private let start = "2026-11-21T12:00:00.123Z info  allot-server "
    private let jsonStart = #"{"time":"2026-11-21T12:00:00.123Z","level":"info","logger":"allot-server","message":"#

    @Test("A line has the time, level, label, message and metadata, which is written flat")
    func lines() {
        let nested: Logger.Metadata = [
            "request": ["id": "7", "user": ["name": "a b"], "none": [:]], "list": ["x", ["y": "z"], []],
        ]
        let values: Logger.Metadata = ["key": "value", "k": "quoted value", "e": "", "n": .stringConvertible(7)]
        let typed: Logger.Metadata = ["b": "1", "a": .stringConvertible(1), "c": .stringConvertible(true)]
        // A number that JSON cannot represent is text.
        let numbers: Logger.Metadata = [
            "a": .stringConvertible(Double.nan), "b": .stringConvertible(0.5),
            "c": .stringConvertible(-Double.infinity), "d": .stringConvertible(UInt64.max),
        ]
        let cases: [(ServerLogHandler.Format, Logger.Message, Logger.Metadata, String)] = [
            (.text, "Plan loaded", values, #"Plan loaded e="" k="quoted value" key=value n=7"#),
            (.json, "say \"hi\"", typed, #""say \"hi\"","metadata":{"a":1,"b":"1","c":true}}"#),
            (.json, "m", numbers, #""m","metadata":{"a":"nan","b":0.5,"c":"-inf","d":18446744073709551615}}"#),
            (.json, "", [:], #""","metadata":{}}"#),
            (
                .text, "m", nested,
                #"m list="[\"x\",{\"y\":\"z\"},[]]" request.id=7 request.none={} request.user.name="a b""#
            ),
            (
                .json, "m", nested,
                #""m","metadata":{"list":["x",{"y":"z"},[]],"request.id":"7","request.none":{},"#
                    + #""request.user.name":"a b"}}"#
            ),
            (.text, "m", ["a.b": "1", "a": ["b": "2"]], "m a.b=1"),
        ]
        for (format, message, metadata, line) in cases {
            #expect(text(format, message, metadata) == (format == .text ? start : jsonStart) + line + "\n")
        }
    }

    @Test("Messages below the level are not written")
    func levelsAreWrittenAndCompared() {
        let lines = Lines()
        var logger = lines.logger(.text, level: .warning)
        logger.notice("no")
        logger.warning("a")
        logger.critical("b")
        logger.logLevel = .trace
        logger.trace("c")
        #expect(
            lines.text.split(separator: "\n").map { $0.dropFirst(25) } == [
                "warning allot-server a", "critical allot-server b", "trace allot-server c",
            ])
    }

    @Test("Handlers are values")
    func handlersAreValues() {
        let lines = Lines()
        var first = lines.logger(.text)
        first[metadataKey: "k"] = "first"
        var second = first
        second[metadataKey: "k"] = "second"
        second.logLevel = .error
        first.info("a")
        second.info("b")
        second.error("c")
        #expect(first[metadataKey: "k"] == "first")
        #expect(lines.text == start + "a k=first\n" + "2026-11-21T12:00:00.123Z error allot-server c k=second\n")
    }

    @Test("The metadata of the message wins over that of the provider and the logger")
    func theNearestMetadataCounts() {
        let lines = Lines()
        var logger = lines.logger(.text, provider: Logger.MetadataProvider { ["b": "provider", "c": "provider"] })
        for key in ["a", "b", "c"] { logger[metadataKey: key] = "logger" }
        logger.info("m", metadata: ["c": "message"])
        #expect(lines.text == start + "m a=logger b=provider c=message\n")
    }

    @Test("An error is written as metadata")
    func errorsAreMetadata() {
        struct Broken: Error, CustomStringConvertible {
            var description: String { "it broke\nhere" }
        }
        let lines = Lines()
        lines.logger(.text).error("m", error: Broken())
        #expect(lines.text.contains(#" m error.message="it broke\nhere" error.type="#))
    }

    @Test(
        "Characters that could do harm are escaped",
        arguments: [
            ("a\nb", #""a\nb""#), ("\u{1B}[31mred", #""\u001B[31mred""#), ("a=b", #""a=b""#), ("a\\nb", #""a\\nb""#),
            ("a\u{202E}b", #""a\u202Eb""#), ("\u{85}", #""\u0085""#), ("\u{2028}", #""\u2028""#),
            ("\u{7F}", #""\u007F""#),
            ("\u{E0041}", #""\uDB40\uDC41""#), ("\r\t\0", #""\r\t\u0000""#), ("é😀", "é😀"), ("", #""""#),
            ("a\u{A0}b", #""a\u00A0b""#),
        ])
    func whatCouldHarmIsEscaped(_ raw: String, _ shown: String) {
        #expect(text(.text, "\(raw)") == start + shown + "\n")
        #expect(text(.text, "m", ["k": "\(raw)"]) == start + "m k=\(shown)\n")
        #expect(text(.text, label: raw, "m") == "2026-11-21T12:00:00.123Z info  \(shown) m\n")
        #expect(text(.text, "m", [raw: "v"]) == start + "m \(shown)=v\n")
        let quoted = shown.hasPrefix("\"") ? shown : "\"\(shown)\""
        #expect(text(.json, "\(raw)", [raw: "\(raw)"]) == jsonStart + "\(quoted),\"metadata\":{\(quoted):\(quoted)}}\n")
    }

    @Test("No text leaves its line", arguments: 0..<50)
    func noTextLeavesItsLine(_ seed: Int) {
        var generator = SeededGenerator(seed: seed)
        func word() -> String {
            var word = String.UnicodeScalarView()
            for _ in 0..<8 {
                let limit: UInt32 = [0x80, 0x100, 0x3000, 0x11_0000].randomElement(using: &generator) ?? 0x80
                word.append(Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) ?? "\n")
            }
            return String(word)
        }
        for format in [ServerLogHandler.Format.text, .json] {
            let (value, label) = (word(), word())
            let metadata: Logger.Metadata = [word(): .string(value), word(): [word(): .array([.string(word())])]]
            let line = text(format, label: label, "\(word())", metadata)
            #expect(line.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
            #expect(line.hasSuffix("\n"))
            let isHarmless = line.dropLast().unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
            #expect(isHarmless)
        }
    }
}
