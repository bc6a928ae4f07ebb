import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotReports

/// The values that a device uses, next to those of the base and those that the definitions give its user at an instant.
package struct DeviceComparison: Sendable {
    /// The relation of a device's value to the definitions.
    enum Standing: String, Sendable, CaseIterable {
        /// The value that the definitions give.
        case expected
        /// Another value: it may be overridden on the device, or be of another revision, or of other attributes.
        case different
        /// A value that experiments may set whose decisions rest on attributes that were not given.
        case open
        /// A setting that the definitions do not have.
        case unknown
        /// A setting that the device did not read out. A short read-out has the modified ones only.
        case absent

        var words: String {
            switch self {
            case .expected: "as expected"
            case .different: "different"
            case .open: "dependent on attributes"
            case .unknown: "not in the definitions"
            case .absent: "not read out"
            }
        }
    }

    struct Setting: Sendable {
        let name: String
        let device: JSONValue?
        let base: JSONValue?
        /// The value that the definitions give; without the attributes that were not given.
        let now: JSONValue?
        let standing: Standing
        let isModified: Bool
        /// The experiments whose variants set the value, or may do so, with what the user gets there.
        let sources: [(experiment: String, outcome: String)]
        var words: String { standing.words + (isModified ? ", modified" : "") }
        var isMarked: Bool { standing != .expected }
    }

    /// A variant of the device, assigned or chosen there.
    struct Variant: Sendable {
        let experiment: String
        let variant: String
        /// The outcome for the user by the definitions; `nil` if they do not have the experiment.
        let now: String?
        let isExpected: Bool
        let isKnown: Bool
        var isMarked: Bool { !isExpected }

        var outcome: String {
            guard let now else { return "there is no such experiment" }
            return isKnown ? now : "\(now); there is no such variant"
        }
    }

    let readout: DeviceReadout
    let instant: Instant
    let revision: String
    /// The settings of the definitions in the order of the configuration, then the unknown ones.
    private(set) var settings: [Setting] = []
    private(set) var variants: [Variant] = []
    /// The attributes that decisions rest on and that were not given.
    let missing: [String]

    /// Compares a read-out with a plan. `attributes` are what else is known of the user, `name=value` each.
    package init(
        _ readout: DeviceReadout, attributes: [String] = [], in plan: Plan, at instant: Instant
    ) throws(SubjectError) {
        // Without a value the user is known to have no ID.
        let user = "\(Subject.defaultUnit)=\(readout.user ?? "")"
        let subject = try WrittenSubject(arguments: [user] + attributes).subject
        let answer = UnitPage.Answer(subject, in: plan, at: instant)
        let explained = answer.explanation.experiments
        let open = explained.filter { !$0.dependsOn.isEmpty }
        (self.readout, self.instant, revision) = (readout, instant, plan.revision)
        missing = Set(open.flatMap(\.dependsOn).map(UTF8Key.init)).sorted().map(\.text)

        let isOpen = Set(open.map { UTF8Key($0.assignment.experiment) })
        var unknown = Set((readout.settings.members + readout.modifications.members).map { UTF8Key($0.key) })
        for setting in UnitSettings(answer.configuration, plan, open: open).settings {
            unknown.remove(UTF8Key(setting.name))
            let device = Self.value(setting.name, in: readout)
            let isUndecided = setting.sources.contains { isOpen.contains(UTF8Key($0.experiment)) }
            let standing: Standing? = device.map {
                isUndecided ? .open : $0.isEquivalent(to: setting.value) ? .expected : .different
            }
            settings.append(
                Setting(
                    name: setting.name, device: device, base: setting.base, now: setting.value,
                    standing: standing ?? .absent, isModified: readout.modifications[setting.name] != nil,
                    sources: setting.sources))
        }
        for name in unknown.sorted() {
            settings.append(
                Setting(
                    name: name.text, device: Self.value(name.text, in: readout), base: nil, now: nil,
                    standing: .unknown, isModified: readout.modifications[name.text] != nil, sources: []))
        }
        let decisions = Dictionary(explained.map { (UTF8Key($0.assignment.experiment), $0) }) { $1 }
        for member in readout.variants.members {
            guard case .string(let variant) = member.value else { continue }
            let experiment = plan.index(of: member.key).map { plan.experiments[$0] }
            let now = decisions[UTF8Key(member.key)]
            let assigned = now?.dependsOn.isEmpty == true ? now?.assignment.variant : nil
            variants.append(
                Variant(
                    experiment: member.key, variant: variant, now: now?.outcome,
                    isExpected: assigned.map { UTF8Order.areEqual($0, variant) } ?? false,
                    isKnown: experiment?.variants.contains { UTF8Order.areEqual($0.key, variant) } ?? false))
        }
    }

    /// The value of a setting on the device. A short read-out lists it among the modified ones only.
    private static func value(_ name: String, in readout: DeviceReadout) -> JSONValue? {
        readout.settings[name] ?? readout.modifications[name]
    }

    /// Whether the device has the revision of the definitions; `nil` if the read-out does not name one.
    var isPresent: Bool? { readout.revision.map { UTF8Order.areEqual($0, revision) } }

    var summary: String {
        let counts = Standing.allCases.compactMap { standing -> String? in
            let count = settings.count { $0.standing == standing }
            return count == 0 ? nil : "\(count) \(standing.words)"
        }
        let modified = settings.count(where: \.isModified)
        return ([counted(settings.count, "setting")] + counts + (modified == 0 ? [] : ["\(modified) modified"]))
            .joined(separator: "; ")
    }

    var revisionWords: String {
        switch isPresent {
        case nil: "The read-out names no revision; the present one is \(revision)."
        case true?: "The device has the present revision, \(revision)."
        case false?:
            "The device has the revision \(PrintableText(line: readout.revision ?? "")), and the present one is "
                + "\(revision): values may differ until the app refreshes."
        }
    }

    /// The words on attributes that were not given; `nil` if no decision rests on any.
    var missingWords: String? { missing.isEmpty ? nil : "Decisions rest on \(missing.quoted(atMost: 10)), not given." }

    package var report: Report {
        func value(_ value: JSONValue?) -> Report.Cell {
            value.map { .name(PageText.short($0.canonicalText, atMost: 40)) } ?? ""
        }
        func name(_ text: String?) -> String { text.map { QuotedText($0).description } ?? "not named" }
        let origin = "app \(name(readout.app)), device \(name(readout.device)), user \(name(readout.user))"
        let settings = Report.Table(
            [.text("setting"), .text("device"), .text("base"), .text("now"), .text("")],
            settings.map { [.name($0.name), value($0.device), value($0.base), value($0.now), Report.Cell($0.words)] },
            isAtMargin: true)
        let variants = Report.Table(
            [.text("experiment"), .text("device"), .text("now")],
            variants.map { [.name($0.experiment), .name($0.variant), Report.Cell($0.outcome)] }, isAtMargin: true)
        return Report(
            summary, title: "A tester's device",
            isGood: !self.settings.contains { $0.standing == .different || $0.standing == .unknown },
            endsWithVerdict: true,
            lead: [origin, revisionWords, missingWords].compactMap(\.self).map(Report.Block.text),
            [.table(settings), .table(variants)])
    }

    /// The report for programs. A setting has no member for a value that does not exist.
    package var json: JSONValue {
        [
            "at": .string(instant.description), "configuration_revision": .string(revision), "app": .text(readout.app),
            "device": .text(readout.device), "user": .text(readout.user), "revision": .text(readout.revision),
            "is_present_revision": isPresent.map(JSONValue.boolean) ?? .null, "depends_on": .strings(missing),
            "settings": .array(settings.map(\.json)), "variants": .array(variants.map(\.json)),
        ]
    }
}

extension DeviceComparison.Setting {
    fileprivate var json: JSONValue {
        let sources = sources.map { source -> JSONValue in
            ["experiment": .string(source.experiment), "outcome": .string(source.outcome)]
        }
        var members: JSONObject = [
            "name": .string(name), "standing": .string(standing.rawValue), "is_modified": .boolean(isModified),
            "sources": .array(sources),
        ]
        (members["device"], members["base"], members["now"]) = (device, base, now)
        return .object(members)
    }
}

extension DeviceComparison.Variant {
    fileprivate var json: JSONValue {
        [
            "experiment": .string(experiment), "variant": .string(variant), "now": .text(now),
            "is_expected": .boolean(isExpected), "is_known": .boolean(isKnown),
        ]
    }
}
