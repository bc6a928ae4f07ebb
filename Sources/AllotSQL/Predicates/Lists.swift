extension AudienceTranslator {
    /// The refusal of a test of lists or objects.
    func refusal(of attribute: String, _ columns: inout Columns) throws(Unsupported) -> Unsupported {
        _ = try columns.text(attribute)
        return Unsupported(
            "a column of text cannot hold the list or object that is tested; assign it with \"allot assign\", and "
                + "choose other experiments here")
    }
}
