/** References to characters (HTML, 13.5), as escaping functions of programs write them: by number, and by the few names that they use. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', nbsp: '\u00a0', Tab: '\t' },
}
const LAST = 0x10ffff

/** Each is read once: `&amp;lt;` is `&lt;`. What is no reference stays as it is. */
export const withoutEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(
        /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(lt|gt|quot|apos|amp|nbsp|Tab));/g,
        (written, decimal, hex, name) => {
          if (name) return NAMED[name] ?? written
          const point = decimal ? Number(decimal) : Number.parseInt(hex, 16)
          return point <= LAST ? String.fromCodePoint(point) : written
        },
      )
    : text
