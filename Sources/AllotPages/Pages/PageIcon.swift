/// The icon of all pages, for tabs and bookmarks: a share of a disc.
package enum PageIcon {
    /// The picture, in colours that are seen on light and on dark.
    package static let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">\
        <rect x="1" y="1" width="30" height="30" rx="15" fill="#0969da"/>\
        <path d="M16 16V1a15 15 0 0 1 13 22.5z" fill="#f0883e"/></svg>
        """
}
