import Testing

/// Each promise of the five client systems, sentence by sentence, has a test that shows it here.
struct PromiseTests {
    /// A sentence of another system's documentation, in our words.
    struct Promise: Sendable, CustomTestStringConvertible {
        let number: Int
        let system: String
        let sentence: String
        /// The tests that show it: target, suite and function.
        var tests: [String] = []

        var testDescription: String { "\(number) \(system): \(sentence)" }
    }

    /// The tests of the repository: target, suite and function.
    private static let tests = Set(Document.tests.flatMap(Self.names(of:)))

    /// The tests of a file. Those of a type in a suite count as the suite's.
    private static func names(of document: Document) -> [String] {
        let target = document.path.split(separator: "/")[1]
        var names: [String] = []
        var suite = ""
        // The lines of an attribute, until its function.
        var attribute: String?
        for line in document.lines where !line.isEmpty {
            if line.first != " ", let declared = typeName(in: line) { suite = declared }
            let text = line.drop { $0 == " " }
            if text.hasPrefix("//") { continue }
            if text.hasPrefix("@Test") { attribute = "" }
            guard attribute != nil else { continue }
            attribute? += text
            guard let start = text.firstRange(of: "func ")?.upperBound else { continue }
            let name = text[start...].prefix { $0 != "(" }
            if attribute?.contains(".disabled(") != true { names.append("\(target)/\(suite)/\(name)") }
            attribute = nil
        }
        return names
    }

    /// The name of the type that a line declares or extends.
    private static func typeName(in line: Substring) -> String? {
        let words = line.split(separator: " ")
        let keywords: Set<Substring> = ["struct", "class", "actor", "enum", "extension"]
        guard !line.hasPrefix("//"), let keyword = words.firstIndex(where: keywords.contains),
            words.indices.contains(keyword + 1)
        else { return nil }
        return String(words[keyword + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }

    @Test("All promises of the five systems are in the table, in order")
    func table() {
        #expect(promises.map(\.number) == Array(1...98))
        let counts = [
            ("Parse PFConfig", 22), ("Appfigurate", 27), ("Firebase Remote Config and Swift", 13),
            ("MSActiveConfig", 23), ("Flurry", 13),
        ]
        for (system, count) in counts {
            #expect(promises.count { $0.system == system } == count, "\(system)")
        }
    }

    @Test("A promise has a test that shows it", arguments: promises)
    func promiseIsShown(promise: Promise) {
        #expect(!promise.tests.isEmpty)
        for test in promise.tests {
            let exists = Self.tests.contains(test)
            #expect(exists, "the test \(test) does not exist")
        }
    }
}

private let promises: [PromiseTests.Promise] = {
    var promises: [PromiseTests.Promise] = []
    var system = ""
    for line in table.split(separator: "\n") {
        if line.hasPrefix("# ") {
            system = String(line.dropFirst(2))
        } else if line.hasPrefix("  ") {
            guard !promises.isEmpty else { continue }
            promises[promises.count - 1].tests += line.split { $0 == " " || $0 == "," }.map(String.init)
        } else {
            let number = line.prefix { $0 != " " }
            let sentence = String(line.dropFirst(number.count + 1))
            promises.append(PromiseTests.Promise(number: Int(number) ?? 0, system: system, sentence: sentence))
        }
    }
    return promises
}()

/// By system the number and the sentence of each promise, and below it the tests that show it.
private let table = """
    # Parse PFConfig
    1 One configuration object is stored on a server, and sets values of apps remotely
      AllotServerTests/AppTests/aClientFetchesAndHearsOfChanges
    2 A message of the day is one of its values
      ReadmeTests/ReadmeTests/samplesAreShort, AllotConfigurationTests/ReadableConfigurationTests/typedReading
    3 A/B tests have values there
      AllotServerTests/ConfigurationRouteTests/answersAreThoseOfThePlan
    4 Images change the logo and the artwork
      AllotClientTests/ConfigurationFileTests/downloadedOnce
    5 Values change at any time, without a release of the app
      AllotServerTests/ConditionalRequestTests/replacedPlanIsServedAtOnce
    6 An editor adds, changes and removes parameters on a page
      AllotServerTests/SettingEditorTests/writes, AllotServerTests/SettingEditorTests/addsAndRemoves
    7 Poor connections do no harm, and the last fetched configuration is cached by default
      AllotClientTests/RefreshTests/temporaryFailuresAreAskedAgain, AllotClientTests/FileStoreTests/recordsAreKept
    8 The latest configuration is fetched in the background, with a completion
      AllotClientTests/RefreshTests/fetchesAndAnswersWithTheTag
    9 After a failure the app falls back to the current configuration
      AllotClientTests/StartingTests/failuresAreReported
    10 A fetched configuration is stored by itself, and is there without a network
      AllotClientTests/ActivationTests/whatIsFetchedComesIntoForceAtTheNextStart
    11 The current configuration is immutable, and a fetch changes none that is held
      AllotClientTests/ActivationTests/fetchedConfigurationsCanBeLookedAt
    12 The stored configuration is read in the background
      AllotClientTests/FirstAppTests/theServersScreenIsShown
    13 The configuration is fetched again after 12 hours
      AllotClientTests/RefreshTests/boundariesOnlyShorten, AllotClientTests/RefreshTests/refreshIfOlderThan
    14 A parameter is a string
      AllotConfigurationTests/ReadableConfigurationTests/typedReading
    15 A parameter is a number
      AllotConfigurationTests/ReadableConfigurationTests/typedReading
    16 A parameter is a date
      AllotClientTests/RichTypeTests/shapesOfParse, AllotConfigurationTests/SettingFormatTests/valid
    17 A parameter is a file
      AllotClientTests/RichTypeTests/shapesOfParse, AllotClientTests/ConfigurationFileTests/downloadedOnce
    18 A parameter is a geo point
      AllotClientTests/RichTypeTests/shapesOfParse, AllotConfigurationTests/SettingFormatTests/valid
    19 A parameter is an array
      AllotConfigurationTests/ReadableConfigurationTests/defaults
    20 A parameter is a dictionary
      AllotConfigurationTests/ReadableConfigurationTests/decoding
    21 A configuration has up to 100 parameters
      AllotDefinitionsTests/LimitTests/aHundredSettings
    22 All parameters together have up to 128 KB
      AllotDefinitionsTests/LimitTests/bytesOfValues, AllotDefinitionsTests/LimitTests/bytesWithOverrides
    # Appfigurate
    23 A property is a BOOL
      AllotClientTests/AppfigurateConformanceTests/everyValue
    24 A property is an NSInteger
      AllotClientTests/AppfigurateConformanceTests/everyValue
    25 A property is a float
      AllotClientTests/AppfigurateConformanceTests/everyValue
    26 A property is a double
      AllotClientTests/AppfigurateConformanceTests/everyValue
    27 A property is an NSString
      AllotClientTests/AppfigurateConformanceTests/everyValue
    28 A switch changes a property
      AllotClientTests/SettingsSheetTests/controlsOfSettings, AllotPagesTests/SettingsPageTests/controls
    29 A slider changes a property
      AllotClientTests/SettingsSheetTests/controlsOfSettings, AllotPagesTests/SettingsPageTests/controls
    30 A text field changes a property
      AllotClientTests/SettingsSheetTests/controlsOfSettings, AllotPagesTests/SettingsPageTests/controls
    31 A list changes a property
      AllotClientTests/SettingsSheetTests/controlsOfSettings, AllotPagesTests/SettingsPageTests/controls
    32 A list that can be extended changes a property
      AllotClientTests/SettingsSheetTests/controlsOfSettings, AllotDefinitionsTests/SettingPresentationTests/controls
    33 A number has a minimum and a maximum
      AllotClientTests/AppfigurateConformanceTests/everyValue
    34 A regular expression matches the whole text, and an empty one anything
      AllotClientTests/SettingConstraintsTests/patternsMatchTheWholeText
    35 The values of a list have labels
      AllotDefinitionsTests/SettingPresentationTests/controls
    36 An editable list takes values within limits that are not on it
      AllotClientTests/SettingsCatalogTests/declarations, AllotClientTests/AppfigurateConformanceTests/everyValue
    37 A property has a description
      AllotClientTests/SettingsCatalogTests/declarations, AllotCommandTests/GenerateTests/presentation
    38 A slider has icons of speed, capacity, numbers, brightness or volume at its ends
      AllotClientTests/SettingsSheetTests/icons
    39 A property has the default of its type
      AllotClientTests/AppfigurateConformanceTests/everyFaultOfTheExamplesIsNamed
    40 Another default must meet the limits, the list and the expression
      AllotClientTests/AppfigurateConformanceTests/everyFaultOfTheExamplesIsNamed
    41 The app has the public key, RSA of 2048 bits
      AllotSigningTests/VerificationTests/ownSignaturesAreRight, AllotSigningTests/KeyReadingTests/madeKeysAreReadAgain
    42 The public key is exported as source
      AllotCommandTests/SigningTests/keysAreExported
    43 Each platform has a key of its own
      AllotSigningTests/PublicKeyTests/severalKeysOfOneText
    44 A debug build allows invalid signatures
      AllotClientTests/OverridingTests/invalidSignatures, AllotClientTests/OverridingTests/invalidConfigurations
    45 A configuration is for one device, by its vendor's identifier
      AllotConfigurationTests/DevicePayloadTests/onlyForOneDeviceOfOneAppForAWhile
    46 A custom identifier, also that of a paired device, takes its place
      AllotConfigurationTests/DevicePayloadTests/devicesAreComparedByteByByte
    47 An applied configuration is kept, ends after 7 days, and can be reset
      AllotClientTests/OverridingTests/aPayloadEndsAfterSevenDaysForAll,
      AllotClientTests/OverridingTests/overridesAreKeptAndReset
    48 The tool reads the values of a device
      AllotCommandTests/DeviceCommandTests/forms, AllotServerTests/DeviceRouteTests/comparison,
      AllotClientTests/SettingsSheetTests/readout
    49 A link or a QR code applies a configuration
      AllotServerTests/OverrideRouteTests/tokens, AllotCommandTests/SigningTests/linksAndCodes
    # Firebase Remote Config and Swift
    50 A value is typed, and not optional
      AllotClientTests/SettingsBindingTests/values
    51 A key is written once
      AllotClientTests/GeneratedSettingsTests/catalogIsFaultless
    52 Nothing is unwrapped by force
      ReadmeTests/ReadmeTests/samplesAreShort
    53 A default is in one place
      AllotClientTests/SettingsBindingTests/defaultsWithoutConfiguration
    54 The library is imported in one file
      AllotCommandTests/GenerateTests/sameBytesAsTheFileThatIsKept
    55 What an earlier launch fetched is activated before anything is read
      AllotClientTests/ActivationTests/whatIsFetchedComesIntoForceAtTheNextStart
    56 The fetched value is read, or else the default
      AllotClientTests/SettingsBindingTests/values, AllotClientTests/SettingsBindingTests/defaultsWithoutConfiguration
    57 The server is asked at most once an hour, and each time in debug builds
      AllotClientTests/RefreshTests/boundariesOnlyShorten, AllotClientTests/RefreshTests/fetchesAndAnswersWithTheTag
    58 Keys and defaults are visible in code
      AllotClientTests/SettingsCatalogTests/declarations
    59 A fetch is for the next launch, so that all values of a run have one source
      AllotClientTests/ActivationTests/whatIsFetchedComesIntoForceAtTheNextStart
    60 A fetch ends with a status
      AllotClientTests/EventTextTests/texts
    61 One unit test is enough
      AllotClientTests/SettingsCatalogTests/everyFaultIsNamedAtOnce
    62 The first use of the shared instance, at the launch, starts the fetch
      AllotClientTests/LaunchTests/sharedClient
    # MSActiveConfig
    63 One line tells whether a feature is enabled
      AllotClientTests/CompatibilityTests/activeConfigCases
    64 A listener of a section learns of changes in real time
      AllotClientTests/ActiveConfigConformanceTests/listeners
    65 A feature is for a share of the users, which grows
      AllotTests/EvaluationTests/raisingTrafficReassignsNoUnit
    66 Decisions are made after the app was submitted
      AllotServerTests/AppTests/aClientFetchesAndHearsOfChanges
    67 Users get different values, of which the app need not know the variants
      AllotServerTests/ConfigurationRouteTests/answersAreThoseOfThePlan
    68 A client is made of a downloader and a store
      AllotClientTests/RefreshTests/fetchesAndAnswersWithTheTag
    69 An app has a downloader of its own
      AllotClientTests/RefreshTests/otherResponsesAreRejected
    70 A downloader of JSON by URL is supplied
      AllotClientTests/URLSessionDownloaderTests/anAnswer
    71 Nothing is downloaded until the app says so
      AllotClientTests/LaunchTests/nothingIsRequestedByItself
    72 An app has a store of its own
      AllotClientTests/StoreFaultTests/theClientStartsWithAnUnreadableStore
    73 A store in the user defaults is supplied
      AllotClientTests/UserDefaultsStoreTests/recordsAreKeptBetweenRuns
    74 A bundled configuration is used until one is fetched
      AllotServerTests/BootstrapTests/genericConfigurations, AllotClientTests/ActiveConfigConformanceTests/storeFallback
    75 A configuration is made of a dictionary or of a file
      AllotClientTests/ActiveConfigConformanceTests/bundledFileWithItsTrailingComma
    76 A getter has the type that it expects, or returns a form of nil
      AllotClientTests/CompatibilityTests/activeConfigOfNothing
    77 A value is a string, a number, a boolean, an array or an object
      AllotClientTests/CompatibilityTests/activeConfigCases
    78 A configuration that cannot be parsed is logged and ignored
      AllotClientTests/FirstAppTests/defaultsAreShown, AllotClientTests/RefreshTests/otherResponsesAreRejected
    79 The meta has the version of the format, the time of creation, and other keys
      AllotClientTests/ActiveConfigConformanceTests/stateValidity
    80 The meta says which group of a test the user belongs to
      AllotTests/EvaluationTests/metaSaysWhatWasDecided
    81 A notification with the meta follows each download
      AllotClientTests/ActivationTests/fetchedConfigurationsCanBeLookedAt
    82 The meta can be read at any time
      AllotClientTests/SnapshotTests/valuesAndTheirSources
    83 A listener is notified when any setting of its section changes
      AllotClientTests/ListeningTests/theCurrentValueComesFirstThenChangesOnly
    84 Users have configurations of their own, through log-out and log-in, and nil is a user
      ReadmeTests/BeforeLogInTests/deviceKeepsItsVariant,
      AllotClientTests/UserTests/aUserWithoutARecordDoesNotGetTheFormerUsersValues
    85 There is a sample app with a backend
      AllotServerTests/AppTests/theSampleAppShowsItsSettings
    # Flurry
    86 In the simple mode a configuration is loaded at the next cold start
      AllotClientTests/FlurryConformanceTests/lifecycle
    87 In the advanced mode a configuration is activated as soon as it is fetched
      AllotClientTests/FlurryConformanceTests/lifecycle
    88 Three getters have a default
      AllotClientTests/CompatibilityTests/flurryCases
    89 Values are converted to the type of the getter
      AllotClientTests/CompatibilityTests/flurryCases
    90 Without a configuration the defaults apply
      AllotClientTests/CompatibilityTests/absentSections
    91 A cold start loads what was fetched before
      AllotClientTests/FlurryConformanceTests/lifecycle
    92 One call fetches
      AllotClientTests/RefreshTests/fetchesAndAnswersWithTheTag
    93 Activating returns whether anything is new
      AllotClientTests/ActivationTests/activateTellsWhetherAnythingChanged
    94 Observers learn that a fetch succeeded, brought nothing new or failed, and of activations
      AllotClientTests/FlurryConformanceTests/lifecycle
    95 An observer runs on a queue of its own
      AllotClientTests/LaunchTests/ownQueue
    96 Everything is safe to use from any thread
      AllotClientTests/ListeningTests/manySubscribersReceiveOneChange,
      AllotClientTests/RefreshTests/aThousandCallersShareOneRequest
    97 An observer updates only what changed
      AllotClientTests/ListeningTests/theCurrentValueComesFirstThenChangesOnly
    98 All observers learn of an activation
      AllotClientTests/FlurryConformanceTests/lifecycle
    """
