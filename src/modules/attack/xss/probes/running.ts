/** Whether a call stands in a page where browsers run it. */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5'
import { parseBounded } from '../../../../page/html.ts'
import { percentDecoded } from '../../../../page/percent.ts'
import { isDirective, nodesOf } from '../contexts.ts'
import { codeAt } from '../scripts.ts'

/**
 * In a handler, a script, a `javascript:` address, the address of a script, or the document of a frame; with `directives`, also in
 * attributes that run where the page loads their library.
 */
export const runsIn = (html: string, code: string, directives = false): boolean => {
  for (const node of nodesOf(parseBounded(html).document)) {
    if (!defaultTreeAdapter.isElementNode(node)) continue
    if (node.attrs.some(({ name, value }) => runsAs(node.tagName, name, value, code, directives))) return true
    if (node.tagName === 'script' && node.childNodes.some((one) => isText(one) && inCode(one.value, code))) return true
  }
  return false
}

const isText = (node: DefaultTreeAdapterTypes.Node): node is DefaultTreeAdapterTypes.TextNode =>
  defaultTreeAdapter.isTextNode(node)

const runsAs = (tag: string, name: string, value: string, code: string, directives: boolean): boolean => {
  if (/^on[a-z]/.test(name) || (directives && isDirective(name))) return inCode(value, code)
  if (name === 'srcdoc') return runsIn(value, code, directives)
  // Browsers leave out tabs and line breaks, and spaces before.
  const address = value.replace(/[\t\n\r]/g, '').trimStart()
  const script = /^javascript:(.*)/is.exec(address)?.[1]
  if (script !== undefined) return inCode(script, code) || inCode(percentDecoded(script), code)
  return tag === 'script' && name === 'src' && /^data:/i.test(address) && address.includes(code)
}

const inCode = (text: string, code: string): boolean => {
  for (let at = text.indexOf(code); at >= 0; at = text.indexOf(code, at + 1)) if (codeAt(text, at) === '') return true
  return false
}
