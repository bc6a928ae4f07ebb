extension AudienceTranslator {
    func presence(_ attribute: String, _ columns: inout Columns) throws(Unsupported) -> SQLCondition {
        .test("\(try columns.text(attribute)) IS NOT NULL", canBeUnknown: false)
    }
}
