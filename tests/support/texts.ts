/**
 * Generated texts. The `binary` and `grapheme` units of fast-check come with a table of all of Unicode, whose making takes
 * seconds of the processor for each arbitrary; these have none.
 */
import fc from './properties.ts'

type Lengths = Pick<fc.StringConstraints, 'minLength' | 'maxLength'>

const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800
const LAST = 0x10ffff

/** Of every kind, and seldom assigned: ASCII with its controls, scripts, the rest of Unicode; no half of a pair. */
const character = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0, max: 0x3000 }),
    fc.integer({ min: 0, max: LAST - SURROGATES }),
  )
  .map((code) => String.fromCodePoint(code < FIRST_SURROGATE ? code : code + SURROGATES))

const printable = fc.oneof(
  fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0xc0, max: 0x17f }).map((code) => String.fromCodePoint(code)),
  fc.constantFrom('ß', 'Ω', 'д', 'ا', 'अ', '日', '한', '🙂', '👩‍🚀', 'é'),
)

/** Any characters at all. */
export const anyText = (lengths: Lengths = {}): fc.Arbitrary<string> => fc.string({ ...lengths, unit: character })

/** What a person could read; the lengths count what is seen as one character. */
export const readableText = (lengths: Lengths = {}): fc.Arbitrary<string> => fc.string({ ...lengths, unit: printable })
