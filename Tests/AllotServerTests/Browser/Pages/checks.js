// What is wrong with a page, as a list of sentences. It runs in the page; what axe-core checks is not repeated.
(() => {
  const problems = [];
  const name = (element) => `<${element.tagName.toLowerCase()}${element.id ? " id=" + element.id : ""}> ` +
    JSON.stringify((element.textContent || "").trim().slice(0, 40));
  const luminance = ([red, green, blue]) => {
    const linear = [red, green, blue].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const color = (text) => (text.match(/[\d.]+/g) || []).map(Number);
  const contrast = (first, second) => {
    const [low, high] = [luminance(first), luminance(second)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };

  if (document.documentElement.lang !== "en") problems.push("the page has no language");
  const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")];
  if (headings.filter((heading) => heading.tagName === "H1").length !== 1) problems.push("there is not one h1");
  headings.reduce((before, heading) => {
    const level = Number(heading.tagName[1]);
    if (level > before + 1) problems.push(`the level of a heading is skipped before ${name(heading)}`);
    return level;
  }, 0);
  if (document.querySelectorAll("main").length !== 1) problems.push("there is not one main");

  for (const table of document.querySelectorAll("table")) {
    const region = table.closest("[role=region][aria-label]");
    if (!table.caption && !region && !table.getAttribute("aria-label")) problems.push(`a table has no name: ${name(table)}`);
    for (const cell of table.querySelectorAll("th")) {
      if (!cell.scope) problems.push(`a heading of a table has no scope: ${name(cell)}`);
    }
  }
  for (const picture of document.querySelectorAll("svg[role=img]")) {
    if (!picture.querySelector("title") || !picture.querySelector("title").textContent) {
      problems.push("a picture has no title");
    }
  }
  const paper = color(getComputedStyle(document.body).backgroundColor);
  for (const text of document.querySelectorAll("svg text")) {
    const ratio = contrast(color(getComputedStyle(text).fill), paper);
    if (ratio < 4.5) problems.push(`text of a picture has a contrast of ${ratio.toFixed(2)}: ${name(text)}`);
  }
  for (const shape of document.querySelectorAll("pattern rect, svg .line")) {
    const ratio = contrast(color(getComputedStyle(shape).color), paper);
    if (ratio < 3) problems.push(`a shape ${shape.getAttribute("class")} has a contrast of ${ratio.toFixed(2)}`);
  }
  for (const shape of document.querySelectorAll("svg [fill^=url]")) {
    const id = shape.getAttribute("fill").slice(5, -1);
    if (!document.getElementById(id)) problems.push(`the page does not have the filling ${id}`);
  }

  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) {
    const wide = [...document.body.querySelectorAll("*")].filter(
      (element) => !element.closest(".scroll") && element.getBoundingClientRect().right > width + 1);
    problems.push(`the page is ${document.documentElement.scrollWidth} wide, not ${width}: ` +
      wide.slice(0, 3).map(name).join(", "));
  }
  // Nothing is cut off, but in boxes that scroll; the link to the content is left of the page until it has the focus.
  const scrolls = (box) => box && (/auto|scroll/.test(getComputedStyle(box).overflowX) || scrolls(box.parentElement));
  for (const element of document.body.querySelectorAll("*:not(svg *, .skip, option)")) {
    const box = element.getBoundingClientRect();
    if (box.width > 0 && (box.right > width + 1 || box.left < -1) && !scrolls(element.parentElement)) {
      problems.push(`an element is cut off, from ${box.left.toFixed()} to ${box.right.toFixed()}: ${name(element)}`);
    }
  }
  for (const picture of document.querySelectorAll("svg.chart")) {
    const frame = picture.getBoundingClientRect();
    for (const text of picture.querySelectorAll("text")) {
      const box = text.getBoundingClientRect();
      const isInside = box.right < frame.right + 2 && box.left > frame.left - 2 && box.bottom < frame.bottom + 2
        && box.top > frame.top - 2;
      if (frame.width > 0 && !isInside) problems.push(`text of a plot is cut off: ${name(text)}`);
      const size = parseFloat(getComputedStyle(text).fontSize) * frame.width / picture.viewBox.baseVal.width;
      if (frame.width > 0 && size < 10) problems.push(`text of a plot has ${size.toFixed(1)} pixels: ${name(text)}`);
    }
  }
  for (const box of document.querySelectorAll(".scroll[tabindex]")) {
    if (box.matches(".scroll:has(> .cards, > svg.chart)")) problems.push(`a box that never scrolls is a stop: ${name(box)}`);
  }
  for (const element of document.querySelectorAll("script, iframe, object, embed, [style], style")) {
    problems.push(`an element does not belong here: ${name(element)}`);
  }
  for (const element of document.querySelectorAll("*")) {
    for (const attribute of Element.prototype.getAttributeNames.call(element)) {
      if (attribute.startsWith("on")) problems.push(`an element has a handler: ${attribute}`);
    }
  }
  return problems;
})()
