extension Columns {
    mutating func refusal(of attribute: String) throws(Unsupported) -> Unsupported {
        _ = try text(attribute)
        return Unsupported(
            "a column of text cannot hold the list or object that is tested; assign it with \"allot assign\", and "
                + "choose other experiments here")
    }
}
