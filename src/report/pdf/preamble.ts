/** Everything before the first page: packages, fonts, colours and the commands that the sections use. */
import type { ReportModel } from '../model.ts'
import { texPlain, texText } from './escape.ts'
import { FALLBACKS, FONTS, type FontId } from './fonts.ts'
import { COLOURS, SEVERITY_COLOURS, STATE_COLOURS } from './palette.ts'

/** @param body the pages; fonts are declared for what occurs in them. */
export const preamble = (model: ReportModel, body: string): string =>
  [
    String.raw`\documentclass[10pt,a4paper]{article}`,
    String.raw`\usepackage[a4paper,left=22mm,right=22mm,top=27mm,bottom=25mm,headheight=16pt,headsep=9mm,footskip=12mm]{geometry}`,
    String.raw`\usepackage{fontspec,xcolor,graphicx,array,longtable,ragged2e,fancyhdr,tikz}`,
    colours(),
    fonts(body),
    links(model),
    COMMANDS,
    header(model),
    model.extras.watermark === null ? '' : watermark(model.extras.watermark),
  ].join('\n')

const colours = (): string =>
  Object.entries({ ...COLOURS, ...SEVERITY_COLOURS, ...prefixed(STATE_COLOURS) })
    .map(([name, value]) => `\\definecolor{${name}}{HTML}{${value}}`)
    .join('\n')

const prefixed = (colours: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(colours).map(([name, value]) => [`state-${name.replaceAll('_', '-')}`, value]))

/** Without TeX ligatures: two hyphens of a header stay two hyphens, and quotes stay straight. */
const fonts = (body: string): string =>
  [
    String.raw`\defaultfontfeatures[\rmfamily,\sffamily]{}`,
    `\\setmainfont{${FONTS.sans.family}}`,
    `\\setmonofont[Scale=1]{${FONTS.mono.family}}`,
    String.raw`\TeXXeTstate=1`,
    ...FALLBACKS.filter((id) => body.includes(`\\in${id}{`)).map(fontCommand),
  ].join('\n')

const fontCommand = (id: FontId): string => {
  const { family, script, rightToLeft, bold } = FONTS[id]
  const options = [
    ...(script === null ? [] : [`Script=${script}`]),
    ...(bold ? [] : ['AutoFakeBold=2']),
    ...(id === 'cjk' || id === 'symbols' ? [] : ['AutoFakeSlant=0.2']),
  ]
  const [before, after] = rightToLeft ? ['\\beginR ', '\\endR '] : ['', '']
  return `\\newfontfamily\\font${id}{${family}}[${options.join(',')}]\n\\newcommand{\\in${id}}[1]{{\\font${id}${rightToLeft ? '' : ' '}${before}#1${after}}}`
}

const links = ({ file, date, extras }: ReportModel): string => {
  const title = `Security report: ${texPlain(file.target.domain, 260)}, ${date}`
  return [
    String.raw`\usepackage[unicode,colorlinks,linkcolor=navy,urlcolor=accent,bookmarksnumbered=false,bookmarksopen,bookmarksopenlevel=1]{hyperref}`,
    String.raw`\usepackage{bookmark}`,
    `\\hypersetup{pdftitle={${title}},pdfauthor={${texPlain(file.run.scanner)}},pdfsubject={Result of a security scan${
      extras.organisation === null ? '' : ` for ${texPlain(extras.organisation)}`
    }},pdfcreator={${texPlain(file.run.scanner)}},pdfkeywords={security, scan, report},pdflang={en-GB},pdfdisplaydoctitle=true}`,
  ].join('\n')
}

const header = ({ file, date, extras }: ReportModel): string =>
  [
    String.raw`\pagestyle{fancy}\fancyhf{}`,
    String.raw`\renewcommand{\headrulewidth}{0pt}\renewcommand{\footrulewidth}{0pt}`,
    `\\fancyhead[L]{\\small\\color{muted}Security report\\enspace\\textbullet\\enspace ${short(file.target.domain)}}`,
    String.raw`\fancyhead[R]{\small\color{muted}Confidential}`,
    `\\fancyfoot[L]{\\small\\color{muted}${extras.organisation === null ? texText(file.run.scanner, { max: 40 }) : short(extras.organisation)}\\enspace\\textbullet\\enspace ${date}}`,
    String.raw`\fancyfoot[R]{\small\color{muted}Page \thepage\ of \pageref*{lastpage}}`,
  ].join('\n')

const short = (text: string): string => texText(text.length > 60 ? `${text.slice(0, 57)}…` : text)

const watermark = (text: string): string =>
  String.raw`\AddToHook{shipout/foreground}{\put(0.5\paperwidth,-0.5\paperheight){\makebox(0,0){\tikz\node[rotate=52,opacity=.09,text=black,font=\fontsize{58}{60}\selectfont\bfseries,align=center]{` +
  `${texText(text.toUpperCase(), { max: 24 })}};}}}`

/** Plain LaTeX only; what the commands draw is said by their names. */
const COMMANDS = String.raw`
\color{ink}
\setlength{\parindent}{0pt}\setlength{\parskip}{5pt plus 1pt}
\linespread{1.12}\selectfont
\setlength{\RaggedRightRightskip}{0pt plus 4em}
\tracinglostchars=2
\emergencystretch=3em \hbadness=10000 \hfuzz=1pt \vbadness=10000
\clubpenalty=10000 \widowpenalty=10000 \raggedbottom
\setlength{\fboxsep}{0pt}\setlength{\LTleft}{0pt}\setlength{\LTright}{0pt plus 1fill}
\setlength{\LTpre}{4pt}\setlength{\LTpost}{6pt}\setlength{\tabcolsep}{6pt}
\renewcommand{\arraystretch}{1.3}
\newcommand{\brk}{\penalty50\hskip0pt plus .1pt\relax}
\newif\ifkept
\newcommand{\need}[1]{\par\ifkept\global\keptfalse\else\penalty0\relax\ifdim\pagegoal<\maxdimen\ifdim\dimexpr\pagegoal-\pagetotal\relax<#1\newpage\fi\fi\fi}
\newcommand{\sign}[1]{{\color{muted}\fontsize{6}{6}\selectfont\ttfamily<#1>}}
\newcommand{\omitted}[1]{{\color{muted}\small\ [\ldots\ #1]}}
\newcommand{\code}[1]{{\ttfamily\fontsize{8.4}{10}\selectfont #1}}
\newcommand{\cvss}[1]{{\ttfamily\fontsize{7.2}{9}\selectfont #1}}
\newcommand{\marked}[1]{\colorbox{mark}{\strut #1}}
\newcommand{\pill}[2]{{\setlength{\fboxsep}{2.2pt}\colorbox{#1}{\color{white}\fontsize{7.4}{8}\selectfont\bfseries\rule[-1.2pt]{0pt}{7.6pt}\,#2\,}}}
\newcommand{\quiet}[1]{{\small\color{muted}#1}}
\newcommand{\target}[1]{\phantomsection\label{#1}}
\newcommand{\sectionhead}[4]{\clearpage\target{#3}\bookmark[level=0,dest=#3]{#1\space#4}\hypertarget{#3}{}%
  {\color{accent}\hrule height 2.4pt width 18mm}\vskip 4mm
  {\fontsize{20}{24}\selectfont\bfseries\color{navy}\makebox[11mm][l]{#1}#2\par}\nobreak\vskip 5mm}
\newcommand{\parthead}[3]{\need{24mm}\vskip 6mm\hypertarget{#2}{}\target{#2}\bookmark[level=1,dest=#2]{#3}%
  {\fontsize{12.5}{16}\selectfont\bfseries\color{navy}#1\par}\nobreak\vskip 1.5mm\nobreak}
\newcommand{\groupbar}[3]{\need{50mm}\vskip 5mm\hypertarget{#1}{}\target{#1}\bookmark[level=1,dest=#1]{#2 (#3)}%
  {\setlength{\fboxsep}{4pt}\colorbox{#1}{\hbox to \dimexpr\textwidth-8pt{\color{white}\bfseries\strut #2\hfill #3}}\par}\nobreak\vskip 1mm\nobreak\global\kepttrue}
\newcommand{\findinghead}[5]{\need{46mm}\vskip 6mm\hypertarget{f#2}{}\target{f#2}\bookmark[level=2,dest=f#2]{#2\space#4}%
  {\color{#1}\hrule height .9pt}\nobreak\vskip 2.4mm\nobreak
  {\hangindent=10mm\hangafter=1\fontsize{12}{15.5}\selectfont\bfseries\RaggedRight\leavevmode\makebox[10mm][l]{\color{#1}#2}#3\par}\nobreak\vskip 1.2mm\nobreak
  {\hspace*{10mm}#5\par}\nobreak\vskip 1mm\nobreak\global\kepttrue}
\newcommand{\lab}[1]{\need{14mm}\vskip 2.6mm{\fontsize{8.6}{10}\selectfont\bfseries\color{accent}#1\par}\nobreak\vskip -3pt\nobreak}
\newcommand{\tocline}[3]{\noindent\hyperref[#3]{\makebox[9mm][l]{\bfseries #1}\bfseries #2}\nobreak\hfill\pageref{#3}\par\vskip 2mm}
\newcommand{\tocsub}[2]{\noindent\hspace*{9mm}\hyperref[#2]{#1}\nobreak\ {\color{muted}\leaders\hbox to 2mm{\hss.\hss}\hfill}\ \pageref{#2}\par}
\newenvironment{listing}{\par\nobreak\vskip 5pt\begingroup\ttfamily\fontsize{8}{10.2}\selectfont\parskip=0pt\linespread{1}\selectfont
  \baselineskip=0pt\lineskiplimit=0pt\lineskip=0pt\codeedge}{\codeedge\par\endgroup\vskip 2pt}
\newcommand{\codebox}[1]{\par\noindent\colorbox{paper}{{\color{line}\vrule width 2pt}\hbox to \dimexpr\textwidth-2pt{\hskip 3mm\rule[-3pt]{0pt}{10.6pt}#1\hss}}\par}
\newcommand{\codeedge}{\par\noindent\colorbox{paper}{{\color{line}\vrule width 2pt}\hbox to \dimexpr\textwidth-2pt{\rule{0pt}{3pt}\hss}}\par\nobreak}
\newcommand{\codeline}[1]{\codebox{#1}}
\newcommand{\codemore}[1]{\codebox{{\color{muted}\fontsize{7}{7}\selectfont›}\ #1}}
\newcommand{\codenote}[1]{\codebox{\rmfamily\itshape\color{muted}#1}}
\newcolumntype{L}[1]{>{\RaggedRight\arraybackslash}p{#1}}
\newcommand{\thead}[1]{{\fontsize{8.6}{10}\selectfont\bfseries\color{navy}#1}}
\newcommand{\rowline}{\noalign{\vskip 1pt{\color{line}\hrule height .4pt}\vskip 1pt}}
\newcommand{\headline}{\noalign{\vskip 1pt{\color{navy}\hrule height .8pt}\vskip 2pt}}
`
