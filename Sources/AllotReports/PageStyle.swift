import AllotConfiguration

/// How pages and reports look: light or dark as the reader's system is, on narrow screens, and on paper.
package enum PageStyle {
    /// Changes whenever ``sheet`` does, so that no cache keeps an old one.
    package static let version = FNV1a.hash64(Array(sheet.utf8)).hexadecimal
    /// The stylesheet of all pages, also of reports that have it inline: `style.css`, in which `v0` to `v7` are the
    /// colours of ``PlotSeries`` and `p0` to `p6` shades of p-values.
    package static let sheet = String(decoding: PackageResources.style_css.dropLast(), as: UTF8.self)
}
