import AllotConfiguration

/// An app's own `Decodable` types.
///
/// Members of the type are settings with the same name; settings that the type does not name are skipped. Numbers,
/// texts, dates, URLs, bytes, places and files are converted as by ``value(_:_:as:)``. Decoding reports the exposure to
/// the experiments that compare the settings that the type has read, even if it fails afterwards.
extension Configuration {
    /// The whole configuration as a type whose members are sections.
    ///
    /// - Throws: `DecodingError` with the path to the faulty value; errors of the type's own initialiser.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decode(type, .object(document.sections), [], .configuration)
    }

    /// A section as a type whose members are its settings.
    ///
    /// - Throws: ``SettingError`` if the section does not exist; `DecodingError` with the path to the faulty value,
    ///   starting with the section; errors of the type's own initialiser.
    public func decode<Value: Decodable>(_ type: Value.Type, from section: String) throws -> Value {
        guard let settings = document.sections.object(section) else {
            throw absence(section, nil, expected: "one to decode as \(type)")
        }
        return try decode(type, .object(settings), [PathKey(section)], .section(section))
    }

    /// The value of a setting as a type.
    ///
    /// - Throws: ``SettingError`` if the setting does not exist; `DecodingError` with the path to the faulty value,
    ///   starting with the section; errors of the type's own initialiser.
    public func decode<Value: Decodable>(_ type: Value.Type, _ section: String, _ setting: String) throws -> Value {
        guard let entry = entry(section, setting) else {
            throw absence(section, setting, expected: "a value to decode as \(type)")
        }
        return try decode(type, read(entry), [PathKey(section), PathKey(setting)], .value)
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type, _ json: JSONValue, _ path: [PathKey], _ place: ValueDecoder.Place
    ) throws -> Value {
        let readings = DecodedSettings()
        defer {
            for (section, setting) in readings.entries {
                if let entry = entry(section, setting) { noteReading(entry) }
            }
        }
        return try ValueDecoder(value: json, codingPath: path, place: place, readings: readings).decoded(as: type)
    }
}

extension ConfigurationSection {
    /// The section as a type whose members are its settings; see ``Configuration/decode(_:from:)``.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try configuration.decode(type, from: name)
    }

    /// The value of a setting as a type; see ``Configuration/decode(_:_:_:)``.
    public func decode<Value: Decodable>(_ type: Value.Type, _ setting: String) throws -> Value {
        try configuration.decode(type, name, setting)
    }
}
