/** Programs beside this one, and what is gone without when one is missing. `run` and Debian's package bring the same packages. */
export interface Program {
  readonly name: string
  readonly packages: readonly string[]
  readonly without: string
}

/** Debian has it on every machine; others may not. */
export const LIMITER: Program = {
  name: 'prlimit',
  packages: ['util-linux'],
  without: 'the browser prints the PDF reports: TeX is not started without limits',
}

export const SANDBOX: Program = { name: 'bwrap', packages: ['bubblewrap'], without: 'TeX runs in a weaker sandbox' }

export const BROWSER: Program = {
  name: 'chromium-headless-shell',
  packages: ['chromium-headless-shell', 'chromium-sandbox'],
  without: 'no privacy check and no checks in a browser, and no PDF reports where TeX cannot make them',
}

export const PROGRAMS: readonly Program[] = [
  {
    name: 'xelatex',
    packages: ['texlive-xetex', 'texlive-latex-recommended', 'texlive-fonts-recommended'],
    without: 'PDF reports are printed by the browser, where that is installed',
  },
  SANDBOX,
  {
    name: 'pdfinfo',
    packages: ['poppler-utils'],
    without:
      'PDF reports are printed by the browser, where that is installed: those of TeX are opened and counted before they count',
  },
  BROWSER,
]
