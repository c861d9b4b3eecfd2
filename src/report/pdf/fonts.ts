/**
 * The fonts of the report. `sans` and `mono` carry the page; the others draw the scripts those two lack.
 * A family is declared in the document only when a character of it occurs.
 */
export interface ReportFont {
  readonly family: string
  /** Script option of fontspec; shaping (joined letters, reordered vowels) depends on it. */
  readonly script: string | null
  readonly rightToLeft: boolean
  /** Has a bold face of its own. */
  readonly bold: boolean
  /** Limits the font to characters that match: script fonts also carry Latin letters, which are not theirs to draw. */
  readonly only: RegExp | null
}

const script = (family: string, name: string, only: RegExp, rightToLeft = false): ReportFont => ({
  family,
  script: name,
  rightToLeft,
  bold: true,
  only,
})

const CJK = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\u3000-\u303f\uff01-\uffee]/u

export const FONTS = {
  sans: { family: 'Noto Sans', script: null, rightToLeft: false, bold: true, only: null },
  mono: { family: 'DejaVu Sans Mono', script: null, rightToLeft: false, bold: true, only: null },
  cjk: { family: 'Noto Sans CJK SC', script: null, rightToLeft: false, bold: true, only: CJK },
  arabic: script('Noto Sans Arabic', 'Arabic', /\p{scx=Arab}/u, true),
  hebrew: script('Noto Sans Hebrew', 'Hebrew', /\p{scx=Hebr}/u, true),
  devanagari: script('Noto Sans Devanagari', 'Devanagari', /\p{scx=Deva}/u),
  bengali: script('Noto Sans Bengali', 'Bengali', /\p{scx=Beng}/u),
  gurmukhi: script('Noto Sans Gurmukhi', 'Gurmukhi', /\p{scx=Guru}/u),
  gujarati: script('Noto Sans Gujarati', 'Gujarati', /\p{scx=Gujr}/u),
  tamil: script('Noto Sans Tamil', 'Tamil', /\p{scx=Taml}/u),
  telugu: script('Noto Sans Telugu', 'Telugu', /\p{scx=Telu}/u),
  kannada: script('Noto Sans Kannada', 'Kannada', /\p{scx=Knda}/u),
  malayalam: script('Noto Sans Malayalam', 'Malayalam', /\p{scx=Mlym}/u),
  sinhala: script('Noto Sans Sinhala', 'Sinhala', /\p{scx=Sinh}/u),
  thai: script('Noto Sans Thai', 'Thai', /\p{scx=Thai}/u),
  lao: script('Noto Sans Lao', 'Lao', /\p{scx=Laoo}/u),
  khmer: script('Noto Sans Khmer', 'Khmer', /\p{scx=Khmr}/u),
  georgian: script('Noto Sans Georgian', 'Georgian', /\p{scx=Geor}/u),
  armenian: script('Noto Sans Armenian', 'Armenian', /\p{scx=Armn}/u),
  ethiopic: script('Noto Sans Ethiopic', 'Ethiopic', /\p{scx=Ethi}/u),
  symbols: { family: 'Symbola', script: null, rightToLeft: false, bold: false, only: null },
} as const satisfies Readonly<Record<string, ReportFont>>

export type FontId = keyof typeof FONTS
/** In which order a character that the surrounding font lacks is looked for. */
export const FALLBACKS = (Object.keys(FONTS) as FontId[]).filter((id) => id !== 'sans' && id !== 'mono')
