/** Pages that encode every bracket and make links of a text notation: with any address, and with those of the web alone. */
import { expect, it } from 'vitest'
import { FORM, known, scanned } from '../testing/scanned.ts'

const encoded = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
type Links = (passes: (address: string) => boolean) => (text: string) => string

const markdown: Links = (passes) => (text) =>
  encoded(text).replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (whole, words, address) =>
    passes(address) ? `<a href="${address}">${words}</a>` : whole,
  )
const boardCode: Links = (passes) => (text) =>
  encoded(text).replace(/\[url=([^\]]+)\](.*?)\[\/url\]/g, (whole, address, words) =>
    passes(address) ? `<a href="${address}">${words}</a>` : whole,
  )
const any = (): boolean => true
const ofTheWeb = (address: string): boolean => /^(?:https?:\/\/|\/(?!\/))/.test(address)

const site = (links: (text: string) => string, keeps: boolean) => {
  let kept = ''
  return scanned(
    (sent, { method }) => {
      const note = method === 'POST' ? (sent.get('q') ?? '') : null
      if (keeps && note !== null) kept = note
      const shown = keeps ? (method === 'GET' ? kept : 'Saved') : (note ?? '')
      return `<!doctype html><title>Notes</title><div>${links(shown)}</div>`
    },
    known([FORM]),
  )
}

it.each([
  ['Markdown, shown at once', markdown(any), false, ['xss/reflected-click confirmed']],
  ['Markdown, stored', markdown(any), true, ['xss/stored confirmed']],
  ['BBCode, stored', boardCode(any), true, ['xss/stored confirmed']],
  ['Markdown with addresses of the web alone, shown at once', markdown(ofTheWeb), false, []],
  ['Markdown with addresses of the web alone, stored', markdown(ofTheWeb), true, []],
] as const)('%s', async (_name, links, keeps, expected) => {
  const { found, said } = await site(links, keeps)
  expect(found).toEqual(expected)
  if (!keeps) for (const one of said) expect(one).toContain('href of <a>')
})
