/** Programs beside this one, and what is gone without when one is missing. `run` installs the same packages. */
export interface Program {
  readonly name: string
  readonly packages: readonly string[]
  readonly without: string
}

export const PROGRAMS: readonly Program[] = [
  {
    name: 'xelatex',
    packages: ['texlive-xetex', 'texlive-latex-recommended', 'texlive-pictures', 'texlive-fonts-recommended'],
    without: 'no PDF reports; a run with make_pdf ends report_failed',
  },
  { name: 'bwrap', packages: ['bubblewrap'], without: 'no PDF reports: TeX runs in its sandbox alone' },
  {
    name: 'pdfinfo',
    packages: ['poppler-utils'],
    without: 'no PDF reports: they are opened and counted before they count',
  },
  {
    name: 'chromium-headless-shell',
    packages: ['chromium-headless-shell', 'chromium-sandbox'],
    without: 'no privacy check and no checks in a browser',
  },
]
