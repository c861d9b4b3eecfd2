/** How the page looks, on a screen and on paper. It names no file: what is not in the page is not there. */
import { SEVERITIES } from '../../contract/finding.ts'
import type { ReportColours } from '../../contract/report.ts'
import { COLOURS, coloursOf, SEVERITY_COLOURS, STATE_COLOURS } from '../pdf/palette.ts'
import type { Words } from '../words/words.ts'

const severities = SEVERITIES.map((severity) => `.${severity}{--tone:#${SEVERITY_COLOURS[severity]}}`).join('\n')
const states = Object.entries(STATE_COLOURS)
  .map(([state, colour]) => `.state-${state}{--tone:#${colour}}`)
  .join('\n')

export const STYLE = `
:root{--ink:#${COLOURS.ink};--navy:#${COLOURS.navy};--ring:#${COLOURS.ring};--accent:#${COLOURS.accent};
--muted:#${COLOURS.muted};--line:#${COLOURS.line};--paper:#${COLOURS.paper};--mark:#${COLOURS.mark};
--warn:#${COLOURS.warn};--warnpaper:#${COLOURS.warnpaper}}
${severities}
${states}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;color:var(--ink);background:#fff;font:16px/1.5 "Noto Sans",system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
overflow-wrap:anywhere;-webkit-print-color-adjust:exact;print-color-adjust:exact}
main,footer{max-width:62rem;margin:0 auto;padding:0 1.5rem}
.skip{position:absolute;left:-99rem;padding:.5rem 1rem;background:#fff;color:var(--navy)}
.skip:focus{left:1rem;top:1rem;z-index:2}
a{color:#1a5f9e}
a:focus-visible,pre:focus-visible,.scroll:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
h1,h2,h3,h4{line-height:1.25;color:var(--navy);text-wrap:balance}
h2{font-size:1.75rem;margin:3.5rem 0 1rem;padding-top:.9rem;position:relative}
h2::before{content:"";position:absolute;top:0;left:0;width:4.2rem;height:.45rem;background:var(--accent)}
h2 .number{color:var(--accent);margin-right:.6rem}
h3{font-size:1.2rem;margin:2rem 0 .6rem}
p{margin:.5rem 0}
code,pre,.place{font-family:"DejaVu Sans Mono",ui-monospace,Consolas,monospace;font-size:.85em}
code{background:var(--paper);padding:.05em .3em;border-radius:3px}
pre{margin:.7rem 0;padding:.7rem .9rem;background:var(--paper);border-left:4px solid var(--line);white-space:pre-wrap;line-height:1.4}
pre code{background:none;padding:0;font-size:1em}
pre .prompt{color:var(--accent);font-weight:700;user-select:none}
pre.command{border-left-color:var(--accent)}
figure.shot{margin:.9rem 0;max-width:44rem;break-inside:avoid}
.shot img{display:block;max-width:100%;max-height:32rem;border:1px solid var(--line);border-radius:4px}
.shot figcaption{color:var(--muted);font-size:.82em;margin-top:.25rem}
mark{background:var(--mark);color:inherit}
.sign{font-size:.75em;color:#7a3b00;background:var(--warnpaper);border:1px solid #e6c88a;border-radius:3px;padding:0 .2em}
.quiet{color:var(--muted);font-size:.9em}
table{border-collapse:collapse;width:100%;margin:.8rem 0 1.5rem;font-size:.92em}
caption{text-align:left;font-weight:700;color:var(--navy);padding:.3rem 0}
th,td{text-align:left;vertical-align:top;padding:.4rem .9rem .4rem 0;border-bottom:1px solid var(--line)}
thead th{border-bottom:2px solid var(--navy);color:var(--navy);font-size:.92em}
thead th,.short{white-space:nowrap;overflow-wrap:normal}
.wide th{white-space:normal}
tbody th{font-weight:400;color:var(--muted)}
th.count,td.count{text-align:right;white-space:nowrap}
.scroll{overflow-x:auto}
.pill{display:inline-block;background:var(--tone);color:#fff;font-size:.72rem;font-weight:700;letter-spacing:.04em;
padding:.12rem .5rem;border-radius:3px;white-space:nowrap;text-transform:uppercase}
.cover{background:var(--navy);color:#fff;border-left:12px solid var(--accent);position:relative;overflow:hidden}
.cover .inner{max-width:62rem;margin:0 auto;padding:2rem 1.5rem 2.5rem;display:grid;grid-template-columns:1fr auto;gap:1.5rem 3rem;position:relative}
.cover h1{color:#fff;font-size:clamp(1.6rem,4.5vw,3rem);margin:.3rem 0 1rem}
.cover .brand{grid-column:1/-1;display:flex;justify-content:space-between;align-items:center;gap:1rem}
.cover .brand svg{height:2.6rem;width:auto}
.cover .brand img{max-height:4.5rem;max-width:60%;background:#fff;padding:.5rem;border-radius:4px}
.cover .confidential{font-size:.8rem;font-weight:700;letter-spacing:.12em}
.cover .rings{position:absolute;right:-8rem;top:50%;width:40rem;height:40rem;transform:translateY(-50%);opacity:.9}
.cover .what{font-size:1.05rem;margin:0}
.badge{display:grid;place-items:center;width:9.5rem;height:9.5rem;border-radius:14px;background:var(--tone);color:#fff;font-size:5.5rem;font-weight:700;line-height:1}
.cover .badge{border:3px solid rgba(255,255,255,.85)}
.badge.small{width:4rem;height:4rem;font-size:2.4rem;border-radius:8px}
.badge.long{font-size:4.4rem}
.points{text-align:center;margin:.6rem 0 0}
.tiles{grid-column:1/-1;display:grid;grid-template-columns:repeat(5,1fr);gap:.8rem;margin:0;padding:0;list-style:none}
.tiles li{background:var(--tone);color:#fff;border-radius:6px;padding:.5rem;text-align:center;font-size:.95rem}
.tiles li.zero{background:#fff;color:var(--muted)}
.tiles b{display:block;font-size:1.9rem;line-height:1.2}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.5rem;margin:1.5rem 0 0}
.facts dt{color:var(--muted)}
.facts dd{margin:0}
.contents ol{list-style:none;margin:0;padding:0}
.contents>ol>li{margin:.5rem 0;font-weight:700}
.contents ol ol{padding-left:1.8rem;font-weight:400}
.contents ol ol li{margin:.1rem 0}
.contents .number{display:inline-block;width:1.8rem;color:var(--accent)}
.summary-grid{display:grid;grid-template-columns:3fr 2fr;gap:2rem;margin:1.5rem 0;align-items:start}
.bars{width:100%;height:auto}
.reach{margin:.6rem 0 .2rem}
.grade{display:flex;gap:1rem;align-items:center;margin-bottom:.8rem}
.parts{list-style:none;margin:0;padding:0;font-size:.92em}
.parts b{display:inline-block;min-width:2.4rem;color:var(--tone)}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.3rem 1.8rem;margin:.5rem 0 1rem;padding:0;font-size:.92em}
.legend i{display:inline-block;width:.75rem;height:.75rem;background:var(--tone);margin-right:.45rem}
.first{list-style:none;margin:0;padding:0}
.first li{display:grid;grid-template-columns:6rem 1fr;margin:1rem 0}
.callout{background:var(--warnpaper);border-left:4px solid var(--warn);padding:.7rem 1rem;margin:.8rem 0}
.group{display:flex;align-items:center;gap:.8rem;background:var(--tone);color:#fff;padding:.45rem .9rem;border-radius:4px;margin:2.5rem 0 1rem}
.group small{font-weight:400;font-size:.8em}
.finding{border-top:1px solid var(--line);padding:1.2rem 0 .8rem}
.group+.finding{border-top:0;padding-top:0}
.finding h4{font-size:1.15rem;margin:0 0 .4rem;display:grid;grid-template-columns:2.4rem 1fr}
.finding h4 .number{color:var(--tone)}
.finding .body{margin-left:2.4rem}
.finding .lead{font-weight:700;color:var(--accent)}
.finding h5{font-size:.95rem;color:var(--accent);margin:.9rem 0 .2rem}
.finding .body>p,.instance>p{margin:.3rem 0}
.instance{margin:1.1rem 0;padding-left:1rem;border-left:3px solid var(--line)}
.instance h5{margin:0 0 .3rem;color:inherit}
.instance h5 .quiet{font-weight:400}
.finding h6{font-size:.9rem;color:var(--accent);margin:.6rem 0 .15rem}
.finding summary{margin:.8rem 0;font-weight:700;color:var(--accent);cursor:pointer}
.places{list-style:none;margin:.2rem 0;padding:0}
.fine{font-size:.82em;color:var(--muted);margin-top:.8rem}
.fine ul{list-style:none;margin:0;padding:0}
.fine li{display:inline}
.fine li+li::before{content:" • "}
.checks{columns:20rem 2;column-gap:2.5rem}
.checks section{break-inside:auto}
.checks h3{font-size:1.02em;margin:1rem 0 .3rem;break-after:avoid}
.checks ul{list-style:none;margin:0;padding:0;font-size:.88em}
.checks li{display:grid;grid-template-columns:1.4rem 1fr;margin:.12rem 0;break-inside:avoid}
.checks i{font-style:normal;font-weight:700;color:var(--tone);font-family:"DejaVu Sans Mono",monospace}
.checks .why{display:block;color:var(--muted);font-size:.92em}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.watermark{position:fixed;inset:0;display:grid;place-items:center;pointer-events:none;z-index:1;font-size:7rem;font-weight:700;color:rgba(28,39,51,.07)}
.watermark span{transform:rotate(-40deg);white-space:nowrap}
footer{margin-top:4rem;padding-top:1rem;padding-bottom:2rem;border-top:1px solid var(--line);color:var(--muted);font-size:.85em}
@media (max-width:44rem){
.cover .inner{grid-template-columns:1fr}.tiles{grid-template-columns:repeat(auto-fit,minmax(5.5rem,1fr))}
.scroll table:has(thead){min-width:30rem}.scroll th,.scroll td{overflow-wrap:break-word;padding-right:.6rem}
.scroll td:first-child:not(.short),.scroll tbody th{hyphens:auto;min-width:5.5rem}
.scroll{background:linear-gradient(90deg,#fff 40%,transparent) 0/2rem 100% local,linear-gradient(270deg,#fff 40%,transparent) 100%/2rem 100% local,
linear-gradient(90deg,rgba(28,39,51,.22),transparent) 0/.7rem 100% scroll,linear-gradient(270deg,rgba(28,39,51,.22),transparent) 100%/.7rem 100% scroll;background-repeat:no-repeat}
.summary-grid{grid-template-columns:1fr}.first li{grid-template-columns:1fr}.finding .body{margin-left:0}
}
@media print{
body{font-size:9.6pt}
.skip{display:none}
main,footer{max-width:none;padding:0}
a{color:inherit;text-decoration-color:var(--line)}
.cover{page:cover;height:297mm;border-left-width:6mm;break-after:page}
.cover .inner{height:100%;padding:26mm 20mm 20mm 16mm;align-content:start;grid-template-rows:auto 1fr auto auto}
.cover .title{align-self:center}
.cover .score{align-self:center}
.cover h1{font-size:26pt}
.cover .badge{width:46mm;height:46mm;font-size:82pt}
.cover .badge.long{font-size:62pt}
.cover .tiles{margin-bottom:8mm}
.cover .rings{right:-60mm;width:230mm;height:230mm}
h2{font-size:17pt;margin-top:0;break-before:page}
h2.flow{break-before:auto;margin-top:12mm}
h3{font-size:12pt}
h2,h3,h4,h5,.group,caption,thead,.finding .body>.quiet{break-after:avoid}
.summary-grid{grid-template-columns:3fr 2fr}
tr,pre,.callout,.first li,.fine,.tiles,.bars{break-inside:avoid}
pre{max-height:none;font-size:7.6pt}
thead{display:table-header-group}
.scroll{overflow:visible;background:none}
.finding{padding-top:5mm}
.finding header{break-inside:avoid;break-after:avoid}
.checks{columns:2}
footer{break-inside:avoid}
p,li{orphans:2;widows:2}
}
`

/** What stands at the foot of each printed page, in the report's language; none of its words holds a quotation mark. */
export const pageStyle = (w: Words): string => `
body{hyphens:${w.language === 'en' ? 'manual' : 'auto'}}
code,pre,.place{hyphens:manual}
@page{size:A4;margin:20mm 18mm 18mm;@bottom-left{content:"${w('Confidential')}";font:8pt "Noto Sans",sans-serif;color:#5F6B7A}
@bottom-right{content:"${w('Page')} " counter(page) " ${w('of')} " counter(pages);font:8pt "Noto Sans",sans-serif;color:#5F6B7A}}
@page cover{margin:0;@bottom-left{content:none}@bottom-right{content:none}}
`

/** After the style of every report; nothing where the house has no colours. */
export const ownColours = (colours: ReportColours): string => {
  const { accent, navy, ring } = coloursOf(colours)
  return Object.keys(colours).length === 0 ? '' : `:root{--accent:#${accent};--navy:#${navy};--ring:#${ring}}\n`
}
