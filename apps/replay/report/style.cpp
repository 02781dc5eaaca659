// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Colours are those of Okabe & Ito and of Tol, which colour-blind people can tell apart; lines are
// dashed as well. Neither text may hold "<" or "&": the page is XML, too.
#include "replay/report/page.hpp"

namespace jackdaw::replay::report {

const char* const kStyle = R"css(
:root{color-scheme:light dark;
--paper:#fdfcfa;--card:#ffffff;--ink:#1c1d21;--soft:#5d6069;--faint:#8d9099;--rule:#dcdad4;--grid:#eae8e2;
--accent:#0072b2;--taught:#f1eee4;--magenta:#c4248c;--red:#c8320f;--rest:#b4b7bf;
--default:#0072b2;--seed:#d55e00;--vanilla:#7a7d85;--tanh:#b5609a;--ncm:#00835f;--slda:#b87d00;--knn:#7b3fb5;--other:#555;
--k0:#0072b2;--k1:#d55e00;--k2:#009e73;--k3:#cc79a7;--k4:#e69f00;--k5:#56b4e9;--k6:#882255;--k7:#8a8a26;--k8:#44aa99;--k9:#4a3aa8}
@media screen and (prefers-color-scheme:dark){:root{
--paper:#15171b;--card:#1c1f24;--ink:#e8e8ea;--soft:#a6a9b2;--faint:#7d818b;--rule:#343840;--grid:#2a2d34;
--accent:#4fb0ec;--taught:#23272e;--magenta:#f06cc0;--red:#ff7350;--rest:#5b6069;
--default:#4fb0ec;--seed:#f58a42;--vanilla:#9a9ea8;--tanh:#df92c6;--ncm:#2fc79b;--slda:#efb73e;--knn:#b99bf5;--other:#bbb;
--k0:#4f9fe0;--k1:#f58a42;--k2:#2fc79b;--k3:#e39ac6;--k4:#f2b632;--k5:#8fd3fa;--k6:#d4669a;--k7:#c2c25a;--k8:#63cdbb;--k9:#9b8cf0}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
body{margin:0 auto;padding:2.5rem 1.5rem 4rem;max-width:1280px;background:var(--paper);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif}
h1,h2,h3,.figure{font-family:"Iowan Old Style","Palatino Linotype",Palatino,"Noto Serif","Liberation Serif",Georgia,serif;font-weight:600;line-height:1.2}
h1{font-size:clamp(1.8rem,4.5vw,2.7rem);margin:.1rem 0 .5rem;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{font-size:1.55rem;margin:3.4rem 0 1rem;padding-top:1.1rem;border-top:1px solid var(--rule)}
h3{font-size:1.15rem;margin:1.8rem 0 .5rem}
h4{font-size:.92rem;margin:1.1rem 0 .3rem;font-weight:600;overflow-wrap:anywhere}
.kicker{margin:0;text-transform:uppercase;letter-spacing:.14em;font-size:.72rem;font-weight:600;color:var(--accent)}
.byline{margin:0 0 1.2rem;color:var(--soft);font-size:.86rem;overflow-wrap:anywhere}
.lead{max-width:46rem;font-size:1.06rem}
.warning{max-width:46rem;border-left:3px solid var(--seed);padding:.1rem 0 .1rem .9rem;color:var(--soft);font-size:.9rem}
.note{color:var(--soft);font-size:.92rem;max-width:52rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:.8rem;margin:1.6rem 0}
.tile{background:var(--card);border:1px solid var(--rule);border-radius:8px;padding:.85rem 1rem}
.tile p{margin:0;overflow-wrap:anywhere}
.tile .figure{font-size:1.5rem;white-space:nowrap}
.tile .what{font-size:.86rem}
.tile .more{font-size:.76rem;color:var(--soft)}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;font-size:.86rem;margin:1.6rem 0 0;padding:.7rem 0;border-top:1px solid var(--rule);border-bottom:1px solid var(--rule)}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
nav+main h2:first-child{border-top:0}
main section:first-child h2{border-top:0;margin-top:1.2rem}
.scroll{margin:1rem 0 1.6rem}
.scroll,div.grid{overflow-x:auto;
background:linear-gradient(90deg,var(--paper) 50%,#0000) 0 0/2rem 100%,linear-gradient(270deg,var(--paper) 50%,#0000) 100% 0/2rem 100%,
linear-gradient(90deg,#0003,#0000) 0 0/.7rem 100%,linear-gradient(270deg,#0003,#0000) 100% 0/.7rem 100%;
background-repeat:no-repeat;background-attachment:local,local,scroll,scroll}
table{border-collapse:collapse;font-size:.86rem;font-variant-numeric:tabular-nums;min-width:100%}
caption{text-align:left;color:var(--soft);font-size:.86rem;padding:0 0 .7rem;caption-side:top}
caption span,.divider span{display:block;max-width:min(52rem,calc(100vw - 3rem));white-space:normal}
th,td{text-align:left;padding:.36rem .7rem;font-weight:400;vertical-align:baseline;white-space:nowrap}
th:first-child,td:first-child{padding-left:.2rem}
thead th{font-weight:600;font-size:.8rem;color:var(--soft);border-bottom:1.5px solid var(--ink);vertical-align:bottom;white-space:normal}
thead th.over{text-align:center;border-bottom:1px solid var(--rule);color:var(--ink)}
tbody tr+tr td,tbody tr+tr th{border-top:1px solid var(--grid)}
tbody tr.first:not(:first-child) td,tbody tr.first:not(:first-child) th{border-top:1px solid var(--faint)}
tbody:last-child tr:last-child td,tbody:last-child tr:last-child th{border-bottom:1.5px solid var(--ink)}
.n{text-align:right}
.pivot{min-width:min(100%,34rem)}
.pivot th:first-child{position:sticky;left:0;background:var(--paper)}
.many{font-size:.74rem}.many thead th{font-size:.72rem}.many th,.many td{padding:.32rem .32rem}
td.best{font-weight:700}
td.wrap{white-space:normal;min-width:10rem;overflow-wrap:anywhere}
td.encoder{max-width:15rem;overflow:hidden;text-overflow:ellipsis}
table small{color:var(--soft)}
.others td,.others th{color:var(--soft);font-style:italic}
.divider th{font-style:normal;font-size:.76rem;padding-top:.8rem;border-top:1px solid var(--faint)}
.dense{font-size:.8rem}.dense th,.dense td{padding:.22rem .55rem}.dense th:first-child{padding-left:.2rem}
.swatch{display:inline-block;width:.72em;height:.72em;border-radius:2px;margin-right:.5em;background:var(--c,var(--other))}
.swatch.diamond{background:none;border:1.5px solid var(--soft);transform:rotate(45deg) scale(.85);border-radius:0}
figure{margin:1.4rem 0 2rem}
figcaption{color:var(--soft);font-size:.86rem;max-width:52rem;margin-top:.6rem}
.grid{display:grid;gap:1.1rem 1.4rem;align-items:start}
.three{grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr))}
.two{grid-template-columns:repeat(auto-fill,minmax(min(100%,560px),1fr))}
.four{grid-template-columns:repeat(auto-fill,minmax(min(100%,250px),1fr))}
.grid>svg{width:100%;height:auto;display:block;max-width:620px}
.three>svg{min-width:340px}.two>svg{min-width:560px}.four>svg{min-width:250px}
.legend{display:flex;flex-wrap:wrap;gap:.3rem .5rem;margin:.3rem 0 .8rem}
.legend button{font:inherit;font-size:.82rem;color:var(--ink);background:var(--card);border:1px solid var(--rule);border-radius:99px;padding:.1rem .7rem;cursor:pointer}
.legend button[aria-pressed=false]{opacity:.45;text-decoration:line-through}
svg text{font:11px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;fill:var(--ink)}
svg .panel{font-weight:600;font-size:12.5px}
svg .tick{fill:var(--faint);font-size:10px}
svg .tiny{fill:var(--soft);font-size:10px}
svg .name{fill:var(--soft)}
svg .value{font-variant-numeric:tabular-nums}
.grid path.grid,svg path.grid{display:inline;stroke:var(--grid);fill:none;stroke-width:1}
.taught{fill:var(--taught)}
.s-default{--c:var(--default)}.s-seed{--c:var(--seed)}.s-vanilla{--c:var(--vanilla)}.s-tanh{--c:var(--tanh)}
.s-ncm{--c:var(--ncm)}.s-slda{--c:var(--slda)}.s-knn{--c:var(--knn)}.s-other{--c:var(--other)}
.line{fill:none;stroke:var(--c);stroke-width:1.7;stroke-linejoin:round;stroke-linecap:round}
.line.s-vanilla{stroke-dasharray:1.5 3}.line.s-tanh{stroke-dasharray:5 3}.line.s-ncm{stroke-dasharray:8 3}
.line.s-slda{stroke-dasharray:7 2.5 1.5 2.5}.line.s-knn{stroke-dasharray:3 2.5}
.line.s-default,.line.s-seed{stroke-width:2.1}
.band{fill:var(--c);opacity:.16;stroke:none}
.cross{stroke:var(--faint);stroke-width:1;fill:none}
.bar{fill:var(--c)}.dot{fill:var(--c)}
.whisker{stroke:var(--c);stroke-width:2;stroke-linecap:round;fill:none}
.whisker.on{stroke:var(--ink);stroke-width:1.3}
.diamond{fill:var(--card);stroke:var(--soft);stroke-width:1.5}
.published text{font-style:italic;fill:var(--soft)}
.ridge{fill:var(--accent);fill-opacity:.5;stroke:var(--accent);stroke-width:.8}
.ridge.fine{stroke:none;fill-opacity:.75}
.ridges g:hover .ridge{fill-opacity:.95}
.heat .ground{fill:var(--card);stroke:var(--rule);stroke-width:1}
.heat path{fill:var(--accent);shape-rendering:crispEdges}
.h1{opacity:.06}.h2{opacity:.14}.h3{opacity:.24}.h4{opacity:.35}.h5{opacity:.47}.h6{opacity:.6}.h7{opacity:.74}.h8{opacity:.88}
.points{fill:none;stroke:var(--c);stroke-width:4.4;stroke-linecap:round;opacity:.62}
.points.grey{stroke:var(--faint);opacity:.28}
.points:hover{opacity:1;stroke-width:6.5}.points.grey:hover{stroke:var(--ink)}
.k0{--c:var(--k0)}.k1{--c:var(--k1)}.k2{--c:var(--k2)}.k3{--c:var(--k3)}.k4{--c:var(--k4)}
.k5{--c:var(--k5)}.k6{--c:var(--k6)}.k7{--c:var(--k7)}.k8{--c:var(--k8)}.k9{--c:var(--k9)}
svg .centre{font-weight:700;font-size:13px;paint-order:stroke;stroke:var(--paper);stroke-width:3.5px;stroke-linejoin:round;pointer-events:none}
.rest{--c:var(--rest)}.truth{--c:var(--magenta)}.wrong{--c:var(--red)}
.sample{margin:1.6rem 0 .4rem}.sample .grid{margin-top:.5rem}.sample h4{display:inline-block;vertical-align:middle;margin:.4rem 0}
.thumbnail{width:44px;height:44px;object-fit:contain;image-rendering:pixelated;vertical-align:middle;margin-right:.8rem;border-radius:5px;border:1px solid var(--rule)}
.activations .bar{opacity:.55}.each{stroke:var(--ink);stroke-width:.7;opacity:.4;fill:none}
svg .truth text,svg .wrong text{fill:var(--c);font-weight:700}
dl{display:grid;grid-template-columns:minmax(6.5rem,max-content) 1fr;gap:.2rem 1.4rem;font-size:.88rem}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
code{font:.92em ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace}
summary{cursor:pointer;color:var(--accent);margin:1rem 0}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--rule);color:var(--soft);font-size:.82rem}
.hidden{display:none}
#tip{position:fixed;pointer-events:none;background:var(--card);border:1px solid var(--rule);border-radius:6px;padding:.35rem .6rem;font-size:.78rem;line-height:1.4;box-shadow:0 2px 10px #0003;display:none;z-index:9;font-variant-numeric:tabular-nums}
@media (max-width:560px){thead th.over{text-align:left}body{padding:1.4rem 1rem 3rem}.tiles{grid-template-columns:1fr 1fr}.tile .figure{font-size:1.4rem}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}}
@media print{:root{--paper:#fff}body{max-width:none;padding:0;font-size:10pt;background:#fff}nav,.legend button[aria-pressed=false]{display:none}
h2,h3,h4,caption,.legend,.sample h4{break-after:avoid}.sample{break-inside:avoid}.tiles{grid-template-columns:repeat(3,1fr)}.grid>svg,tr,.tile{break-inside:avoid}.scroll,div.grid{overflow:visible;background:none}.grid>svg{min-width:0}
table{font-size:7.5pt}th,td{padding:.2rem .35rem;white-space:normal}.three{grid-template-columns:repeat(3,1fr)}.four{grid-template-columns:repeat(4,1fr)}.two{grid-template-columns:repeat(2,1fr)}
.n{white-space:nowrap}.pivot th:first-child{position:static}.many{font-size:5.6pt}.many thead th{font-size:5.4pt}.many th,.many td{padding:.16rem .14rem}}
)css";

const char* const kScript = R"js(
document.querySelectorAll(".legend button").forEach(function (b) {
  b.onclick = function () {
    var off = b.getAttribute("aria-pressed") === "true";
    b.setAttribute("aria-pressed", String(!off));
    b.closest("figure").querySelectorAll("svg ." + b.dataset.series).forEach(function (e) {
      e.classList.toggle("hidden", off);
    });
  };
});
var tip = document.createElement("div");
tip.id = "tip";
document.body.appendChild(tip);
function points(path) {
  if (!path.points) {
    var n = path.getAttribute("d").match(/-?[0-9.]+/g).map(Number);
    path.points = [];
    for (var i = 1; n.length > i; i += 2) path.points.push([n[i - 1], n[i]]);
  }
  return path.points;
}
document.querySelectorAll("svg.lines").forEach(function (svg) {
  var s = svg.dataset.scales.split(" ").map(Number);
  var cross = document.createElementNS(svg.namespaceURI, "path");
  cross.setAttribute("class", "cross");
  svg.appendChild(cross);
  svg.onmousemove = function (e) {
    var box = svg.getBoundingClientRect();
    var x = (e.clientX - box.left) * 340 / box.width, at = null, lines = [];
    svg.querySelectorAll(".line:not(.hidden)").forEach(function (path) {
      var p = points(path).reduce(function (a, b) {
        return Math.abs(a[0] - x) > Math.abs(b[0] - x) ? b : a;
      });
      at = p[0];
      lines.push([s[3] + (p[1] - s[4]) / (s[6] - s[4]) * (s[5] - s[3]), path]);
    });
    if (at === null) return;
    cross.setAttribute("d", "M" + at + " " + s[6] + "V" + s[4]);
    tip.textContent = "";
    var head = document.createElement("b");
    head.textContent = "batch " + Math.round((at - s[1]) / (s[2] - s[1]) * s[0]);
    tip.appendChild(head);
    lines.sort(function (a, b) { return b[0] - a[0]; }).forEach(function (l) {
      var row = document.createElement("div"), dot = document.createElement("span");
      dot.className = "swatch " + l[1].getAttribute("class").split(" ")[1];
      row.appendChild(dot);
      row.appendChild(document.createTextNode(l[1].dataset.name + " " + l[0].toFixed(1)));
      tip.appendChild(row);
    });
    tip.style.display = "block";
    tip.style.left = Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 8) + "px";
    tip.style.top = Math.min(e.clientY + 14, innerHeight - tip.offsetHeight - 8) + "px";
  };
  svg.onmouseleave = function () {
    tip.style.display = "none";
    cross.removeAttribute("d");
  };
});
addEventListener("beforeprint", function () {
  document.querySelectorAll("details").forEach(function (d) { d.open = true; });
});
)js";

}  // namespace jackdaw::replay::report
