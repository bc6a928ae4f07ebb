import AllotConfiguration

/// The pictures at the ends of a slider, as SVG. They only decorate: the ends are given in words, too.
struct SliderIcons {
    let low: String
    let high: String

    init(_ icons: SettingIcons) {
        let (low, high) = Self.shapes(icons)
        self.low = Self.picture(low)
        self.high = Self.picture(high)
    }

    private static func picture(_ shapes: String) -> String {
        "<svg class=\"icon\" aria-hidden=\"true\" viewBox=\"0 0 24 24\" width=\"24\" height=\"24\">\(shapes)</svg>"
    }

    private static func shapes(_ icons: SettingIcons) -> (low: String, high: String) {
        let battery = #"<rect x="2" y="7" width="17" height="10" rx="2"/><path d="M22 10v4"/>"#
        let speaker = #"<path d="M3 9h4l5-4v14l-5-4H3z"/>"#
        switch icons {
        case .speed:
            return (
                // A tortoise and a hare.
                #"<path d="M3 16a7 7 0 0 1 14 0zM17 15c0-4 5-4 5-1 0 2-3 2-5 2M6 16v3M14 16v3"/>"#,
                #"<path d="M3 18c-1-5 3-8 9-7-2-3-3-6-2-8 3 1 4 4 5 8 4 0 6 2 6 4s-2 3-5 3zM8 18l-2 3M15 18l3 3"/>"#
            )
        case .capacity: return (battery, battery + #"<path class="full" d="M5 10h11v4H5z"/>"#)
        case .numeric:
            return (#"<ellipse cx="12" cy="12" rx="5" ry="8"/>"#, #"<path d="M8 7l5-3v16M8 20h10"/>"#)
        case .brightness:
            return (
                #"<ellipse cx="12" cy="12" rx="3" ry="3"/>"#
                    + #"<path d="M12 6v0M12 18v0M6 12h0M18 12h0M8 8h0M16 16h0M16 8h0M8 16h0"/>"#,
                #"<ellipse cx="12" cy="12" rx="5" ry="5"/>"#
                    + #"<path d="M12 1v3M12 20v3M1 12h3M20 12h3M4 4l2 2M18 18l2 2M20 4l-2 2M6 18l-2 2"/>"#
            )
        case .volume: return (speaker, speaker + #"<path d="M16 9c2 2 2 4 0 6M19 6c4 4 4 8 0 12"/>"#)
        }
    }
}
