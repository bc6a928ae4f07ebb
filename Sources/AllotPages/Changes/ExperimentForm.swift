import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotDefinitions

/// A form that changes an experiment: its status and winner, the traffic, the shares of its variants, and its start
/// and end. An item without a text changes nothing.
package struct ExperimentForm: ChangeForm {
    package enum Item {
        static let status = "status", winner = "winner", traffic = "traffic", starts = "starts", ends = "ends"
        static let share = "share.", confirmation = "confirmation"
        /// The names of the items as routes write them.
        package static let all = [status, winner, traffic, share + "{variant}", starts, ends]
        /// The item that removes a start or an end.
        static let never = "never"
    }

    package let key: String
    /// The items with a text, without the confirmation, by their names.
    private let items: [UTF8Key: String]
    package let confirmation: String

    /// Reads the items of a form or of a query, and leaves others out; the last of several with one name counts.
    /// Returns `nil` if none of them has a text.
    package init?(_ key: String, _ items: [(name: String, value: String)]) {
        var texts: [UTF8Key: String] = [:]
        for (name, value) in items {
            let isShare = name.hasPrefix(Item.share) && name.utf8.count > Item.share.utf8.count
            guard isShare || Item.all.contains(name) else { continue }
            texts[UTF8Key(name)] = value.trimmed.isEmpty ? nil : value.trimmed
        }
        guard !texts.isEmpty else { return nil }
        (self.key, self.items) = (key, texts)
        confirmation = items.last { $0.name == Item.confirmation }?.value ?? ""
    }

    subscript(name: String) -> String { items[UTF8Key(name)] ?? "" }

    /// The items with which the form can be sent again.
    var sorted: [(name: String, value: String)] {
        items.sorted { $0.key < $1.key }.map { (name: $0.key.text, value: $0.value) }
    }

    package var query: String {
        sorted.map { "\(PageLinks.encoded($0.name))=\(PageLinks.encoded($0.value))" }.joined(separator: "&")
    }

    package func edit(in definitions: EditableDefinitions) throws -> (edit: ExaminedEdit, isUnchanged: Bool) {
        guard let experiment = definitions.loaded.definitions.experiments.first(where: { $0.key == key }) else {
            throw SettingTextError(description: "the files do not define an experiment \(QuotedText(key)) any more")
        }
        let examined = try definitions.examining(key, change(of: experiment))
        return (examined, examined.edit.oldBytes == examined.edit.newBytes)
    }

    package func findings(in plan: Plan, at instant: Instant) -> [ChangeFinding] {
        guard let experiment = plan.experiments.first(where: { $0.key == key }), let layer = experiment.layer else {
            return []
        }
        let start = experiment.starts.map { max($0, instant) } ?? instant
        let end = experiment.ends.flatMap { $0 > start ? $0 : nil }
        guard let report = try? SlotsReport(layer: layer, of: plan, at: start, until: end) else { return [] }
        return [ChangeFinding(command: "allot slots", isGood: true, lines: report.lines)]
    }

    /// The edit that the items ask for: of what already is as they say nothing.
    private func change(of experiment: Plan.Experiment) throws(FormFaults) -> ExperimentEdit {
        var (edit, faults) = (ExperimentEdit(), FormFaults())
        readStatus(of: experiment, into: &edit, &faults)
        readWinner(of: experiment, into: &edit, &faults)
        readTraffic(of: experiment, into: &edit, &faults)
        readShares(of: experiment, into: &edit, &faults)
        edit.starts = limit(Item.starts, experiment.starts, &faults)
        edit.ends = limit(Item.ends, experiment.ends, &faults)
        let starts: Instant? = edit.starts.map(\.instant) ?? experiment.starts
        let ends: Instant? = edit.ends.map(\.instant) ?? experiment.ends
        if let starts, let ends, ends <= starts, edit.starts != nil || edit.ends != nil {
            faults.add(
                edit.ends == nil ? Item.starts : Item.ends,
                "the end \(ends.writtenText) is not after the start \(starts.writtenText); choose a later end, or an "
                    + "earlier start")
        }
        guard faults.byItem.isEmpty else { throw faults }
        return edit
    }

    private func readStatus(of experiment: Plan.Experiment, into edit: inout ExperimentEdit, _ faults: inout FormFaults)
    {
        let text = self[Item.status]
        if text.isEmpty { return }
        guard let status = ExperimentStatus(rawValue: text) else {
            let known = ExperimentStatus.allCases.map(\.rawValue)
            let hint = NearestName.hint(for: text, among: known).map { "; did you mean \($0)?" }
            return faults.add(
                Item.status,
                "\(QuotedText(text)) is not a status" + (hint ?? "; it is one of \(known.joined(separator: ", "))"))
        }
        if status != experiment.status { edit.status = status }
    }

    private func readWinner(of experiment: Plan.Experiment, into edit: inout ExperimentEdit, _ faults: inout FormFaults)
    {
        let text = self[Item.winner]
        if text.isEmpty { return }
        let keys = experiment.variants.map(\.key)
        if !keys.contains(text) {
            faults.add(
                Item.winner, "there is no variant \(QuotedText(text)); there are \(keys.joined(separator: ", "))")
        } else if edit.status ?? experiment.status != .concluded {
            faults.add(Item.winner, "only a concluded experiment has a winner; choose the status concluded as well")
        } else if experiment.winner != text {
            edit.winner = text
        }
    }

    private func readTraffic(
        of experiment: Plan.Experiment, into edit: inout ExperimentEdit, _ faults: inout FormFaults
    ) {
        guard let share = buckets(Item.traffic, "the traffic", &faults) else { return }
        do throws(AnalysisError) {
            try experiment.checkTakesTraffic()
            if experiment.traffic != .constant(share) { edit.traffic = .constant(share) }
        } catch { faults.add(Item.traffic, error.description) }
    }

    private func readShares(of experiment: Plan.Experiment, into edit: inout ExperimentEdit, _ faults: inout FormFaults)
    {
        var (shares, isReadable) = ([VariantShare](), true)
        for (name, _) in sorted where name.hasPrefix(Item.share) {
            let variant = String(name.dropFirst(Item.share.count))
            if let share = buckets(name, "the share of \(PrintableText(variant))", &faults) {
                shares.append(VariantShare(variant, buckets: share))
            } else {
                isReadable = false
            }
        }
        guard isReadable, !shares.isEmpty else { return }
        do throws(AnalysisError) {
            let owned = try ShareChange(of: experiment).reweighted(to: shares)
            // Weights stay weights if they give the same buckets.
            guard owned != experiment.variants.map(\.buckets) else { return }
            edit.buckets = zip(experiment.variants, owned).map { ($0.key, $1) }
        } catch { faults.add(Item.share, error.description) }
    }

    /// A percentage as a number of buckets. Returns `nil` without a text, and if it cannot be read.
    private func buckets(_ item: String, _ noun: String, _ faults: inout FormFaults) -> Int? {
        let text = self[item]
        if text.isEmpty { return nil }
        if let buckets = Percentage.parse(text) { return buckets }
        faults.add(item, "\(noun) is \(QuotedText(text)); \(Percentage.fix(for: text))")
        return nil
    }

    /// A start or an end. Returns `nil` if it stays as it is, and if it cannot be read.
    private func limit(_ item: String, _ old: Instant?, _ faults: inout FormFaults) -> ExperimentEdit.Limit? {
        let text = self[item]
        if text.isEmpty { return nil }
        if text == Item.never { return old == nil ? nil : .never }
        guard let instant = Instant(text) else {
            faults.add(item, "\(QuotedText(text)) \(Instant.fault(of: text))")
            return nil
        }
        return instant == old ? nil : .at(instant)
    }
}
