import AllotClient
import AllotConfiguration
import Configuration

import struct Foundation.Data

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONValue {
    /// The value for swift-configuration, with exactly this type.
    func content(as type: ConfigType) throws(SettingValueError) -> ConfigContent {
        switch type {
        case .string: .string(try String(json: date))
        case .int: .int(try Int(json: self))
        case .double: .double(try Double(json: self))
        case .bool: .bool(try Bool(json: self))
        case .bytes: .bytes([UInt8](try Data(json: self)))
        case .stringArray: .stringArray(try [String](json: asArray.map { JSONValue.array($0.map(\.date)) } ?? self))
        case .intArray: .intArray(try [Int](json: self))
        case .doubleArray: .doubleArray(try [Double](json: self))
        case .boolArray: .boolArray(try [Bool](json: self))
        case .byteChunkArray: .byteChunkArray(try [Data](json: self).map { [UInt8]($0) })
        }
    }

    /// The text of an object that stands for one of Parse's dates, `{"__type": "Date", "iso":
    /// "2011-08-21T18:02:52.249Z"}`; any other value itself.
    private var date: JSONValue {
        guard let object = asObject, object.text("__type") == "Date", let text = object.text("iso") else { return self }
        return .string(text)
    }
}
