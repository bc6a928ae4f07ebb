internal import AllotConfiguration

/// A variant of a randomisation. `Sendable`.
package struct ExposureArm: Sendable, Hashable {
    private let experimentKey: UTF8Key
    private let saltKey: UTF8Key
    private let variantKey: UTF8Key

    package var experiment: String { experimentKey.text }
    package var salt: String { saltKey.text }
    package var variant: String { variantKey.text }

    package init(experiment: String, salt: String, variant: String) {
        experimentKey = UTF8Key(experiment)
        saltKey = UTF8Key(salt)
        variantKey = UTF8Key(variant)
    }

    package init(_ exposure: Exposure) {
        self.init(experiment: exposure.experiment, salt: exposure.salt, variant: exposure.variant)
    }
}
