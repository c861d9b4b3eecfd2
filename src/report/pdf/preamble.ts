/** Everything before the first page: packages, fonts, colours and the commands that the sections use. */
import type { ReportModel } from '../model.ts'
import { DRAWING_COMMANDS } from './drawing.ts'
import { texPlain, texText } from './escape.ts'
import { FALLBACKS, FONTS, type FontId } from './fonts.ts'
import { coloursOf, SEVERITY_COLOURS, STATE_COLOURS } from './palette.ts'

/** What every document begins with, whatever it says: TeX reads it once for many (format.ts). Fonts cannot stand in it. */
export const PACKAGES = [
  String.raw`\documentclass[10pt,a4paper]{article}`,
  String.raw`\usepackage[a4paper,left=21mm,right=21mm,top=22mm,bottom=19mm,headheight=16pt,headsep=7mm,footskip=10mm]{geometry}`,
  String.raw`\usepackage{fontspec,xcolor,graphicx,array,longtable,multicol,ragged2e,fancyhdr}`,
  String.raw`\usepackage[unicode,colorlinks,linkcolor=navy,urlcolor=accent,bookmarksnumbered=false,bookmarksopen,bookmarksopenlevel=1]{hyperref}`,
  String.raw`\usepackage{bookmark}`,
].join('\n')

/** @param body the pages; fonts are declared for what occurs in them. */
export const preamble = (model: ReportModel, body: string): string =>
  [
    PACKAGES,
    colours(model),
    fonts(body),
    links(model),
    COMMANDS,
    DRAWING_COMMANDS,
    language(model),
    header(model),
    model.extras.watermark === null ? '' : watermark(model.extras.watermark),
  ].join('\n')

const colours = ({ extras }: ReportModel): string =>
  Object.entries({ ...coloursOf(extras.colours), ...SEVERITY_COLOURS, ...prefixed(STATE_COLOURS) })
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

const links = ({ file, date, extras, words: w }: ReportModel): string => {
  const title = `${w('Security report')}: ${texPlain(file.target.domain, 260)}, ${date}`
  return `\\hypersetup{pdftitle={${title}},pdfauthor={${texPlain(file.run.scanner)}},pdfsubject={${
    extras.organisation === null
      ? w('Result of a security scan')
      : w('Result of a security scan for {1}', texPlain(extras.organisation))
  }},pdfcreator={${texPlain(file.run.scanner)}},pdfkeywords={${w('security, scan, report')}},pdflang={${w.tag}},pdfdisplaydoctitle=true}`
}

const header = ({ file, date, extras, words: w }: ReportModel): string =>
  [
    String.raw`\pagestyle{fancy}\fancyhf{}`,
    String.raw`\renewcommand{\headrulewidth}{0pt}\renewcommand{\footrulewidth}{0pt}`,
    `\\fancyhead[L]{\\small\\color{muted}${w('Security report')}\\enspace\\textbullet\\enspace ${short(file.target.domain)}}`,
    `\\fancyhead[R]{\\small\\color{muted}${w('Confidential')}}`,
    `\\fancyfoot[L]{\\small\\color{muted}${extras.organisation === null ? texText(file.run.scanner, { max: 40 }) : short(extras.organisation)}\\enspace\\textbullet\\enspace ${date}}`,
    `\\fancyfoot[R]{\\small\\color{muted}${w('Page')} \\thepage\\ ${w('of')} \\pageref*{lastpage}}`,
  ].join('\n')

/** Words that a command puts, and how words are divided: by the patterns of the language, never by those of another. */
const language = ({ words: w }: ReportModel): string =>
  [
    `\\newcommand{\\omitted}[1]{{\\color{muted}\\small\\ [\\ldots\\ ${w('{1} more characters', '#1')}]}}`,
    ...(w.language === 'de'
      ? ['\\ifcsname l@ngerman\\endcsname\\language=\\csname l@ngerman\\endcsname\\else\\lefthyphenmin=62 \\fi']
      : []),
  ].join('\n')

const short = (text: string): string => texText(text.length > 60 ? `${text.slice(0, 57)}…` : text)

/** Over everything, so that it needs to be seen through: a state of graphics for it (ISO 32000-1, 11.6.4.4). */
const watermark = (text: string): string =>
  String.raw`\newsavebox{\watermarkbox}\AtBeginDocument{\savebox{\watermarkbox}{\rotatebox[origin=c]{52}{\color{black}\fontsize{58}{60}\selectfont\bfseries ` +
  `${texText(text.toUpperCase(), { max: 24 })}}}}` +
  String.raw`\AddToHook{shipout/foreground}{\put(0.5\paperwidth,-0.5\paperheight){\special{pdf:put @resources <</ExtGState<</Faint<</Type/ExtGState/ca 0.09>>>>>>}\makebox(0,0){\special{pdf:code q /Faint gs}\usebox{\watermarkbox}\special{pdf:code Q}}}}`

/** Plain LaTeX only; what the commands draw is said by their names. */
const COMMANDS = String.raw`
\makeatletter
\color{ink}
\renewcommand{\normalsize}{\fontsize{9}{12.2}\selectfont}
\renewcommand{\small}{\fontsize{8.1}{10.8}\selectfont}
\renewcommand{\footnotesize}{\fontsize{7}{9}\selectfont}
\normalsize
\setlength{\parindent}{0pt}\setlength{\parskip}{3.4pt plus 1pt}
\setlength{\RaggedRightRightskip}{0pt plus 4em}
\tracinglostchars=2
\emergencystretch=3em \hbadness=10000 \hfuzz=1pt \vbadness=10000
\clubpenalty=10000 \widowpenalty=10000 \raggedbottom
\setlength{\fboxsep}{0pt}\setlength{\LTleft}{0pt}\setlength{\LTright}{0pt plus 1fill}
\setlength{\LTpre}{3pt}\setlength{\LTpost}{3pt}\setlength{\tabcolsep}{6pt}
\setlength{\columnsep}{8mm}\setlength{\multicolsep}{4pt}
\renewcommand{\arraystretch}{1.12}
\newcommand{\brk}{\penalty50\hskip0pt plus .1pt\relax}
\newcommand{\need}[1]{\par\penalty0\relax\ifdim\pagegoal<\maxdimen\ifdim\dimexpr\pagegoal-\pagetotal\relax<#1\newpage\fi\fi}
\newcommand{\sign}[1]{{\color{muted}\fontsize{6}{6}\selectfont\ttfamily<#1>}}
\newcommand{\code}[1]{{\ttfamily\fontsize{7.9}{9.6}\selectfont #1}}
\newcommand{\inplace}[1]{{\ttfamily\fontsize{7.6}{10.4}\selectfont #1}}
\newcommand{\marked}[1]{\colorbox{mark}{\strut #1}}
\newcommand{\pill}[2]{{\setlength{\fboxsep}{2pt}\colorbox{#1}{\color{white}\fontsize{6.9}{7.4}\selectfont\bfseries\rule[-1.1pt]{0pt}{7.2pt}\,#2\,}}}
\newcommand{\quiet}[1]{{\small\color{muted}#1}}
\newcommand{\target}[1]{\phantomsection\label{#1}}
\newcommand{\lastmark}{\par\nobreak\nointerlineskip\vbox to 0pt{}\label{lastpage}}
\newcommand{\sectiontitle}[4]{\target{#3}\bookmark[level=0,dest=#3]{#1\space#4}\hypertarget{#3}{}%
  {\color{accent}\hrule height 2.4pt width 18mm}\vskip 3.5mm
  {\fontsize{19}{23}\selectfont\bfseries\color{navy}\makebox[11mm][l]{#1}#2\par}\nobreak\vskip 3.5mm}
\newcommand{\sectionhead}{\clearpage\sectiontitle}
\newcommand{\nextsectionhead}{\need{60mm}\vskip 9mm\sectiontitle}
\newcommand{\parthead}[3]{\need{26mm}\vskip 4.2mm\hypertarget{#2}{}\target{#2}\bookmark[level=1,dest=#2]{#3}%
  {\fontsize{11.6}{15}\selectfont\bfseries\color{navy}#1\par}\nobreak\vskip 1mm\nobreak}
\newcommand{\smallhead}[1]{\vskip 3mm plus 1mm\pagebreak[2]{\bfseries\color{navy}#1\par}\nobreak\vskip .5mm\nobreak}
\newcommand{\lab}[1]{\need{14mm}\vskip 2.6mm{\small\bfseries\color{accent}#1\par}\nobreak\vskip -2pt\nobreak}
\newsavebox{\blockbox}
\newlength{\blockgap}
\newenvironment{block}[1]{\par\setlength{\blockgap}{#1}\setbox\blockbox\vbox\bgroup\hsize\textwidth\color@begingroup}%
  {\par\color@endgroup\egroup\placeblock}
\newcommand{\placeblock}{\penalty0\relax
  \dimen2=\dimexpr\ht\blockbox+\dp\blockbox\relax
  \ifdim\pagegoal<\maxdimen
    \dimen0=\dimexpr\pagegoal-\pagetotal-\blockgap\relax
    \ifdim\dimen2>\dimen0
      \ifdim\dimen0<.14\textheight\newpage\fi
    \fi
  \fi
  \vskip\blockgap\unvbox\blockbox}
\newcommand{\groupbar}[3]{\hypertarget{#1}{}\target{#1}\bookmark[level=1,dest=#1]{#2 (#3)}%
  {\setlength{\fboxsep}{3pt}\colorbox{#1}{\hbox to \dimexpr\textwidth-6pt{\color{white}\bfseries\strut\,#2\hfill #3\,}}\par}\nobreak\vskip 1.6mm\nobreak}
\newcommand{\finding}[3]{\hypertarget{f#2}{}\target{f#2}\bookmark[level=2,dest=f#2]{#2\space#3}}
\newcommand{\findinghead}[4]{{\color{#1}\hrule height .9pt}\nobreak\vskip 1.3mm\nobreak
  {\hangindent=9mm\hangafter=1\fontsize{10.6}{13.4}\selectfont\RaggedRight\leavevmode{\bfseries\makebox[9mm][l]{\color{#1}#2}#3}\enspace #4\par}\nobreak\vskip .6mm\nobreak}
\newcommand{\hint}[1]{{\mdseries\color{muted}\small\enspace #1}}
\newcommand{\lead}[1]{\leavevmode{\bfseries\color{accent}#1}\hskip .5em\relax}
\newcommand{\thinrule}{{\color{line}\hrule height .5pt}\nobreak\vskip 1.8mm\nobreak}
\newcommand{\fineprint}[1]{{\footnotesize\RaggedRight\interlinepenalty=10000\leavevmode\color{muted}#1\par}}
\newcommand{\callout}[1]{\par\vskip 1mm{\setlength{\fboxsep}{0pt}\noindent\colorbox{warnpaper}{{\color{warn}\vrule width 2.4pt}\hskip 3mm\begin{minipage}{\dimexpr\textwidth-2.4pt-6mm}\vskip 2mm\RaggedRight #1\vskip 2mm\end{minipage}\hskip 3mm}}\par\vskip 1mm}
\newcommand{\tocline}[3]{\noindent\hyperref[#3]{\makebox[9mm][l]{\bfseries #1}\bfseries #2}\nobreak\hfill\pageref{#3}\par\vskip 1.2mm}
\newcommand{\tocsub}[2]{\noindent\hspace*{9mm}\hyperref[#2]{#1}\nobreak\ {\color{muted}\leaders\hbox to 2mm{\hss.\hss}\hfill}\ \pageref{#2}\par}
\newenvironment{listing}{\par\nobreak\vskip 4pt\begingroup\ttfamily\fontsize{8}{10.2}\selectfont\parskip=0pt
  \baselineskip=0pt\lineskiplimit=0pt\lineskip=0pt\codeedge}{\codeedge\par\endgroup\vskip -.5pt}
\newcommand{\codebox}[1]{\par\noindent\colorbox{paper}{{\color{line}\vrule width 2pt}\hbox to \dimexpr\linewidth-2pt{\hskip 3mm\rule[-3pt]{0pt}{10.6pt}#1\hss}}\par}
\newcommand{\codeedge}{\par\nobreak\noindent\colorbox{paper}{{\color{line}\vrule width 2pt}\hbox to \dimexpr\linewidth-2pt{\rule{0pt}{2.4pt}\hss}}\par\nobreak}
\newcommand{\codeline}[1]{\codebox{#1}}
\newcommand{\codemore}[1]{\codebox{{\color{muted}\fontsize{7}{7}\selectfont›}\ #1}}
\newcommand{\codenote}[1]{\codebox{\rmfamily\fontsize{7.4}{9}\selectfont\itshape\color{muted}…\ #1}}
\newcommand{\shot}[2]{\begin{minipage}[t]{81mm}\vskip 0pt\setlength{\fboxsep}{0pt}\setlength{\fboxrule}{.4pt}%
  {\color{line}\fbox{\includegraphics[width=80mm,height=50mm,keepaspectratio]{#1}}}\par\nobreak\vskip .6mm{\footnotesize\RaggedRight\color{muted}#2\par}\end{minipage}}
\newcommand{\shots}[1]{\par\penalty50\vskip 1.4mm{\noindent #1\hfill\null\par}\vskip 1mm}
\newcommand{\prompt}{{\color{accent}\bfseries\$}\ }
\newcommand{\checkline}[3]{{\footnotesize\RaggedRight\parskip=0pt\hangindent=4mm\hangafter=1\noindent\makebox[4mm][l]{\color{#1}\small\ttfamily\bfseries #2}#3\par}\vskip .4mm}
\newcommand{\notemark}[1]{{\color{muted}\,\raisebox{.7ex}{\fontsize{5.4}{6}\selectfont #1}}}
\newcommand{\checknote}[2]{{\fontsize{6.7}{8.8}\selectfont\color{muted}\RaggedRight\hangindent=4mm\hangafter=1\noindent\makebox[4mm][l]{\raisebox{.6ex}{\fontsize{5.4}{6}\selectfont #1}}#2\par}\vskip .3mm}
\newcolumntype{L}[1]{>{\RaggedRight\arraybackslash}p{#1}}
\newcommand{\thead}[1]{{\small\bfseries\color{navy}#1}}
\newcommand{\rowline}{\noalign{\vskip .6pt{\color{line}\hrule height .4pt}\vskip .6pt}}
\newcommand{\headline}{\noalign{\vskip 1pt{\color{navy}\hrule height .8pt}\vskip 1.4pt}}
\makeatother
`
