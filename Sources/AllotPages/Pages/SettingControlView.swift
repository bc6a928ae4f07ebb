import AllotConfiguration
import AllotCore
import AllotDefinitions

/// The control of a setting, as an element of a form.
enum SettingControlView {
    /// The values of ``template``.
    ///
    /// - Parameters:
    ///   - text: the value in the control.
    ///   - isOptional: whether the control may be left empty.
    ///   - name: the name of the item in the form.
    ///   - id: the ID of the element in the page.
    static func values(
        _ setting: DeclaredSetting, _ text: String, isOptional: Bool = false, name: String, id: String
    ) -> PageValues {
        let current = isOptional && text.isEmpty ? nil : text
        var offers = setting.offers.map { (label: $0.label, text: setting.text(of: $0.value)) }
        if setting.control == .switch {
            offers = [true, false].map { flag in
                (setting.label(of: .boolean(flag)) ?? (flag ? "on" : "off"), flag ? "true" : "false")
            }
        }
        // A list that takes other values too is a field with suggestions.
        let takesOthers = setting.control == .list && setting.allowed == nil && setting.valueType != "boolean"
        if let current, !takesOthers, !offers.isEmpty, !offers.contains(where: { UTF8Order.areEqual($0.text, current) })
        {
            offers.append((current, current))
        }
        let isSelect = !offers.isEmpty && !takesOthers
        let members = Self.members(setting, current, name: name, id: id)
        let isJSON = setting.format == nil && ["object", "array"].contains(setting.valueType)
        let isLong = isJSON || setting.format == .bytes || current?.contains(where: \.isNewline) == true
        let picker = setting.control == .field ? setting.format?.input(current ?? "") : nil
        let isInUTC = picker?.type == "datetime-local"
        let value = picker?.value ?? current ?? ""
        let unit = isInUTC ? "UTC" : setting.unit
        let isNumber = ["integer", "number"].contains(setting.valueType)
        let choices = offers.map { offer -> PageValues in
            [
                "label": offer.label, "value": offer.text,
                "selected": current.map { UTF8Order.areEqual($0, offer.text) } ?? false,
            ]
        }
        return [
            "name": name, "id": id, "value": value,
            "isSelect": isSelect, "isOptional": isOptional, "choices": choices,
            "isLong": !isSelect && members.isEmpty && isLong,
            "isInput": !isSelect && members.isEmpty && !isLong,
            "members": members, "isComposed": !members.isEmpty,
            // A slider would have no exact values and could not be left empty.
            "type": isNumber ? "number" : picker?.type ?? "text",
            "bounds": isNumber || isInUTC, "minimum": setting.minimum?.text, "maximum": setting.maximum?.text,
            "step": setting.valueType == "integer" ? "1" : "any",
            "list": takesOthers ? "\(id)-choices" : nil, "unit": unit,
            "accessibleName": setting.title ?? setting.path,
        ]
    }

    /// The items of a form for a value with one for each member; empty for other settings. The first has the ID.
    private static func members(
        _ setting: DeclaredSetting, _ current: String?, name: String, id: String
    ) -> [PageValues] {
        let members = setting.formMembers
        guard !members.isEmpty else { return [] }
        let object = current.flatMap { try? JSONValue(parsing: Array($0.utf8)) }?.asObject
        return members.enumerated().map { index, member -> PageValues in
            [
                "memberID": index == 0 ? id : nil, "memberLabel": member.rawValue,
                "memberName": DeclaredSetting.itemName(member, of: name),
                "memberValue": object?[member.rawValue]?.plainText ?? "",
                "memberType": member.inputType, "isMemberNumber": member.isNumber, "memberStep": member.inputStep,
                "memberMinimum": member.bounds.minimum.map { "\($0)" },
                "memberMaximum": member.bounds.maximum.map { "\($0)" },
            ]
        }
    }

    /// The element, without its label.
    static let template = """
        {{#isSelect}}<select id="{{id}}" name="{{{data(name)}}}" dir="auto">\
        {{#isOptional}}<option value="">unchanged</option>{{/isOptional}}\
        {{#choices}}<option value="{{{data(value)}}}"{{#selected}} selected{{/selected}}>{{label}}</option>{{/choices}}\
        </select>{{/isSelect}}\
        {{#isLong}}<textarea id="{{id}}" name="{{{data(name)}}}" rows="3" cols="40" dir="auto">
        {{{data(value)}}}</textarea>{{/isLong}}\
        {{#isComposed}}<span role="group" aria-label="{{accessibleName}}">{{#members}}<label>{{memberLabel}} \
        <input type="{{memberType}}"{{#memberID}} id="{{memberID}}"{{/memberID}} name="{{{data(memberName)}}}" \
        value="{{{data(memberValue)}}}"{{#isMemberNumber}}{{#memberMinimum}} min="{{memberMinimum}}"{{/memberMinimum}}\
        {{#memberMaximum}} max="{{memberMaximum}}"{{/memberMaximum}} step="{{memberStep}}"{{/isMemberNumber}} \
        autocomplete="off" dir="auto"></label> {{/members}}</span>{{/isComposed}}\
        {{#isInput}}<input type="{{type}}" id="{{id}}" name="{{{data(name)}}}" value="{{{data(value)}}}"{{#bounds}}\
        {{#minimum}} min="{{minimum}}"{{/minimum}}{{#maximum}} max="{{maximum}}"{{/maximum}} step="{{step}}"{{/bounds}}\
        {{#list}} list="{{list}}"{{/list}} autocomplete="off" dir="auto">\
        {{#list}}<datalist id="{{list}}">\
        {{#choices}}<option value="{{{data(value)}}}">{{label}}</option>{{/choices}}</datalist>{{/list}}{{/isInput}}\
        {{#unit}} {{unit}}{{/unit}}
        """
}
