/// How the page looks: light or dark as the reader's system is, and on paper.
enum PageStyle {
    static let sheet = """
        :root { color-scheme: light dark; --ink: #1b1f24; --faint: #57606a; --line: #d0d7de; --paper: #ffffff;
          --panel: #f6f8fa; --bar: #0969da; --far: #cf222e; --good: #1a7f37; --bad: #cf222e;
          --p0: #dbe9f9; --p1: #9cc5f0; --p2: #4a90d9; --p3: #0b4a94; --p4: #cf222e; --p5: #1b1f24; --p6: #e4e4e4; }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e6edf3; --faint: #9198a1; --line: #3d444d; --paper: #0d1117; --panel: #161b22; --bar: #58a6ff;
            --far: #ff7b72; --good: #3fb950; --bad: #ff7b72; --p0: #16263d; --p1: #23497a; --p2: #3b7dc8; --p3: #a5d1ff;
            --p4: #ff5f56; --p5: #ffffff; --p6: #2b2f36; }
        }
        body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem;
          color: var(--ink); background: var(--paper); }
        h1 { font-size: 1.6rem; } h2 { font-size: 1.3rem; margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
        h3 { font-size: 1.05rem; margin: 1.8rem 0 .4rem; }
        .verdict { font-size: 1.1rem; padding: .7rem 1rem; background: var(--panel);
          border-left: 6px solid var(--good); }
        .verdict.bad { border-left-color: var(--bad); }
        .faint, figcaption { color: var(--faint); font-size: .9rem; }
        figure { margin: 1rem 0; } figure .scroll, .scroll { overflow-x: auto; }
        .plots { display: flex; flex-wrap: wrap; gap: 0 2rem; } .plots figure { flex: 1 1 24rem; max-width: 36rem; }
        svg { display: block; max-width: 100%; min-width: 22rem; height: auto; }
        svg text { font: 12px system-ui, sans-serif; fill: var(--ink); } svg text.small { font-size: 9px; }
        .tick, .axis { stroke: var(--ink); } .grid { stroke: var(--line); stroke-width: .5; }
        .frame { fill: none; stroke: var(--ink); } .band { fill: var(--faint); opacity: .18; }
        .bar { fill: var(--bar); } .far { fill: var(--far); }
        .points { stroke: var(--bar); stroke-width: 3; stroke-linecap: round; fill: none; }
        .p0 { fill: var(--p0); background: var(--p0); } .p1 { fill: var(--p1); background: var(--p1); }
        .p2 { fill: var(--p2); background: var(--p2); } .p3 { fill: var(--p3); background: var(--p3); }
        .p4 { fill: var(--p4); background: var(--p4); } .p5 { fill: var(--p5); background: var(--p5); }
        .p6 { fill: var(--p6); background: var(--p6); }
        .key { display: inline-block; width: .9rem; height: .9rem; margin-right: .4rem; border: 1px solid var(--line);
          vertical-align: -.1rem; print-color-adjust: exact; }
        table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
        th, td { padding: .15rem .7rem; text-align: right; white-space: nowrap; }
        th { font-weight: 600; border-bottom: 1px solid var(--line); vertical-align: bottom; }
        th.text, td.text { text-align: left; } tbody.group > tr:first-child > td { padding-top: .5rem; }
        tbody.group > tr:first-child > td.text { font-weight: 600; }
        td.bad { color: var(--bad); font-weight: 600; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .9rem; }
        dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
        svg { print-color-adjust: exact; }
        @media print { body { margin: 0; max-width: none; font-size: 11px; } figure, tbody, tr { break-inside: avoid; }
          table { font-size: 9px; } th, td { padding: .1rem .35rem; } .scroll { overflow: visible; } }
        """
}
