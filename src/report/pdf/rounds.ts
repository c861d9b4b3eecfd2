/**
 * Page numbers are known once all pages are laid out. A second pass of TeX would load its format and fill its tables once more for that, which
 * is two thirds of a pass; instead the one pass lays its pages out twice. The first time they only tell on which page each label falls. They are
 * shipped, as TeX writes nothing of a page that is not, but past LaTeX, which goes on as if there had been none; the driver leaves them out.
 *
 * The second time all is written as ever, and LaTeX compares at the end: a label that fell elsewhere asks for another pass, as always.
 */

/** Input before the document begins. */
export const ROUNDS = 'rounds'
/** The pages, on the lines on which they stand in the report, by which errors name them. */
export const DRAFT = 'draft-report'
/** On which page of all that was shipped the report begins. */
export const FIRST = 'report.first'

const BEGIN = '\n\\begin{document}\n'
const END = '\n\\end{document}\n'

export interface Rounds {
  readonly report: string
  readonly draft: string
}

/** A document with our packages, with a draft of its pages before them. Null where it does not begin and end as ours do. */
export const inRounds = (tex: string): Rounds | null => {
  const begin = tex.indexOf(BEGIN)
  const end = tex.lastIndexOf(END)
  if (begin < 0 || end < begin) return null
  const before = tex.slice(0, begin)
  const lines = before.split('\n').length + 1
  return {
    report: `${before}\n\\input{${ROUNDS}}${tex.slice(begin + 1)}`,
    draft: `${'%\n'.repeat(lines)}${tex.slice(begin + BEGIN.length, end)}\n`,
  }
}

/**
 * As if it had been read from an earlier pass, which hyperref asks for another one without: that it was there, and that pages have plain numbers.
 * Of a document that has the numbers of an earlier pass no draft is made. What a draft changes for good is set back: the counters, those of
 * LaTeX and of links. What stood before its first page went with it, and is put again: how the PDF opens (PDF@SetupDoc), and the colour of text.
 */
export const ROUNDS_TEX = String.raw`\makeatletter
\global\let\hyper@last\relax
\csname HyPL@Entry\endcsname{0<</S/D>>}
\let\sonde@setup\PDF@SetupDoc
\newwrite\sonde@file
\newcount\sonde@pages
\newcommand{\sonde@draft}{%
  \def\@elt##1{\global\csname c@##1\endcsname=\the\csname c@##1\endcsname\relax}%
  \xdef\sonde@back{\cl@@ckpt\global\Hy@linkcounter=\the\Hy@linkcounter\relax}%
  \let\@elt\relax
  \AddToHook{shipout/before}[sonde]{\global\advance\sonde@pages\@ne\primitive\shipout\copy\ShipoutBox\DiscardShipoutBox}%
  \immediate\openout\sonde@file=\jobname.told
  \begingroup
  \let\@auxout\sonde@file
  \let\G@refundefinedtrue\relax
  \let\Hy@EveryPageHook\relax
  \renewcommand{\bookmark}[2][]{}%
  \let\AddToHookNext\@gobbletwo
  \input{${DRAFT}}%
  \clearpage
  \endgroup
  \RemoveFromHook{shipout/before}[sonde]%
  \immediate\closeout\sonde@file
  \begingroup
  \makeatletter
  \def\newlabel##1##2{\expandafter\gdef\csname r@##1\endcsname{##2}}%
  \@input{\jobname.told}%
  \endgroup
  \xdef\@abspage@last{\the\sonde@pages}%
  \immediate\openout\sonde@file=${FIRST}
  \immediate\write\sonde@file{\the\numexpr\sonde@pages+1\relax}%
  \immediate\closeout\sonde@file
  \sonde@back
  \sonde@setup
  \special{color push \current@color}%
  \prevdepth-\@m\p@}
\AddToHook{begindocument/end}{\ifcsname r@lastpage\endcsname\else\sonde@draft\fi}
\makeatother
`
