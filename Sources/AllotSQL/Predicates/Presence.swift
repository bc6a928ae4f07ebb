extension Columns {
    mutating func presence(_ attribute: String) throws(Unsupported) -> SQLCondition {
        .test("\(try text(attribute)) IS NOT NULL", canBeUnknown: false)
    }
}
