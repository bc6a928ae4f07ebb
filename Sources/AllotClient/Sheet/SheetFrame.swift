import AllotConfiguration

/// The frame of a page of the sheet: one document that loads nothing.
enum SheetFrame {
    static func html(_ title: String, _ content: String) -> String {
        let title = HTMLText.escaped(title)
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
            style-src 'unsafe-inline'; script-src '\(scriptHash)'">
            <meta name="referrer" content="same-origin"><link rel="icon" href="data:,">
            <title>\(title)</title><style>
            \(style)
            </style></head><body><main><h1>\(title)</h1>
            \(content)
            </main><script>\(script)</script></body></html>

            """
    }

    /// Without the script a slider's number changes when the value is applied.
    private static let script =
        #"for (const input of document.querySelectorAll("input[type=range]")) { "#
        + #"input.addEventListener("input", () => { "#
        + #"document.getElementById(input.id + "-now").value = input.value; }); }"#

    /// Lets browsers run ``script``, and no other one.
    private static let scriptHash = "sha256-ScMbNZgcJOJz1VKWapNaZ9zc7etoKT3ZqdOd1Uq+gHA="

    private static let style = """
        :root { color-scheme: light dark; } *, ::before, ::after { box-sizing: border-box; }
        body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 0 auto; padding: 0 1rem 3rem;
          color: #1b1f24; background: #fff; overflow-wrap: anywhere; }
        h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
        form { margin: 0; padding: .7rem 0; border-top: 1px solid #d0d7de; } form:target { border-top-color: #0969da; }
        label { display: block; font-weight: 600; } p { margin: .3rem 0; } code, pre { font-size: .85em; }
        .control label, label code { font-weight: 400; } label code { margin-left: .4rem; }
        .control { display: flex; flex-wrap: wrap; gap: .4rem .6rem; align-items: center; }
        input, select, button, textarea { font: inherit; color: inherit; background: #fff; min-height: 2.75rem;
          max-width: 100%; padding: .3rem .6rem; border: 1px solid #6e7781; border-radius: 6px; }
        input[type=text], input[type=number], select { flex: 1 1 10rem; min-width: 0; }
        textarea { flex: 1 1 100%; min-width: 0; font-family: ui-monospace, monospace; }
        input[type=checkbox] { width: 1.5rem; min-height: 1.5rem; }
        .range { display: flex; flex: 1 1 12rem; min-width: 0; gap: .4rem; align-items: center; }
        input[type=range] { flex: 1; min-width: 0; padding: 0; } output { min-width: 2ch; text-align: right; }
        button { cursor: pointer; color: #fff; background: #0550ae; border-color: #0550ae; }
        button.plain { color: inherit; background: none; border-color: #6e7781; }
        :focus-visible { outline: 3px solid #0969da; outline-offset: 2px; }
        a { color: #0550ae; } .faint, dt { color: #57606a; font-size: .9rem; } .bad { color: #cf222e; }
        .changed { padding-left: .6rem; border-left: 4px solid #0969da; }
        .notice { padding: .6rem .8rem; border: 2px solid #cf222e; border-radius: 6px; }
        dl { display: flex; flex-wrap: wrap; gap: .2rem 1.5rem; } dd { margin: 0; }
        pre { padding: .6rem; border: 1px solid #d0d7de; white-space: pre-wrap; max-height: 24rem; overflow: auto; }
        .heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        .icon { flex: none; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; }
        .icon .full { fill: currentColor; } .code { display: block; max-width: 100%; height: auto; }
        @media (prefers-color-scheme: dark) {
          body { color: #e6edf3; background: #0d1117; } input, select, textarea { background: #0d1117; }
          form, pre { border-color: #3d444d; } form:target { border-top-color: #58a6ff; }
          :focus-visible { outline-color: #58a6ff; } a { color: #79c0ff; } .faint, dt { color: #9198a1; }
          .bad { color: #ff7b72; } .notice { border-color: #ff7b72; } .changed { border-color: #58a6ff; }
        }
        """
}
