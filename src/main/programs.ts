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
    without: 'PDF reports are printed by the browser, where that is installed',
  },
  { name: 'bwrap', packages: ['bubblewrap'], without: 'TeX runs in a weaker sandbox' },
  {
    name: 'pdfinfo',
    packages: ['poppler-utils'],
    without:
      'PDF reports are printed by the browser, where that is installed: those of TeX are opened and counted before they count',
  },
  {
    name: 'chromium-headless-shell',
    packages: ['chromium-headless-shell', 'chromium-sandbox'],
    without: 'no privacy check and no checks in a browser, and no PDF reports where TeX cannot make them',
  },
]
