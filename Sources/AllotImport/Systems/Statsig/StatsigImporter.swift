import AllotConfiguration

/// Translates the config specs of Statsig's server SDKs: gates, dynamic configs, experiments and layers.
enum StatsigImporter: PayloadImporter {
    static let title = "Statsig"

    static let otherMembers: Set = [
        "additionalValues", "auto_capture_settings", "can_record_session", "checksum", "company_id",
        "default_environment", "diagnostics", "entity", "experiment_to_layer", "explicitParameters", "field",
        "forwardAllExposures", "groupName", "hasSharedParams", "has_updates", "hashed_sdk_key_used",
        "hashed_sdk_keys_to_app_ids", "hashed_sdk_keys_to_entities", "id", "idType", "id_lists",
        "includedInSessionReplay", "isActive", "isControlGroup", "isDeviceBased", "isExperimentGroup", "layers",
        "name", "operator", "passPercentage", "passive_sampling_rate", "recording_blocked", "response_format",
        "returnValue", "salt", "samplingRate", "sampling_rate", "sdk_configs", "sdk_flags", "session_replay_info",
        "session_sampling_rate", "targetAppIDs", "targetValue", "time", "type", "version",
    ]

    static func project(_ payload: PayloadNode, _ options: PayloadImport) throws(ImportProblem) -> ImportedProject {
        guard payload["feature_gates"] != nil || payload["dynamic_configs"] != nil || payload["layer_configs"] != nil
        else {
            throw payload.problem(
                "these are not Statsig's config specs: there is none of \"feature_gates\", \"dynamic_configs\" and "
                    + "\"layer_configs\"")
        }
        let specs = try StatsigSpecs(payload)
        var project = ImportedProject(mainUnit: StatsigFields.userID)
        addNotes(on: specs, to: &project)
        let gates = StatsigGates(specs, into: &project)
        for spec in specs.all where !spec.isInternal {
            project.addFlag(spec.name, at: spec.node.path) { () throws(ImportProblem) in
                guard specs.kinds(named: spec.name) == 1 else {
                    throw spec.node.problem("another gate, config or layer has this name, and settings have one each")
                }
                return try StatsigFlag(spec: spec, specs: specs, gates: gates).imported()
            }
        }
        let stores = try payload["param_stores"]?.members() ?? []
        project.note(
            "Parameter stores (\(stores.count)) are not imported, but their gates, configs and layers are.",
            if: !stores.isEmpty)
        project.noteTextsOfNumbers(in: title, forms: #""+5", ".5", "5." and "inf""#)
        return project
    }

    private static func addNotes(on specs: StatsigSpecs, to project: inout ImportedProject) {
        project.notes.append(
            "The fields of Statsig's users are attributes of their names: userID, email, ip, userAgent, country, "
                + "locale and appVersion; custom fields and IDs have the names that conditions and ID types have.")
        let disabled = specs.all.filter(\.isDisabledWithRules).map(\.name)
        project.note(
            "Disabled and yet with rules: \(disabled.listed(atMost: 10)). statsig-python-core evaluates the rules, and "
                + "so does Allot; older SDKs serve the default.", if: !disabled.isEmpty)
        project.note(
            "Custom fields that are searched for a part or a pattern must not be lists: Statsig also searches the text "
                + "of a list, Allot does not.", if: specs.survey.searchesCustomFields)
        project.note(
            "Versions have to be text of digits and dots, with or without a pre-release after \"-\": Statsig also "
                + "reads numbers, and text with spaces or plus signs.", if: specs.survey.comparesVersions)
        project.note(
            "Times have to be text such as \"2026-11-22T00:00:00Z\", or whole numbers of seconds or milliseconds: "
                + "Statsig also reads text such as \"2026-11-22 00:00:00\", and takes a number with a fraction for "
                + "no time, which Allot compares.", if: specs.survey.comparesTimes)
    }
}
