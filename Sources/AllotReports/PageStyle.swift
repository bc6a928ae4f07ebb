import AllotConfiguration

/// How pages and reports look: light or dark as the reader's system is, on narrow screens, and on paper.
package enum PageStyle {
    /// Changes whenever ``sheet`` does, so that no cache keeps an old one.
    package static let version = FNV1a.hash64(Array(sheet.utf8)).hexadecimal

    /// The stylesheet of all pages, also of reports that have it inline.
    package static let sheet = [colors, text, plots, tables, site, parts, experiments, paper].joined(separator: "\n")

    /// `v0` to `v7` are the colours of ``PlotSeries``; `p0` to `p6` are shades of p-values.
    private static let colors = """
        :root { color-scheme: light dark; --ink: #1b1f24; --faint: #57606a; --line: #d0d7de; --paper: #ffffff;
          --panel: #f6f8fa; --bar: #0969da; --far: #cf222e; --good: #1a7f37; --bad: #cf222e; --link: #0550ae;
          --control: #818b96; --mark: #fff3c4; --free: #eaeef2;
          --p0: #dbe9f9; --p1: #9cc5f0; --p2: #4a90d9; --p3: #0b4a94; --p4: #cf222e; --p5: #1b1f24; --p6: #e4e4e4;
          --v0: #57606a; --v1: #0969da; --v2: #bc4c00; --v3: #1a7f37; --v4: #8250df; --v5: #bf3989; --v6: #7d4e00;
          --v7: #0b7a75; }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e6edf3; --faint: #9198a1; --line: #3d444d; --paper: #0d1117; --panel: #161b22; --bar: #58a6ff;
            --far: #ff7b72; --good: #3fb950; --bad: #ff7b72; --link: #79c0ff; --control: #6e7681; --mark: #4d3c00;
            --free: #21262d; --p0: #16263d; --p1: #23497a; --p2: #3b7dc8; --p3: #a5d1ff; --p4: #ff5f56; --p5: #ffffff;
            --p6: #2b2f36; --v0: #9198a1; --v1: #58a6ff; --v2: #f0883e; --v3: #3fb950; --v4: #bc8cff; --v5: #f778ba;
            --v6: #d4a72c; --v7: #39c5bb; }
        }
        @media (forced-colors: active) {
          :root { --ink: CanvasText; --faint: CanvasText; --line: GrayText; --paper: Canvas; --free: Canvas; }
        }
        """

    private static let text = """
        *, ::before, ::after { box-sizing: border-box; }
        body { font: 1rem/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem;
          color: var(--ink); background: var(--paper); }
        h1 { font-size: 1.6rem; overflow-wrap: anywhere; } h2 { font-size: 1.3rem; margin-top: 2.5rem;
          border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
        h3 { font-size: 1.05rem; margin: 1.8rem 0 .4rem; overflow-wrap: anywhere; }
        p { overflow-wrap: anywhere; } a { color: var(--link); overflow-wrap: anywhere; }
        :focus-visible { outline: 3px solid var(--bar); outline-offset: 2px; }
        code, pre { font-family: ui-monospace, monospace; font-size: .85em; }
        pre { margin: .5rem 0; padding: .6rem .8rem; background: var(--panel); border-radius: 6px; overflow: auto;
          max-height: 30rem; white-space: pre-wrap; overflow-wrap: anywhere; }
        code { overflow-wrap: anywhere; }
        .verdict { font-size: 1.1rem; padding: .7rem 1rem; background: var(--panel);
          border-left: 6px solid var(--good); }
        .verdict.bad { border-left-color: var(--bad); }
        .faint, figcaption { color: var(--faint); font-size: .9rem; } .bad { color: var(--bad); }
        .good { color: var(--good); } .verdict.bad, .notice.bad { color: var(--ink); }
        """

    /// Legends and plots keep their colours where a system replaces those of pages, so that they agree.
    private static let plots = """
        figure { margin: 1rem 0; } .scroll { overflow-x: auto; }
        .plots { display: flex; flex-wrap: wrap; gap: 0 2rem; }
        .plots figure { flex: 1 1 min(30rem, 100%); min-width: 0; max-width: 36rem; }
        svg, .key { print-color-adjust: exact; forced-color-adjust: none; }
        svg { display: block; direction: ltr; } svg.areas { position: absolute; }
        svg.picture { max-width: 100%; min-width: 22rem; height: auto; }
        svg.chart { width: 100%; max-width: 36rem; height: auto; }
        svg text { font: 12px system-ui, sans-serif; fill: var(--ink); } svg text.small { font-size: 9px; }
        svg.chart text { font-size: 8.5px; }
        @media screen and (max-width: 40rem) {
          svg.picture { max-width: none; min-width: 0; } svg.chart text { font-size: 11.5px; } }
        @media screen and (max-width: 22rem) { svg.chart text { font-size: 13px; } }
        .tick, .axis { stroke: var(--ink); } .grid { stroke: var(--line); stroke-width: .5; }
        .frame { fill: none; stroke: var(--ink); } .band { fill: var(--ink); opacity: .1; }
        .bar { fill: var(--bar); } .far { fill: var(--far); } line.far { stroke: var(--bad); }
        .points { stroke: var(--bar); stroke-width: 3; stroke-linecap: round; fill: none; }
        \((0...6).map { ".p\($0) { fill: var(--p\($0)); background: var(--p\($0)); }" }.joined(separator: "\n"))
        \((0...7).map { ".v\($0) { color: var(--v\($0)); }" }.joined(separator: "\n"))
        .v8 { color: var(--ink); } .free { fill: var(--free); background: var(--free); }
        .line { fill: none; stroke: currentColor; stroke-width: 2; } .thin { stroke-width: 1; }
        .end { stroke-width: 5; stroke-linecap: round; }
        .leader { stroke: currentColor; stroke-width: .5; }
        .texture { fill: none; stroke: var(--paper); stroke-width: 1.5; }
        .part, .slots rect { stroke: var(--paper); stroke-width: .5; }
        .alarm { fill: var(--bad); opacity: .12; } .now { stroke: var(--bad); stroke-width: 2; }
        .traffic { fill: var(--p1); stroke: var(--bar); stroke-width: 1.5; }
        .key { display: inline-block; width: .9rem; height: .9rem; margin-right: .4rem; border: 1px solid var(--line);
          vertical-align: -.1rem; }
        """

    private static let tables = """
        table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
        th, td { padding: .15rem .7rem; text-align: right; white-space: nowrap; }
        th { font-weight: 600; border-bottom: 1px solid var(--line); vertical-align: bottom; }
        th.text, td.text { text-align: left; }
        td.bad { color: var(--bad); font-weight: 600; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .9rem; }
        dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
        table.list { width: 100%; } table.list thead th { overflow-wrap: break-word; }
        caption { text-align: left; font-weight: 600; padding: .3rem 0; }
        table.list th, table.list td { text-align: left; white-space: normal; vertical-align: top;
          padding: .35rem .7rem;
          border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
        table.list th[scope=row] { font-weight: 600; } table.list .number { text-align: right; white-space: nowrap; }
        table.list .owner, table.list [data-label=Slots] { overflow-wrap: break-word; }
        table.list .whole { white-space: nowrap; }
        table.list tbody tr:hover { background: var(--panel); }
        """

    /// The parts of every page.
    private static let site = """
        .skip { position: absolute; left: -100rem; background: var(--paper); padding: .5rem 1rem; z-index: 1; }
        .skip:focus { left: 1rem; top: .5rem; }
        header.site { display: flex; flex-wrap: wrap; gap: .6rem 2rem; align-items: center;
          justify-content: space-between; padding-bottom: .8rem; border-bottom: 1px solid var(--line); }
        header.site ul, .breadcrumbs { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; list-style: none; margin: 0;
          padding: 0; }
        header.site li a { display: inline-block; padding: .2rem 0; font-weight: 600; text-decoration: none; }
        header.site li a:hover, header.site li a[aria-current] { text-decoration: underline; }
        .searches, .searches form { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; }
        .searches form { gap: .4rem; flex-wrap: nowrap; }
        .breadcrumbs { margin: .8rem 0 -.6rem; font-size: .9rem; gap: .2rem .5rem; }
        .breadcrumbs li + li::before { content: "/"; color: var(--faint); margin-right: .5rem; }
        .breadcrumbs li { overflow-wrap: anywhere; }
        main:focus { outline: none; }
        footer { margin-top: 3rem; border-top: 1px solid var(--line); color: var(--faint); font-size: .9rem; }
        input, select, button, textarea { font: inherit; font-size: .95rem; color: inherit; background: var(--paper);
          border: 1px solid var(--control); border-radius: 6px; padding: .25rem .5rem; min-width: 0; max-width: 100%; }
        button { background: var(--panel); font-weight: 600; cursor: pointer; }
        button:hover { border-color: var(--ink); }
        label { font-size: .9rem; color: var(--faint); } .searches input { width: 11rem; }
        """

    /// The elements of several pages.
    private static let parts = """
        .notice { border: 1px solid var(--line); border-left: 6px solid var(--bar); border-radius: 6px;
          padding: .6rem 1rem; margin: 1rem 0; background: var(--panel); overflow-wrap: anywhere; }
        .notice.bad { border-left-color: var(--bad); } .notice.good { border-left-color: var(--good); }
        .notice > :first-child { margin-top: 0; } .notice > :last-child { margin-bottom: 0; }
        .panel { border: 1px solid var(--line); border-left-width: 6px; border-radius: 6px; padding: .8rem 1rem;
          margin: 1rem 0; } .panel.assigned { border-left-color: var(--good); }
        .panel.open { border-left-style: dashed; }
        .panel h2, .panel h3 { border: 0; font-size: 1.1rem; margin: 0; } .panel p { margin: .3rem 0; }
        .panel .variant { float: right; font-weight: 600; overflow-wrap: anywhere; }
        summary { cursor: pointer; color: var(--link); }
        .badge { display: inline-block; padding: 0 .5rem; border: 1px solid var(--control); border-radius: 1rem;
          font-size: .85rem; white-space: nowrap; }
        .badge.running { border-color: var(--good); color: var(--good); font-weight: 600; }
        .badge.bad { border-color: var(--bad); color: var(--bad); font-weight: 600; }
        .fold { display: none; }
        .filters { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; margin: 1rem 0; }
        .filters > div { display: flex; flex-direction: column; min-width: 0; }
        .filters input, .filters select, .filters button, .searches input, .searches button { height: 2.1rem; }
        .filters > a { padding: .3rem 0; }
        svg.slots { width: 100%; height: 40px; margin: .6rem 0 0; }
        .about { display: block; font-weight: 400; color: var(--faint); }
        .phases { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; }
        .pager { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; margin: 1rem 0; }
        .legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; font-size: .9rem; }
        svg.code { max-width: 100%; height: auto; margin: .5rem 0; } del { text-decoration: none; color: var(--bad); }
        ins { text-decoration: none; color: var(--good); }
        .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 1rem; }
        """

    /// The elements of the pages of experiments and units.
    private static let experiments = """
        .lead { font-size: 1.1rem; overflow-wrap: anywhere; }
        .changed .faint { color: inherit; }
        .sides td { min-width: 8rem; } .sides .changed { background: var(--mark); }
        .sides thead td, .sides tbody th { min-width: 9rem; max-width: 16rem; }
        .boundaries { font-size: .9rem; }
        .index { columns: 4 15rem; column-gap: 2rem; } .index h2 { font-size: 1rem; margin: 0; border: 0;
          break-after: avoid; }
        .index ul { list-style: none; margin: 0 0 .6rem; padding: 0; } .index li { break-inside: avoid; }
        .groups:has(> :target) > :not(:target) { display: none; }
        .unit-form { display: grid; gap: .5rem 1rem; max-width: 48rem; margin: 1rem 0; }
        .unit-form div { display: grid; gap: .1rem; } .unit-form button { justify-self: start; }
        .unit-form textarea { width: 100%; min-height: 5rem; }
        .steps { margin: .3rem 0; padding-left: 1.4rem; } .steps li { overflow-wrap: anywhere; }
        """

    /// Lists are cards where a row has no room: what counts first, then the rest with the names of the columns.
    private static let paper = """
        @media screen and (max-width: 64rem) {
          table.cards, .cards tbody { display: block; } .cards thead { display: none; }
          .cards caption { display: block; }
          .cards tr { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; padding: .6rem .35rem;
            border-bottom: 1px solid var(--line); }
          table.cards tr > * { order: 1; min-width: 0; padding: 0; border: 0; text-align: left; }
          table.cards th[scope=row] { order: 0; flex: 0 0 100%; } table.cards td.first { order: 0; }
          .cards td:empty { display: none; }
          .cards td[data-label]::before { content: attr(data-label) ": "; color: var(--faint); }
        }
        @media screen and (max-width: 40rem) { body { margin: 1rem auto; } dl { grid-template-columns: 1fr; gap: 0; }
          dd { margin: 0 0 .5rem; } th, td { padding-left: .35rem; padding-right: .35rem; }
          .searches, .searches form { width: 100%; } .searches input { flex: 1; }
          .fold { display: block; } .fold:not([open]) + form { display: none; } }
        @media print { html { font-size: 11px; } body { margin: 0; max-width: none; }
          table, dl, code, pre, label, .badge, .faint, figcaption, .legend, .boundaries { font-size: 1rem; }
          table.list th, table.list td, th, td { padding: .1rem .35rem; min-width: 0; }
          figure, tr, .panel { break-inside: avoid; }
          h1, h2, h3, h4, caption, summary, dt, thead, .legend { break-after: avoid; }
          .scroll { overflow: visible; } pre { max-height: none; overflow: visible; }
          header.site, .skip, .filters, .fold, .pager { display: none; }
          a { color: inherit; text-decoration: none; } }
        """
}
