import AllotConfiguration

extension Exposure {
    /// Why the exposure cannot be stored as it is; `nil` if it can.
    var fault: String? {
        for (name, text) in [
            ("unit", unit), ("experiment", experiment), ("variant", variant), ("id", id), ("attributes", attributes),
        ] where text.map(ExposureMessage.isStorable) == false {
            return "its \(name) holds U+0000; leave that character out"
        }
        let times = Instant.writable
        guard (times.lowerBound.milliseconds...times.upperBound.milliseconds).contains(at) else {
            return "its time, \(at), is outside the years 0 to 9999; give milliseconds since 1970"
        }
        return nil
    }
}
